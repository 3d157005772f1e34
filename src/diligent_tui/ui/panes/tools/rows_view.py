"""The calls as rows on screen, read when they come into sight."""

from collections.abc import Callable
from typing import ClassVar

from textual.geometry import Size
from textual.strip import Strip

from diligent_tui.ui.panes.tools.call_book import CallBook
from diligent_tui.ui.panes.tools.drawing import Count, draw_row
from diligent_tui.ui.panes.tools.listing import Listing
from diligent_tui.ui.panes.tools.look import ToolsLook
from diligent_tui.ui.widgets.cursor_rows import CursorRows


class CallRows(CursorRows[ToolsLook]):
    """The calls that are listed; the cursor goes to the last if its own is not among them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(ToolsLook.CLASSES)

    def __init__(self, book: CallBook, listing: Listing, count: Callable[[], Count]) -> None:
        """Show what is listed; `count` gives what counts tokens now."""
        super().__init__("tools-rows")
        self.searched = ""
        self._book = book
        self._listing = listing
        self._count = count

    @property
    def row_count(self) -> int:
        """How many calls are listed."""
        return len(self._listing)

    def id_at(self, place: int) -> str:
        """The call's key."""
        return self._listing.keys[place]

    def rows_changed(self) -> None:
        """Show the rows as they are now."""
        self.virtual_size = Size(self.size.width, self.row_count)
        place = self._listing.place(self.cursor_id)
        self.cursor = max(0, self.row_count - 1) if place is None else place
        if self.row_count:
            self.cursor_id = self.id_at(self.cursor)
        self.bring_into_sight()
        self.refresh()

    def call_changed(self, key: str) -> None:
        """Paint one call anew."""
        place = self._listing.place(key)
        if place is not None:
            self.refresh_line(place)

    def search(self, words: str) -> None:
        """Show where these words stand."""
        self.searched = words
        self.refresh()

    def begin_paint(self) -> ToolsLook:
        """The styles."""
        return ToolsLook.of(self)

    def draw(self, place: int, paint: ToolsLook) -> Strip:
        """One call."""
        key = self.id_at(place)
        return draw_row(
            self._book.facts(key),
            self.scrollable_content_region.width,
            paint,
            self._count(),
            is_cursor=self.is_worked_in and place == self.cursor,
            is_pruned=self._book.is_pruned(key),
            words=self.searched,
        )
