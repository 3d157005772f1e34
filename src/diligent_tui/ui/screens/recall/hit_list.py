"""The hits, best first, with a cursor that is always in sight."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from diligent_tui.domain.times import Clock
from diligent_tui.ui.screens.recall.found import Asked, Found
from diligent_tui.ui.screens.recall.rows import draw_hit

ROWS_EACH = 2
CURSOR = "on $cursor"


class HitList(Widget, can_focus=False):
    """Shows what was found; painted for the room it has."""

    class Moved(Message):
        """Another hit is under the cursor."""

    class Chosen(Message):
        """The hit under the cursor was clicked twice."""

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing found."""
        super().__init__(id="recall-hits", markup=False)
        self._clock = clock
        self._hits: Sequence[Found] = ()
        self._asked = Asked()
        self._cursor = 0
        self._top = 0

    @property
    def hits(self) -> Sequence[Found]:
        """What is listed now."""
        return self._hits

    @property
    def chosen(self) -> Found | None:
        """The hit under the cursor."""
        return self._hits[self._cursor] if self._hits else None

    @property
    def place(self) -> int:
        """The number of the cursor's hit, from 1."""
        return self._cursor + 1

    @property
    def page(self) -> int:
        """How many hits are in sight."""
        return max(1, self.size.height // ROWS_EACH)

    def show(self, hits: Sequence[Found], asked: Asked) -> None:
        """List these, with the cursor on the best."""
        self._hits, self._asked = hits, asked
        self._cursor = self._top = 0
        self.refresh()
        self.post_message(self.Moved())

    def move(self, steps: int) -> None:
        """Move the cursor."""
        place = max(0, min(self._cursor + steps, len(self._hits) - 1))
        if place != self._cursor:
            self._cursor = place
            self.refresh()
            self.post_message(self.Moved())

    def render(self) -> Content:
        """The rows in sight."""
        width = self.size.width
        self._top = max(min(self._top, self._cursor), self._cursor - self.page + 1, 0)
        rows: list[Content] = []
        for place in range(self._top, min(self._top + self.page, len(self._hits))):
            is_cursor = place == self._cursor
            drawn = draw_hit(self._hits[place], self._asked, self._clock(), width, is_cursor=is_cursor)
            rows += [_lit(row, width) for row in drawn] if is_cursor else drawn
        return Content("\n").join(rows)

    def on_click(self, event: events.Click) -> None:
        """A click goes there; a second one chooses."""
        place = self._top + event.y // ROWS_EACH
        if not 0 <= place < len(self._hits):
            return
        if event.chain > 1 and place == self._cursor:
            self.post_message(self.Chosen())
        else:
            self.move(place - self._cursor)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.move(-1)


def _lit(row: Content, width: int) -> Content:
    return row.pad_right(width - row.cell_length).stylize_before(CURSOR)
