"""The tool calls of this session, newest last."""

from collections.abc import Iterable

from textual.content import Content
from textual.widget import Widget

from diligent_tui.domain.events import Event, ToolCallReady, ToolFinished, ToolStarted
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.transcript import subject_of

MOST_CALLS = 200
EMPTY = "No tool has run yet.\nCalls appear here with their result and time."


class ToolsPane(Widget):
    """A simple list: state, tool, subject, time."""

    BORDER_TITLE = "Tools"

    def __init__(self) -> None:
        """Begin with no calls."""
        super().__init__(id="tools")
        self._calls: dict[str, tuple[str, str, str, str]] = {}

    def take(self, events: Iterable[Event]) -> None:
        """Note the calls in these events."""
        before = len(self._calls)
        changed = False
        for event in events:
            match event:
                case ToolCallReady():
                    self._calls[event.call_id] = ("○", event.name, subject_of(event.input), "")
                case ToolStarted():
                    self._calls[event.call_id] = ("◐", event.name, subject_of(event.input), "running")
                case ToolFinished():
                    _, name, subject, _ = self._calls.get(event.call_id, ("", event.name, "", ""))
                    mark = "✗" if event.is_error else "✓"
                    self._calls[event.call_id] = (mark, name, subject, fmt.duration(event.duration_seconds))
                case _:
                    continue
            changed = True
        while len(self._calls) > MOST_CALLS:
            del self._calls[next(iter(self._calls))]
        if changed:
            self.refresh(layout=len(self._calls) != before)

    def render(self) -> Content:
        """The newest calls that fit."""
        if not self._calls:
            return Content.styled(EMPTY, "$dim")
        rows = [self._row(*call) for call in list(self._calls.values())[-max(1, self.size.height) :]]
        return Content("\n").join(rows)

    def _row(self, mark: str, name: str, subject: str, time: str) -> Content:
        style = {"✓": "$success", "✗": "$error"}.get(mark, "$accent")
        name = clean_line(name, 12)
        room = max(1, self.size.width - len(name) - len(time) - 6)
        subject = clean_line(subject, room)
        space = max(1, self.size.width - Content(subject).cell_length - len(name) - len(time) - 4)
        return Content.assemble(
            (f"{mark} ", style), (f"{name} ", "$foreground"), (subject, "$dim"), " " * space, (time, "$dim")
        )
