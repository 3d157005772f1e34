"""The palette's list: what was found, with a cursor that is always in sight."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from diligent_tui.ui.screens.palette.rows import Row, draw_row, rows_of
from diligent_tui.ui.screens.palette.things import Section, Thing
from diligent_tui.ui.widgets.cursor_row import lit_content

NO_MATCH = "No match. Try fewer letters, or a part of the name."


class PaletteList(Widget, can_focus=False):
    """Shows sections; painted for the room it has."""

    class Chosen(Message):
        """The thing under the cursor was clicked twice."""

    class Moved(Message):
        """Other things may be out of sight."""

    def __init__(self) -> None:
        """Begin with nothing found."""
        super().__init__(id="palette-list", markup=False)
        self._rows: tuple[Row, ...] = ()
        self._words = ""
        self._is_vain = False
        self._cursor = 0
        self._top = 0
        self._was_moved = False
        """Whether the user chose where the cursor is."""

    @property
    def chosen(self) -> Thing | None:
        """The thing under the cursor."""
        return self._rows[self._cursor].thing if self._cursor < len(self._rows) else None

    @property
    def page(self) -> int:
        """How many rows are in sight."""
        return max(1, self.size.height)

    @property
    def below(self) -> int:
        """How many things are out of sight below."""
        return sum(row.thing is not None for row in self._rows[self._in_sight().stop :])

    def show(self, sections: Sequence[Section], words: str, *, is_vain: bool = False) -> None:
        """List these with the cursor on the best; once it was moved, more things for the same words leave it there.

        `is_vain` is true if nothing more can come.
        """
        self._is_vain = is_vain
        if words != self._words:
            self._was_moved = False
        kept = self.chosen if self._was_moved else None
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
            self._go_to(things[max(0, min(at + steps, len(things) - 1))])

    def next_section(self) -> None:
        """Put the cursor on the first thing of the next section, round the end."""
        heads = [place for place, row in enumerate(self._rows) if row.thing is None]
        if heads:
            self._go_to(next((place for place in heads if place > self._cursor), heads[0]) + 1)

    def render(self) -> Content:
        """The rows in sight, or that there are none."""
        if not self._rows:
            return Content.styled(NO_MATCH if self._is_vain else "", "$dim")
        return Content("\n").join([self._draw(place) for place in self._in_sight()])

    def on_resize(self) -> None:
        """Another height has room for more or less."""
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """A click goes there; a second one chooses."""
        place = self._top + event.y
        if place < len(self._rows) and self._rows[place].thing is not None:
            self._go_to(place)
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

    def _go_to(self, place: int) -> None:
        self._cursor = place
        self._was_moved = True
        self.refresh()
        self.post_message(self.Moved())

    def _in_sight(self) -> range:
        """The rows there is room for; a head stands above its first thing, and never alone at the end."""
        first = self._cursor - 1 if self._cursor and self._rows[self._cursor - 1].thing is None else self._cursor
        self._top = max(min(self._top, first), self._cursor - self.page + 1, 0)
        end = min(self._top + self.page, len(self._rows))
        ends_with_head = end > self._cursor + 1 and self._rows[end - 1].thing is None
        return range(self._top, end - 1 if ends_with_head else end)

    def _draw(self, place: int) -> Content:
        is_cursor = place == self._cursor
        drawn = draw_row(self._rows[place], self._words, self.size.width, is_cursor=is_cursor)
        return lit_content(drawn, self) if is_cursor else drawn
