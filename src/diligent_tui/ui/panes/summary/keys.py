"""The keys of the summary pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `u` of words typed quickly would undo a compaction. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from diligent_tui.ui.key_line import Hint

View = Literal["text", "versions", "diff", "coverage"]
"""The ways to look at a version."""
IN_THE_TEXT = (
    ("e", "edit"),
    ("u", "undo"),
    ("w", "write again"),
    ("[ ]", "version"),
    ("y", "copy"),
    ("z", "wide"),
)
IN_AN_OLD_TEXT = (("[ ]", "version"), ("d", "diff"), ("r", "redo"), ("y", "copy"), ("z", "wide"))
IN_THE_VERSIONS = (("⏎", "read"), ("d", "diff"), ("u", "undo"), ("r", "redo"), ("w", "write again"))
BEFORE_DIFF_STYLE = (("[ ]", "version"),)
AFTER_DIFF_STYLE = (("z", "wide"), ("esc", "back"))
IN_THE_COVERAGE = (
    ("⏎", "source"),
    ("a", "add to summary"),
    ("n", "to knowledge"),
    ("f", "kind"),
    ("[ ]", "group"),
    ("y", "copy"),
)
IN_THE_EDITOR = (("ctrl+s", "save"), ("ctrl+z", "undo"), ("esc", "leave"))
NOTHING_THERE = (("F5", "hide"),)
WHILE_IT_RUNS = (("esc esc", "stop; nothing is changed"),)


@dataclass(frozen=True, slots=True)
class Means:
    """What can be done now: whether something holds, or waits to be brought back, and whether there is more width."""

    can_undo: bool
    can_redo: bool
    can_widen: bool
    is_wide: bool = False

    def among(self, hints: Sequence[Hint]) -> Sequence[Hint]:
        """Those keys that would do something, in words for what they would do."""
        idle = {
            *(() if self.can_undo else ("u", "w")),
            *(() if self.can_redo else ("r",)),
            *(() if self.can_widen or self.is_wide else ("z",)),
        }
        widths: Hint = ("z", "narrow" if self.is_wide else "wide")
        return [widths if key == "z" else (key, words) for key, words in hints if key not in idle]


def hints_in(view: View, *, is_active: bool, diff_style: Sequence[Hint] = ()) -> Sequence[Hint]:
    """The keys of a view of a version; a text that is not active has others, a diff the style that it may have."""
    match view:
        case "text":
            return IN_THE_TEXT if is_active else IN_AN_OLD_TEXT
        case "versions":
            return IN_THE_VERSIONS
        case "diff":
            return (*BEFORE_DIFF_STYLE, *diff_style, *AFTER_DIFF_STYLE)
        case "coverage":
            return IN_THE_COVERAGE
