"""Diffs: a pure model with word-level changes, and their rows, one below the other or side by side.

Loaded when one is first to be shown: see `late_names`.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.ui.widgets.diff.comparing import diff_texts
    from diligent_tui.ui.widgets.diff.layout import SIDE_BY_SIDE_COLUMNS, DiffLayout, DiffStyle, style_hints
    from diligent_tui.ui.widgets.diff.look import DIFF_CLASSES, DiffLook, diff_look, look_around
    from diligent_tui.ui.widgets.diff.model import Diff, DiffLine, FileDiff, Hunk
    from diligent_tui.ui.widgets.diff.parsing import count_changes, parse_diff
    from diligent_tui.ui.widgets.diff.sheet import DiffSheet
    from diligent_tui.ui.widgets.diff.view import DiffView, render_diff

__all__ = [
    "DIFF_CLASSES",
    "SIDE_BY_SIDE_COLUMNS",
    "Diff",
    "DiffLayout",
    "DiffLine",
    "DiffLook",
    "DiffSheet",
    "DiffStyle",
    "DiffView",
    "FileDiff",
    "Hunk",
    "count_changes",
    "diff_look",
    "diff_texts",
    "look_around",
    "parse_diff",
    "render_diff",
    "style_hints",
]

__getattr__ = late_names(
    __name__,
    {
        "DIFF_CLASSES": "look",
        "SIDE_BY_SIDE_COLUMNS": "layout",
        "Diff": "model",
        "DiffLayout": "layout",
        "DiffLine": "model",
        "DiffLook": "look",
        "DiffSheet": "sheet",
        "DiffStyle": "layout",
        "DiffView": "view",
        "FileDiff": "model",
        "Hunk": "model",
        "count_changes": "parsing",
        "diff_look": "look",
        "diff_texts": "comparing",
        "look_around": "look",
        "parse_diff": "parsing",
        "render_diff": "view",
        "style_hints": "layout",
    },
)
