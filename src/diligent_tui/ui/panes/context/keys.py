"""The keys of the context: what its foot says of them at each part; no bindings, so that they act in order."""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.panes.context.sheet import PartBlock

EVERYWHERE: Sequence[Hint] = (("f", "filter"), ("/", "find"))
COPY: Hint = ("y", "copy")
FOLD_ALL: Hint = ("-", "fold all")
ON_A_SCREEN: Sequence[Hint] = (("esc", "close"),)


def hints_at(part: PartBlock | None, *, is_open: bool, has_open: bool, is_next: bool) -> Sequence[Hint]:
    """The keys that do something at a part; a request that is not the next one can only be read.

    `is_open` says that the part is, `has_open` that any is.
    """
    if part is None:
        return EVERYWHERE if is_next else ON_A_SCREEN
    fold = "fold" if is_open else "open"
    is_said = is_next and bool(part.entry_id)
    opening: Sequence[Hint] = (("⏎", "to chat"), ("space", fold)) if is_said else (("⏎", fold),)
    pinning: Sequence[Hint] = ()
    if may_be_pinned(part, is_next=is_next):
        pinning = (("p", "unpin" if part.note == "pinned" else "pin"),)
    folding: Sequence[Hint] = (FOLD_ALL,) if has_open else ()
    return (*opening, *folding, *EVERYWHERE, *pinning, COPY, *(() if is_next else ON_A_SCREEN))


def may_be_pinned(part: PartBlock, *, is_next: bool) -> bool:
    """Whether it is a message of the conversation that is now."""
    return is_next and part.kind == "turns" and bool(part.entry_id)
