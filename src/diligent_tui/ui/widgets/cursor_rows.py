"""A list with a cursor on screen: only what is in sight is drawn, and none of it is a widget."""

from typing import Generic, TypeVar

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.ui.widgets.cursor_row import standing

PaintT = TypeVar("PaintT")


class CursorRows(ScrollView, Generic[PaintT], can_focus=False):
    """Rows of any number; its parent has the focus and the keys, its heir knows the rows and how one is drawn."""

    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    CursorRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorMoved(Message):
        """The cursor stands on another row."""

    def __init__(self, widget_id: str) -> None:
        """Nothing to show yet."""
        super().__init__(id=widget_id)
        self.cursor = 0
        """The number of the row under the cursor."""
        self.cursor_id: str | None = None
        """What the heir finds that row by when others come before it."""
        self._paint: PaintT | None = None

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def id_at(self, place: int) -> str:
        """What a row is found by."""
        raise NotImplementedError

    def begin_paint(self) -> PaintT:
        """What all rows of one paint share, looked up once."""
        raise NotImplementedError

    def draw(self, place: int, paint: PaintT) -> Strip:
        """One row, exactly as wide as the content."""
        raise NotImplementedError

    def may_stand(self, place: int) -> bool:
        """Whether the cursor may stand on a row; heirs say no to headings and lines."""
        return True

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    @property
    def is_worked_in(self) -> bool:
        """Whether the cursor shows: keys go to the parent."""
        return isinstance(self.parent, Widget) and self.parent.has_focus_within

    def step(self, step: int) -> None:
        """Move the cursor by rows."""
        self.put_cursor(self.cursor + step, 1 if step > 0 else -1)

    def put_cursor(self, place: int, way: int = 1) -> None:
        """Put the cursor on a row, or the nearest it may stand on, and bring it into sight."""
        if not self.row_count:
            return
        place = standing(place, self.row_count, way, self.may_stand)
        row_id = self.id_at(place)
        is_moved = row_id != self.cursor_id
        self.refresh_line(self.cursor)
        self.cursor, self.cursor_id = place, row_id
        self.refresh_line(place)
        self.bring_into_sight()
        if is_moved:
            self.post_message(self.CursorMoved())

    def bring_into_sight(self) -> None:
        """Scroll as little as shows the cursor."""
        top, height = self.scroll_offset.y, self.page_rows
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < self.row_count:
            self.put_cursor(offset.y + self.scroll_offset.y)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.bring_into_sight()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with what they share looked up once."""
        self._paint = self.begin_paint()
        try:
            return super().render_lines(crop)
        finally:
            self._paint = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        place = y + self.scroll_offset.y
        if place >= self.row_count:
            return Strip.blank(self.scrollable_content_region.width, self.rich_style)
        return self.draw(place, self._paint or self.begin_paint())
