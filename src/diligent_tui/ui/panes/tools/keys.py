"""The keys of the tools pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `R` of a search typed quickly would run a call again. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint

IN_THE_LIST: Sequence[Hint] = (
    ("⏎", "details"),
    ("f", "filter"),
    ("/", "find"),
    ("o", "output"),
    ("y", "copy"),
    ("c", "chat"),
    ("t", "tree"),
    ("R", "run again"),
)
SHOW_ALL: Hint = ("esc", "show all")
SIDE_BY_SIDE: Hint = ("d", "diff")
UNIFIED: Hint = ("d", "unified")
WIDEN: Hint = ("w", "wide")
NARROW: Hint = ("w", "narrow")
WITH_NO_ROWS: Sequence[Hint] = (SHOW_ALL, ("f", "filter"), ("F3", "hide"))
WITH_NOTHING: Sequence[Hint] = (("tab", "prompt"), ("F3", "hide"))


def in_the_list(*, is_all: bool) -> list[Hint]:
    """What can be done with the call under the cursor, and with the list, which may not be of all."""
    first, *others = IN_THE_LIST
    return [first, *([] if is_all else [SHOW_ALL]), *others]


def in_the_details(diff: Hint | None, width: Hint | None) -> list[Hint]:
    """What can be done with the details; a diff can be laid otherwise, and a width changed, only where it can."""
    looks = [hint for hint in (diff, width) if hint is not None]
    lesser: list[Hint] = [("y", "copy"), ("c", "chat"), ("t", "tree"), ("R", "run again")]
    return [("⏎", "close"), ("J K", "scroll"), ("o", "output"), *looks, *lesser]


def in_the_output(width: Hint | None) -> list[Hint]:
    """What can be done with a whole output."""
    return [("j k g G", "scroll"), *([width] if width is not None else []), ("y", "copy"), ("esc", "back")]
