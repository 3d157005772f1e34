"""The page about keys, made from the commands themselves; `docs/keys.md` is this text."""

from collections.abc import Iterator

from diligent_tui.ui.commands import COMMANDS, Command, Where
from diligent_tui.ui.screens.help import PLACES

HEAD = """\
# Keys and commands

<!-- Made from the commands themselves by `python -m diligent_tui.cli.documents docs`; a test holds it current. -->

Everything can be reached without the mouse. `F1` shows the keys of where you are, and so does `?` wherever you are not
typing. `ctrl+p` finds a command by its name, and a word behind `/` in the prompt is a command too; it never reaches the
model. Of several keys each will do.

To change a key, name its command in your own settings:

```jsonc
{ "keys": { "tree": "ctrl+b", "tree_label": "L" } }
```

A key is a character as it is typed, or a name: `enter`, `escape`, `tab`, `space`, `backspace`, `delete`, `insert`,
`home`, `end`, `pageup`, `pagedown`, `up`, `down`, `left`, `right`, `f1` to `f24`; before it may stand `alt+`, `ctrl+`
and `shift+`, in this order. A comma stands between several keys, and `""` takes the key away. What you choose takes the
place of all keys that the command had, from the next start on. Bottom line, help, palette, feet and sentences name the
keys that hold. Lines one types in and dialogs that ask have fixed keys. `diligent config check` names what cannot be
used, and two commands on one key.

In the prompt the keys are those of a shell's line editor: `ctrl+a`, `ctrl+e`, `ctrl+w`, `ctrl+u`, `ctrl+k`,
`ctrl+y`, `ctrl+r` and their like. `ctrl+j` begins a new line.
"""


def keys_page() -> str:
    """The whole page."""
    first: Where = "everywhere"
    places: list[Where] = [first, *(where for where in PLACES if where != first)]
    return HEAD + "".join(line for where in places for line in _place(where))


def _place(where: Where) -> Iterator[str]:
    commands = [command for command in COMMANDS if command.where == where]
    if commands:
        yield f"\n## {PLACES[where]}\n\n| key | command | name in settings | |\n|---|---|---|---|\n"
        yield from map(_row, commands)


def _row(command: Command) -> str:
    # A comma between keys; one key of ours is the bar that parts the cells.
    keys = ", ".join(f"`{key}`" for key in command.keys.replace("|", "\\|").split(",") if key)
    slash = f"`/{command.slash}`" if command.slash else ""
    words = command.help.replace("|", "\\|")
    name = "fixed" if command.is_fixed else f"`{command.id}`"
    return f"| {keys} | {slash} | {name} | {words} |\n"
