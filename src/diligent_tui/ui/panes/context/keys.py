"""The keys of the context: what each does, and what its foot says of them; no bindings, so that they act in order."""

from collections.abc import Mapping, Sequence

from diligent_tui.ui.commands.context import CONTEXT_COMMANDS

IN_THE_PANE = ("⏎ chat", "space open", "f filter", "/ find", "p pin", "y copy", "- fold all")
ON_A_SCREEN = ("space open", "f filter", "/ find", "y copy", "- fold all", "esc close")


def hint(hints: Sequence[str], width: int) -> str:
    """As many keys as there is room for."""
    shown = ""
    for words in hints:
        longer = f"{shown}  {words}" if shown else words
        if len(longer) > width:
            break
        shown = longer
    return shown


def context_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {
        key: command.id
        for command in CONTEXT_COMMANDS
        for key in keymap.get(command.id, command.keys).split(",")
        if key
    }
