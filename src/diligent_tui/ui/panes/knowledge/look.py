"""The styles of the knowledge pane, looked up from the style sheet."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.widget import Widget

from diligent_tui.ui.widgets.cursor_row import cursor_style

PREFIX = "knowledge--"


@dataclass(frozen=True, slots=True)
class KnowledgeLook:
    """How rows, details and the form look."""

    CLASSES: ClassVar[frozenset[str]] = frozenset(
        f"{PREFIX}{name}"
        for name in ("dim", "rule", "accent", "success", "error", "memory", "cursor", "match", "field")
    )

    base: Style
    text: Style
    strong: Style
    dim: Style
    rule: Style
    accent: Style
    success: Style
    error: Style
    memory: Style
    cursor: Style
    match: Style
    field: Style
    reverse: Style

    @classmethod
    def of(cls, widget: Widget) -> "KnowledgeLook":
        """The look in a widget that has CLASSES among its component classes."""

        def colour(name: str) -> Style:
            return Style(color=widget.get_component_rich_style(f"{PREFIX}{name}").color)

        def ground(name: str) -> Style:
            return Style(bgcolor=widget.get_component_rich_style(f"{PREFIX}{name}").bgcolor)

        base = widget.rich_style
        text = Style(color=base.color)
        return cls(
            base=base,
            text=text,
            strong=text + Style(bold=True),
            dim=colour("dim"),
            rule=colour("rule"),
            accent=colour("accent"),
            success=colour("success"),
            error=colour("error"),
            memory=colour("memory"),
            cursor=cursor_style(widget, f"{PREFIX}cursor"),
            match=text + ground("match") + Style(underline=True),
            field=ground("field"),
            reverse=Style(reverse=True),
        )
