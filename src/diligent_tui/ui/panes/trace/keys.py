"""The keys of the trace: what each does, and what its foot says of them; no bindings, so that they act in order."""

from collections.abc import Mapping

from diligent_tui.ui.commands.trace import TRACE_COMMANDS

HINTS = ("⏎ open", "f filter", "! problems", "/ find", "e export", "c chat", "y copy", "- fold all")


def hint(width: int) -> str:
    """As many keys as there is room for."""
    shown = ""
    for words in HINTS:
        longer = f"{shown}  {words}" if shown else words
        if len(longer) > width:
            break
        shown = longer
    return shown


def trace_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {
        key: command.id for command in TRACE_COMMANDS for key in keymap.get(command.id, command.keys).split(",") if key
    }
