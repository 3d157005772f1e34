"""The calls as rows on screen: only what is in sight is read and drawn, and none of it is a widget."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.ui.panes.tools.call_book import CallBook
from diligent_tui.ui.panes.tools.drawing import Count, draw_row
from diligent_tui.ui.panes.tools.listing import Listing
from diligent_tui.ui.panes.tools.look import ToolsLook


class CallRows(ScrollView, can_focus=False):
    """A list of any length with a cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(ToolsLook.CLASSES)
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    CallRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorMoved(Message):
        """The cursor stands on another call."""

    def __init__(self, book: CallBook, listing: Listing, count: Callable[[], Count]) -> None:
        """Show what is listed; `count` gives what counts tokens now."""
        super().__init__(id="tools-rows")
        self.cursor_key: str | None = None
        self.searched = ""
        self._book = book
        self._listing = listing
        self._count = count
        self._look: ToolsLook | None = None

    @property
    def cursor(self) -> int:
        """The row under the cursor."""
        place = self._listing.place(self.cursor_key)
        return max(0, len(self._listing) - 1) if place is None else place

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    def rows_changed(self) -> None:
        """Show the rows as they are now."""
        self.virtual_size = Size(self.size.width, len(self._listing))
        if len(self._listing) and self._listing.place(self.cursor_key) is None:
            self.cursor_key = self._listing.keys[-1]
        self._bring_into_sight()
        self.refresh()

    def put_cursor(self, place: int) -> None:
        """Put the cursor on a row, or the nearest there is, and bring it into sight."""
        if not len(self._listing):
            return
        place = max(0, min(place, len(self._listing) - 1))
        is_moved = self._listing.keys[place] != self.cursor_key
        self.refresh_line(self.cursor)
        self.cursor_key = self._listing.keys[place]
        self.refresh_line(place)
        self._bring_into_sight()
        if is_moved:
            self.post_message(self.CursorMoved())

    def call_changed(self, key: str) -> None:
        """Paint one call anew."""
        place = self._listing.place(key)
        if place is not None:
            self.refresh_line(place)

    def search(self, words: str) -> None:
        """Show where these words stand."""
        self.searched = words
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < len(self._listing):
            self.put_cursor(offset.y + self.scroll_offset.y)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._bring_into_sight()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with the styles looked up once."""
        self._look = ToolsLook.of(self)
        try:
            return super().render_lines(crop)
        finally:
            self._look = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        look = self._look or ToolsLook.of(self)
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if place >= len(self._listing):
            return Strip.blank(width, look.base)
        key = self._listing.keys[place]
        is_worked_in = isinstance(self.parent, Widget) and self.parent.has_focus_within
        return draw_row(
            self._book.facts(key),
            width,
            look,
            self._count(),
            is_cursor=is_worked_in and place == self.cursor,
            is_pruned=self._book.is_pruned(key),
            words=self.searched,
        )

    def _bring_into_sight(self) -> None:
        top, height, cursor = self.scroll_offset.y, self.page_rows, self.cursor
        if cursor < top:
            self.scroll_to(y=cursor, animate=False)
        elif cursor >= top + height:
            self.scroll_to(y=cursor - height + 1, animate=False)
