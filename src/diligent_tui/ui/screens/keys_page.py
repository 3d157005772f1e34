"""The page about keys, made from the commands themselves; `docs/keys.md` is this text."""

from collections.abc import Iterator

from diligent_tui.ui.commands import COMMANDS, Command, Where
from diligent_tui.ui.screens.help import PLACES

HEAD = """\
# Keys and commands

<!-- Made from the commands themselves by `python -m diligent_tui.cli.documents docs`; a test holds it current. -->

Everything can be reached without the mouse. `F1` shows the keys of where you are, `ctrl+p` finds a command by its
name, and a word behind `/` in the prompt is a command too; it never reaches the model. Of several keys each will do.

To change a key, name its command in your settings:

```jsonc
{ "keys": { "tree": "f12", "tree_label": "n" } }
```

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
    return f"| {keys} | {slash} | `{command.id}` | {words} |\n"
