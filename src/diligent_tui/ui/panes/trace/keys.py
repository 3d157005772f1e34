"""The keys of the trace: what its foot says of them; no bindings, so that they act in order."""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.panes.trace.sieve import Sieve

OPEN: Hint = ("⏎", "open")
FOLD: Hint = ("⏎", "fold")
FILTER: Hint = ("f", "filter")
PROBLEMS: Hint = ("!", "problems")
FIND: Hint = ("/", "find")
SHOW_ALL: Hint = ("esc", "show all")
TO_CHAT: Hint = ("c", "chat")
LESSER: Sequence[Hint] = (("e", "export"), ("y", "copy"), ("-", "fold all"))
WHILE_EMPTY: Sequence[Hint] = (("tab", "prompt"), ("F7", "hide"))
WHILE_ASKING: Sequence[Hint] = (("⏎", "keep"), ("esc", "show all"))
NEWEST: Hint = ("G", "newest")


def in_the_list(sieve: Sieve, *, is_open: bool, is_behind: bool, is_in_chat: bool) -> list[Hint]:
    """What can be done with the row under the cursor, and with the list, which may not be of all."""
    newest = [NEWEST] if is_behind else []
    back = [] if sieve.is_open else [SHOW_ALL]
    chat = [TO_CHAT] if is_in_chat else []
    return [FOLD if is_open else OPEN, *newest, *back, *_sifting(sieve), *chat, *LESSER]


def where_nothing_fits(sieve: Sieve) -> list[Hint]:
    """How to get at more."""
    return [SHOW_ALL, *_sifting(sieve)]


def _sifting(sieve: Sieve) -> list[Hint]:
    return [FILTER, *([] if sieve.only_problems else [PROBLEMS]), FIND]
