"""The styles of the tools pane, looked up from the style sheet."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.widget import Widget

from diligent_tui.ui.widgets.cursor_row import cursor_style
from diligent_tui.ui.widgets.tool_card import CardLook

PREFIX = "tools--"


@dataclass(frozen=True, slots=True)
class ToolsLook:
    """How rows and details look."""

    CLASSES: ClassVar[frozenset[str]] = frozenset(
        f"{PREFIX}{name}" for name in ("dim", "rule", "accent", "success", "error", "memory", "cursor", "match")
    )

    base: Style
    card: CardLook
    rule: Style
    cursor: Style
    match: Style

    @classmethod
    def of(cls, widget: Widget) -> "ToolsLook":
        """The look in a widget that has CLASSES among its component classes."""

        def colour(name: str) -> Style:
            return Style(color=widget.get_component_rich_style(f"{PREFIX}{name}").color)

        base = widget.rich_style
        return cls(
            base=base,
            card=CardLook(
                text=Style(color=base.color),
                dim=colour("dim"),
                accent=colour("accent"),
                success=colour("success"),
                error=colour("error"),
                memory=colour("memory"),
            ),
            rule=colour("rule"),
            cursor=cursor_style(widget, f"{PREFIX}cursor"),
            match=Style(
                color=base.color, bgcolor=widget.get_component_rich_style(f"{PREFIX}match").bgcolor, underline=True
            ),
        )
