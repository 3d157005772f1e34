"""The list of sessions as rows of one scrollable widget, drawn when they are seen."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.domain.times import Clock
from diligent_tui.session.catalog import SessionSummary
from diligent_tui.session.files import SessionFile
from diligent_tui.ui.screens.sessions.row import RowLook, RowState, draw_heading, draw_row
from diligent_tui.ui.widgets.cursor_row import cursor_style


class ListHeading(Widget):
    """The names of the columns, above the rows."""

    def render_line(self, y: int) -> Strip:
        """The one row."""
        return draw_heading(self.size.width, self.rich_style)


class SessionList(ScrollView, can_focus=False):
    """Shows files newest first with a cursor; what is known of a file is asked for when its row is drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "session-list--dim",
        "session-list--accent",
        "session-list--memory",
        "session-list--error",
        "session-list--cursor",
        "session-list--match",
    }

    class Moved(Message):
        """Another session is under the cursor, or other rows are in sight."""

    class Chosen(Message):
        """The session under the cursor was clicked twice."""

    def __init__(
        self, known: Callable[[SessionFile], SessionSummary | None], current_id: str | None, clock: Clock
    ) -> None:
        """Begin without rows."""
        super().__init__(id="session-list")
        self._known = known
        self._current_id = current_id
        self._clock = clock
        self._files: Sequence[SessionFile] = ()
        self._words = ""
        self._cursor = 0
        self._look: RowLook | None = None

    @property
    def files(self) -> Sequence[SessionFile]:
        """What is listed now."""
        return self._files

    @property
    def file(self) -> SessionFile | None:
        """The file under the cursor."""
        return self._files[self._cursor] if self._files else None

    @property
    def seen(self) -> Sequence[SessionFile]:
        """The files whose rows are in sight."""
        top = round(self.scroll_y)
        return self._files[top : top + max(1, self.size.height)]

    def show(self, files: Sequence[SessionFile], words: str = "", *, at: SessionFile | None) -> None:
        """List these files, with the cursor on one of them; if it is gone, on what stands in its place."""
        place = 0
        if at is not None:
            place = next((place for place, file in enumerate(files) if file.name == at.name), self._cursor)
        self._files = files
        self._words = words
        self._cursor = max(0, min(place, len(files) - 1))
        self.virtual_size = Size(self.size.width, len(files))
        self._show_cursor()

    def move(self, rows: int) -> None:
        """Move the cursor."""
        self._cursor = max(0, min(self._cursor + rows, len(self._files) - 1))
        self._show_cursor()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of one paint, for which the styles are looked up once."""
        self._look = None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row of the screen."""
        width = self.size.width
        look = self._look = self._look or self._look_up()
        index = y + round(self.scroll_y)
        if not 0 <= index < len(self._files):
            return Strip.blank(width, look.text)
        file = self._files[index]
        state = RowState(
            self._clock(),
            is_cursor=index == self._cursor,
            is_current=file.id == self._current_id,
            words=self._words,
        )
        return draw_row(file, self._known(file), state, width, look)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows are in sight."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.call_after_refresh(self._show_cursor)

    def on_click(self, event: events.Click) -> None:
        """A click goes there; a second one chooses."""
        index = event.y + round(self.scroll_y)
        if not 0 <= index < len(self._files):
            return
        if event.chain > 1 and index == self._cursor:
            self.post_message(self.Chosen())
        else:
            self.move(index - self._cursor)

    def _show_cursor(self) -> None:
        self.scroll_to_region(Region(0, self._cursor, 1, 1), animate=False, force=True)
        self.refresh()
        self.post_message(self.Moved())

    def _look_up(self) -> RowLook:
        def part(name: str) -> Style:
            return Style(color=self.get_component_rich_style(f"session-list--{name}").color)

        return RowLook(
            text=self.rich_style,
            dim=part("dim"),
            accent=part("accent"),
            memory=part("memory"),
            error=part("error"),
            cursor=cursor_style(self, "session-list--cursor") + Style(bold=True),
            match=part("match") + Style(underline=True),
        )
