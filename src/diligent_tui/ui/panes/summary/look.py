"""The styles of the summary pane, looked up from the style sheet."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.widget import Widget

from diligent_tui.ui.widgets.cursor_row import cursor_style
from diligent_tui.ui.widgets.diff import DIFF_CLASSES, DiffLook, look_around

PREFIX = "summary--"


@dataclass(frozen=True, slots=True)
class SummaryLook:
    """How rows look; `diff` brings the look of Markdown along."""

    CLASSES: ClassVar[frozenset[str]] = DIFF_CLASSES | {
        f"{PREFIX}{name}" for name in ("dim", "rule", "accent", "success", "error", "memory", "key", "cursor")
    }

    base: Style
    text: Style
    dim: Style
    rule: Style
    accent: Style
    success: Style
    error: Style
    memory: Style
    key: Style
    cursor: Style
    diff: DiffLook

    @classmethod
    def of(cls, widget: Widget) -> "SummaryLook":
        """The look in a widget that has CLASSES among its component classes."""

        def colour(name: str) -> Style:
            return Style(color=widget.get_component_rich_style(f"{PREFIX}{name}").color)

        base = widget.rich_style
        return cls(
            base=base,
            text=Style(color=base.color),
            dim=colour("dim"),
            rule=colour("rule"),
            accent=colour("accent"),
            success=colour("success"),
            error=colour("error"),
            memory=colour("memory"),
            key=colour("key"),
            cursor=cursor_style(widget, f"{PREFIX}cursor"),
            diff=look_around(widget),
        )
