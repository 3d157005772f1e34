"""The keys of the tree, declared once for what they do, for the help and for the hint.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `F` of a search typed quickly would fork. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Mapping

from diligent_tui.ui.commands.tree import TREE_COMMANDS

HINTS = ("⏎ go on", "/ find", "f filter", "F1 keys", "l label", "m c compare", "b bring", "F fork", "x context")


def hint(width: int) -> str:
    """What the foot of the pane shows: as many keys as there is room for."""
    shown = ""
    for words in HINTS:
        longer = f"{shown}  {words}" if shown else words
        if len(longer) > width:
            break
        shown = longer
    return shown


def tree_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {
        key: command.id for command in TREE_COMMANDS for key in keymap.get(command.id, command.keys).split(",") if key
    }
