"""The keys of the tree, declared once for what they do, for the help and for the hint.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `F` of a search typed quickly would fork. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint

GO_ON: Hint = ("⏎", "go on")
SHOW_ALL: Hint = ("esc", "show all")
SIFTING: Sequence[Hint] = (("/", "find"), ("f", "filter"), ("l", "label"))
COMPARE: Hint = ("m c", "compare")
LESSER: Sequence[Hint] = (("b", "bring"), ("F", "fork"), ("x", "context"))
WITH_NO_ROWS: Sequence[Hint] = (SHOW_ALL, ("f", "filter"), ("F2", "hide"))
WITH_NOTHING: Sequence[Hint] = (("tab", "prompt"), ("F2", "hide"))
WHILE_LABELLING: Sequence[Hint] = (("⏎", "save"), ("esc", "leave"))
WHILE_MARKED: Sequence[Hint] = (("c", "compare another"),)
TO_MARK: Sequence[Hint] = (("m", "mark"), ("c", "compare"))


def in_the_rows(*, is_all: bool, has_branches: bool) -> list[Hint]:
    """What can be done with the row under the cursor, and with the rows, which may not be all."""
    back = [] if is_all else [SHOW_ALL]
    return [GO_ON, *back, *SIFTING, *([COMPARE] if has_branches else []), *LESSER]
