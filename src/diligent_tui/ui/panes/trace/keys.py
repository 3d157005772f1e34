"""The keys of the trace: what its foot says of them; no bindings, so that they act in order."""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint

OPEN: Hint = ("⏎", "open")
FOLD: Hint = ("⏎", "fold")
SIFTING: Sequence[Hint] = (("f", "filter"), ("!", "problems"), ("/", "find"))
SHOW_ALL: Hint = ("esc", "show all")
TO_CHAT: Hint = ("c", "chat")
LESSER: Sequence[Hint] = (("e", "export"), ("y", "copy"), ("-", "fold all"))
WHILE_EMPTY: Sequence[Hint] = (("tab", "prompt"), ("F7", "hide"))
WHILE_ASKING: Sequence[Hint] = (("⏎", "keep"), ("esc", "show all"))
WHILE_BEHIND: Sequence[Hint] = (("G", "to the newest"),)


def in_the_list(*, is_open: bool, is_all: bool, is_in_chat: bool) -> list[Hint]:
    """What can be done with the row under the cursor, and with the list, which may not be of all."""
    back = [] if is_all else [SHOW_ALL]
    return [FOLD if is_open else OPEN, *back, *SIFTING, *([TO_CHAT] if is_in_chat else []), *LESSER]


def where_nothing_fits() -> list[Hint]:
    """How to get at more."""
    return [SHOW_ALL, *SIFTING]
