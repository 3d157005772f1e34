"""The keys of the tools pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `R` of a search typed quickly would run a call again. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Mapping, Sequence

from diligent_tui.ui.commands.tools import TOOL_COMMANDS

IN_THE_LIST = ("⏎ details", "f filter", "/ find", "o output", "F1 keys", "y copy", "c chat", "t tree", "R run again")
IN_THE_DETAILS = ("⏎ close", "J K scroll", "o output", "d diff", "w wide", "y copy", "c chat", "t tree", "R run again")
IN_THE_OUTPUT = ("esc back", "j k g G scroll", "w wide", "y copy")


def hint(hints: Sequence[str], width: int) -> str:
    """As many keys as there is room for."""
    shown = ""
    for words in hints:
        longer = f"{shown}  {words}" if shown else words
        if len(longer) > width:
            break
        shown = longer
    return shown


def tool_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {
        key: command.id for command in TOOL_COMMANDS for key in keymap.get(command.id, command.keys).split(",") if key
    }
