"""The palette's list: what was found, with a cursor that is always in sight."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from diligent_tui.ui.screens.palette.rows import Row, draw_row, rows_of
from diligent_tui.ui.screens.palette.things import Section, Thing


class PaletteList(Widget, can_focus=False):
    """Shows sections; painted for the room it has."""

    class Chosen(Message):
        """The thing under the cursor was clicked twice."""

    def __init__(self) -> None:
        """Begin with nothing found."""
        super().__init__(id="palette-list", markup=False)
        self._rows: tuple[Row, ...] = ()
        self._words = ""
        self._cursor = 0
        self._top = 0

    @property
    def chosen(self) -> Thing | None:
        """The thing under the cursor."""
        return self._rows[self._cursor].thing if self._cursor < len(self._rows) else None

    @property
    def page(self) -> int:
        """How many rows are in sight."""
        return max(1, self.size.height)

    def show(self, sections: Sequence[Section], words: str) -> None:
        """List these; other words put the cursor on the best, more things for the same words leave it on its own."""
        kept = self.chosen if words == self._words else None
        self._rows, self._words = rows_of(sections), words
        best = 1 if self._rows else 0
        self._cursor = next((place for place, row in enumerate(self._rows) if row.thing and row.thing == kept), best)
        self._top = self._top if kept is not None else 0
        self.refresh()

    def move(self, steps: int) -> None:
        """Move the cursor by things; heads of sections are passed over."""
        things = [place for place, row in enumerate(self._rows) if row.thing]
        if things:
            at = things.index(self._cursor) if self._cursor in things else 0
            self._cursor = things[max(0, min(at + steps, len(things) - 1))]
            self.refresh()

    def next_section(self) -> None:
        """Put the cursor on the first thing of the next section, round the end."""
        heads = [place for place, row in enumerate(self._rows) if row.thing is None]
        if heads:
            self._cursor = next((place for place in heads if place > self._cursor), heads[0]) + 1
            self.refresh()

    def render(self) -> Content:
        """The rows in sight; the head above the first thing stays with it."""
        width = self.size.width
        first = self._cursor - 1 if self._cursor and self._rows[self._cursor - 1].thing is None else self._cursor
        self._top = max(min(self._top, first), self._cursor - self.page + 1, 0)
        shown = range(self._top, min(self._top + self.page, len(self._rows)))
        return Content("\n").join(
            [draw_row(self._rows[place], self._words, width, is_cursor=place == self._cursor) for place in shown]
        )

    def on_click(self, event: events.Click) -> None:
        """A click goes there; a second one chooses."""
        place = self._top + event.y
        if place < len(self._rows) and self._rows[place].thing is not None:
            self._cursor = place
            self.refresh()
            if event.chain > 1:
                self.post_message(self.Chosen())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.move(-1)
