"""A page to read, scrolled by rows; a text that grows is followed unless one scrolled away."""

from typing import ClassVar

from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.ui.panes.summary.look import SummaryLook
from diligent_tui.ui.panes.summary.pages import LivePage, Page
from diligent_tui.ui.widgets.drawn_rows import Rows


class SummarySheet(ScrollView, can_focus=False):
    """Rows of any number, made into strips when they come into sight."""

    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)
    """The size of all rows; unlike Textual's own, a streamed row does not lay out the whole screen."""
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
        self._look: SummaryLook | None = None
        self._drawn_for: tuple[int, SummaryLook] | None = None
        """Width and look of the rows."""
        self._follows = False

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self._rows.height if self._rows else 0

    def show(self, page: Page, key: str) -> None:
        """Show a page; one with the key of the page before it is read on from where one is."""
        if key != self._key:
            self.scroll_to(y=0, animate=False)
        self._page, self._key, self._follows, self._drawn_for = page, key, False, None
        self._lay()
        self.refresh()

    def follow(self, page: LivePage) -> None:
        """Show a text that grows, or more of it."""
        is_more = page is self._page
        if not is_more:
            self._page, self._key, self._follows = page, "", True
            self.scroll_to(y=0, animate=False)
        before, self._drawn_for = self._drawn_for, None
        self._lay()
        if is_more and before == self._drawn_for:
            self._repaint_from(page.first_changed)
        else:
            self.refresh()

    def move(self, rows: int) -> None:
        """Go by rows; the end is followed once one is there."""
        top = max(0, min(self.scroll_offset.y + rows, self.row_count - self.page_rows))
        self._follows = rows > 0 and top >= self.row_count - self.page_rows
        self.scroll_to(y=top, animate=False)

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay()
        self.refresh()

    def notify_style_update(self) -> None:
        """Colours are part of the rows; whether they are others is seen when the rows are next asked for."""
        super().notify_style_update()
        self._look = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        rows, look = self._drawn()
        row = y + self.scroll_offset.y
        strip = rows.strip(row) if rows is not None and row < rows.height else Strip([])
        return strip.crop_extend(0, self.scrollable_content_region.width, look.base).apply_style(look.base)

    def _drawn(self) -> tuple[Rows | None, SummaryLook]:
        """The rows for the width and the colours there are now."""
        look = self._look = self._look or SummaryLook.of(self)
        width = self.scrollable_content_region.width
        if self._page is None or not self.is_mounted or width <= 0:
            self._rows, self._drawn_for = None, None
        elif self._drawn_for != (width, look):
            self._rows, self._drawn_for = self._page.draw(width, look), (width, look)
        return self._rows, look

    def _lay(self) -> None:
        self._drawn()
        self.virtual_size = Size(self.scrollable_content_region.width, self.row_count)
        end = max(0, self.row_count - self.page_rows)
        self.scroll_to(y=end if self._follows else min(self.scroll_offset.y, end), animate=False)
        bar = self.vertical_scrollbar
        bar.window_virtual_size, bar.window_size, bar.position = self.row_count, self.page_rows, self.scroll_offset.y

    def _repaint_from(self, row: int) -> None:
        top = self.scroll_offset.y
        first = max(row, top)
        if (count := top + self.page_rows - first) > 0:
            self.refresh_lines(first, count)
