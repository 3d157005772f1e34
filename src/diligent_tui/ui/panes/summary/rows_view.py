"""A list with a cursor: versions, or facts under headings; only what is in sight is drawn."""

from typing import ClassVar, Protocol

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.ui.panes.summary.look import SummaryLook
from diligent_tui.ui.widgets.cursor_row import lit, standing


class Listing(Protocol):
    """Things to list, each as tall as the others."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    @property
    def rows_each(self) -> int:
        """How many rows each takes."""
        ...

    def may_stand(self, place: int) -> bool:
        """Whether the cursor may stand there; not on a heading."""
        ...

    def draw(self, place: int, row: int, width: int, look: SummaryLook, *, is_cursor: bool) -> Strip:
        """One row of one of them."""
        ...


class SummaryRows(ScrollView, can_focus=False):
    """A list of any length; its parent has the focus and the keys."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(SummaryLook.CLASSES)
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    SummaryRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorMoved(Message):
        """The cursor stands on something else."""

    def __init__(self, widget_id: str) -> None:
        """Nothing to list yet."""
        super().__init__(id=widget_id)
        self.cursor = 0
        self._key = ""
        self._listing: Listing | None = None
        self._look: SummaryLook | None = None

    @property
    def page_items(self) -> int:
        """How many things are in sight."""
        each = self._listing.rows_each if self._listing else 1
        return max(1, self.scrollable_content_region.height // each)

    def show(self, listing: Listing, key: str, cursor: int = 0) -> None:
        """Show things, with the cursor on one of them; those with the key of the ones before keep the cursor."""
        self._listing = listing
        self.virtual_size = Size(self.size.width, listing.count * listing.rows_each)
        self.cursor = self._standing(self.cursor if key == self._key else cursor, 1)
        self._key = key
        self._bring_into_sight()
        self.refresh()

    def step(self, step: int) -> None:
        """Go by things, over headings."""
        self.put_cursor(self.cursor + step, 1 if step > 0 else -1)

    def go_to_last(self) -> None:
        """Put the cursor on the last of all."""
        if self._listing is not None:
            self.put_cursor(self._listing.count - 1, -1)

    def put_cursor(self, place: int, direction: int = 1) -> None:
        """Put the cursor there, or beside it if it may not stand there."""
        place = self._standing(place, direction)
        if place != self.cursor:
            self.cursor = place
            self._bring_into_sight()
            self.refresh()
            self.post_message(self.CursorMoved())

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and self._listing is not None:
            place = (offset.y + self.scroll_offset.y) // self._listing.rows_each
            if place < self._listing.count and self._listing.may_stand(place):
                self.put_cursor(place)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._bring_into_sight()

    def notify_style_update(self) -> None:
        """Colours are looked up again."""
        super().notify_style_update()
        self._look = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        look = self._look = self._look or SummaryLook.of(self)
        width = self.scrollable_content_region.width
        listing = self._listing
        place, row = divmod(y + self.scroll_offset.y, listing.rows_each if listing else 1)
        if listing is None or place >= listing.count:
            return Strip.blank(width, look.base)
        is_worked_in = isinstance(self.parent, Widget) and self.parent.has_focus_within
        is_cursor = is_worked_in and place == self.cursor and listing.may_stand(place)
        strip = listing.draw(place, row, width, look, is_cursor=is_cursor).crop_extend(0, width, None)
        return lit(strip, look.base, look.cursor) if is_cursor else strip.apply_style(look.base)

    def _standing(self, place: int, direction: int) -> int:
        listing = self._listing
        if listing is None:
            return 0
        return standing(place, listing.count, direction, listing.may_stand)

    def _bring_into_sight(self) -> None:
        if self._listing is None:
            return
        each, top, height = self._listing.rows_each, self.scroll_offset.y, self.scrollable_content_region.height
        # The heading of a group is seen with its first fact.
        first = self.cursor - 1 if self.cursor and not self._listing.may_stand(self.cursor - 1) else self.cursor
        if first * each < top:
            self.scroll_to(y=first * each, animate=False)
        elif (self.cursor + 1) * each > top + height:
            self.scroll_to(y=(self.cursor + 1) * each - height, animate=False)
