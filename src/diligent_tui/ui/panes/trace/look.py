"""The styles of the trace, looked up from the style sheet."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.widget import Widget

from diligent_tui.ui.panes.trace.things import State
from diligent_tui.ui.panes.trace.words import Role

PREFIX = "trace--"


@dataclass(frozen=True, slots=True)
class TraceLook:
    """How rows look; a state has its sign besides its colour."""

    CLASSES: ClassVar[frozenset[str]] = frozenset(
        f"{PREFIX}{name}" for name in ("dim", "running", "done", "failed", "memory")
    )

    text: Style
    dim: Style
    running: Style
    done: Style
    failed: Style
    memory: Style

    @classmethod
    def of(cls, widget: Widget) -> "TraceLook":
        """The look in a widget that has CLASSES among its component classes."""

        def colour(name: str) -> Style:
            return Style(color=widget.get_component_rich_style(f"{PREFIX}{name}").color)

        return cls(
            Style(color=widget.rich_style.color),
            colour("dim"),
            colour("running"),
            colour("done"),
            colour("failed"),
            colour("memory"),
        )

    def of_state(self, state: State) -> Style:
        """The colour of a state's sign."""
        match state:
            case "running":
                return self.running
            case "done":
                return self.done
            case "failed":
                return self.failed
            case "stopped" | "told":
                return self.dim

    def of_role(self, role: Role) -> Style:
        """The colour of words."""
        match role:
            case "text":
                return self.text
            case "dim":
                return self.dim
            case "memory":
                return self.memory
            case "error":
                return self.failed
