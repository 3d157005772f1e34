"""The styles of the context, looked up from the style sheet."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.widget import Widget

PREFIX = "context--"


@dataclass(frozen=True, slots=True)
class ContextLook:
    """How the parts look."""

    CLASSES: ClassVar[frozenset[str]] = frozenset(f"{PREFIX}{name}" for name in ("dim", "memory", "talk"))

    text: Style
    dim: Style
    memory: Style
    talk: Style

    @classmethod
    def of(cls, widget: Widget) -> "ContextLook":
        """The look in a widget that has CLASSES among its component classes."""

        def colour(name: str) -> Style:
            return Style(color=widget.get_component_rich_style(f"{PREFIX}{name}").color)

        return cls(Style(color=widget.rich_style.color), colour("dim"), colour("memory"), colour("talk"))

    def of_kind(self, kind: str) -> Style:
        """The colour of a kind, as in the gauge."""
        return self.memory if kind in ("summary", "ledgers", "pins") else self.talk if kind == "turns" else self.dim
