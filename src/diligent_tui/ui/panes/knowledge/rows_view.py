"""The list on screen."""

from collections.abc import Sequence
from typing import ClassVar

from textual.geometry import Size
from textual.strip import Strip

from diligent_tui.domain.times import Clock
from diligent_tui.ui.panes.knowledge.drawing import Painting, draw_row
from diligent_tui.ui.panes.knowledge.listing import BudgetRow, Row
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.widgets.cursor_rows import CursorRows


class KnowledgeRows(CursorRows[Painting]):
    """Entries or candidates; the cursor passes over the budget's line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(KnowledgeLook.CLASSES)

    def __init__(self, clock: Clock) -> None:
        """Nothing to show yet."""
        super().__init__("knowledge-rows")
        self.rows: Sequence[Row] = ()
        self.new_ids: frozenset[str] = frozenset()
        self.words: tuple[str, ...] = ()
        self._places: dict[str, int] = {}
        self._clock = clock

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor."""
        place = self._places.get(self.cursor_id or "")
        return None if place is None else self.rows[place]

    def id_at(self, place: int) -> str:
        """The row's key."""
        return self.rows[place].key

    def may_stand(self, place: int) -> bool:
        """Not on the budget's line."""
        return not isinstance(self.rows[place], BudgetRow)

    def show(self, rows: Sequence[Row]) -> None:
        """Show other rows; the cursor stays on its row, or near its place if that is gone."""
        self.rows = rows
        self._places = {row.key: place for place, row in enumerate(rows)}
        self.virtual_size = Size(self.size.width, len(rows))
        self.cursor_id = None if not rows else self.cursor_id
        self.put_cursor(self._places.get(self.cursor_id or "", self.cursor))
        self.refresh()

    def go_to(self, key: str) -> bool:
        """Put the cursor on a row; False if it is not listed."""
        place = self._places.get(key)
        if place is not None:
            self.put_cursor(place)
        return place is not None

    def begin_paint(self) -> Painting:
        """The styles, the time, and what is marked."""
        return Painting(
            self.scrollable_content_region.width,
            KnowledgeLook.of(self),
            self._clock(),
            self.cursor_id if self.is_worked_in else None,
            self.new_ids,
            self.words,
        )

    def draw(self, place: int, paint: Painting) -> Strip:
        """One row."""
        return draw_row(self.rows[place], paint)
