"""The list on screen: only what is in sight is drawn, and none of it is a widget."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.domain.times import Clock
from diligent_tui.ui.panes.knowledge.drawing import Painting, draw_row
from diligent_tui.ui.panes.knowledge.listing import BudgetRow, Row
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook


class KnowledgeRows(ScrollView, can_focus=False):
    """Rows of any number with a cursor, which passes over the budget's line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(KnowledgeLook.CLASSES)
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    KnowledgeRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorMoved(Message):
        """The cursor stands on another row."""

    def __init__(self, clock: Clock) -> None:
        """Nothing to show yet."""
        super().__init__(id="knowledge-rows")
        self.rows: Sequence[Row] = ()
        self.cursor_key: str | None = None
        self.new_ids: frozenset[str] = frozenset()
        self.words: tuple[str, ...] = ()
        self._places: dict[str, int] = {}
        self._cursor = 0
        self._clock = clock
        self._paint: Painting | None = None

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor."""
        place = self._places.get(self.cursor_key or "")
        return None if place is None else self.rows[place]

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    def show(self, rows: Sequence[Row]) -> None:
        """Show other rows; the cursor stays on its row, or near its place if that is gone."""
        self.rows = rows
        self._places = {row.key: place for place, row in enumerate(rows)}
        self.virtual_size = Size(self.size.width, len(rows))
        place = self._places.get(self.cursor_key or "")
        self.cursor_key = None if not rows else self.cursor_key
        if rows:
            self.put_cursor(min(self._cursor, len(rows) - 1) if place is None else place)
        self.refresh()

    def go_to(self, key: str) -> bool:
        """Put the cursor on a row; False if it is not listed."""
        place = self._places.get(key)
        if place is not None:
            self.put_cursor(place)
        return place is not None

    def step(self, step: int) -> None:
        """Move the cursor by rows."""
        self.put_cursor(self._cursor + step, 1 if step > 0 else -1)

    def put_cursor(self, place: int, way: int = 1) -> None:
        """Put the cursor on a row, or the nearest there is, and bring it into sight."""
        if not self.rows:
            return
        place = self._beside_the_line(max(0, min(place, len(self.rows) - 1)), way)
        key = self.rows[place].key
        is_moved = key != self.cursor_key
        self.refresh_line(self._cursor)
        self.cursor_key, self._cursor = key, place
        self.refresh_line(place)
        self.bring_into_sight()
        if is_moved:
            self.post_message(self.CursorMoved())

    def bring_into_sight(self) -> None:
        """Scroll as little as shows the cursor."""
        top, height = self.scroll_offset.y, self.page_rows
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < len(self.rows):
            self.put_cursor(offset.y + self.scroll_offset.y)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.bring_into_sight()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with what they share looked up once."""
        self._paint = self._begin_paint()
        try:
            return super().render_lines(crop)
        finally:
            self._paint = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        paint = self._paint or self._begin_paint()
        place = y + self.scroll_offset.y
        if place >= len(self.rows):
            return Strip.blank(paint.width, paint.look.base)
        return draw_row(self.rows[place], paint)

    def _begin_paint(self) -> Painting:
        is_worked_in = isinstance(self.parent, Widget) and self.parent.has_focus_within
        return Painting(
            self.scrollable_content_region.width,
            KnowledgeLook.of(self),
            self._clock(),
            self.cursor_key if is_worked_in else None,
            self.new_ids,
            self.words,
        )

    def _beside_the_line(self, place: int, way: int) -> int:
        """The row itself, or the next one if it is the budget's line and there is another."""
        if not isinstance(self.rows[place], BudgetRow) or len(self.rows) == 1:
            return place
        beside = place + way
        return beside if 0 <= beside < len(self.rows) else place - way
