"""A page to read, scrolled by rows; a text that grows is followed unless one scrolled away."""

from typing import ClassVar

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.ui.panes.summary.look import SummaryLook
from diligent_tui.ui.panes.summary.pages import Page, Rows


class SummarySheet(ScrollView, can_focus=False):
    """Rows of any number, made into strips when they come into sight."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(SummaryLook.CLASSES)
    # Not in the style sheet: a scrollbar that comes and goes would change the width and wrap all lines anew.
    DEFAULT_CSS = """
    SummarySheet {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, widget_id: str) -> None:
        """Nothing to read yet."""
        super().__init__(id=widget_id)
        self._page: Page | None = None
        self._key = ""
        self._rows: Rows | None = None
        self._follows = False

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self._rows.height if self._rows else 0

    def show(self, page: Page, key: str, *, grows: bool = False) -> None:
        """Show a page; one with the key of the page before it is read on from where one is."""
        is_same = key == self._key
        self._page, self._key = page, key
        if not is_same:
            self._follows = grows
            self.scroll_to(y=0, animate=False)
        elif not grows:
            self._follows = False
        self._lay()

    def move(self, rows: int) -> None:
        """Go by rows; the end is followed once one is there."""
        top = max(0, min(self.scroll_offset.y + rows, self.row_count - self.page_rows))
        self._follows = rows > 0 and top >= self.row_count - self.page_rows
        self.scroll_to(y=top, animate=False)

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay()

    def notify_style_update(self) -> None:
        """Colours are part of the rows."""
        super().notify_style_update()
        self._rows = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        width = self.scrollable_content_region.width
        rows = self._rows or self._drawn()
        row = y + self.scroll_offset.y
        strip = rows.strip(row) if rows is not None and row < rows.height else Strip([])
        return strip.crop_extend(0, width, self.rich_style).apply_style(self.rich_style)

    def _drawn(self) -> Rows | None:
        width = self.scrollable_content_region.width
        if self._page is None or not self.is_mounted or width <= 0:
            return None
        self._rows = self._page.draw(width, SummaryLook.of(self))
        return self._rows

    def _lay(self) -> None:
        self._rows = None
        rows = self._drawn()
        self.virtual_size = Size(self.scrollable_content_region.width, rows.height if rows else 0)
        if self._follows:
            self.scroll_to(y=max(0, self.row_count - self.page_rows), animate=False)
        self.refresh()
