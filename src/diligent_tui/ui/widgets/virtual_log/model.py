"""The log without a screen: blocks, what is in sight, the block cursor, and what arrived out of sight."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Generic

from diligent_tui.ui.widgets.virtual_log.blocks import BlockList, BlockT, Place
from diligent_tui.ui.widgets.virtual_log.viewport import Viewport, nearest_outside


class LogModel(Generic[BlockT]):
    """What a log shows and where; changes are cheap, and `settle` afterwards measures what came into sight."""

    def __init__(
        self,
        estimate: Callable[[BlockT, int, bool], int],
        measure: Callable[[BlockT, int, bool], int],
        starts_folded: Callable[[BlockT], bool],
    ) -> None:
        """Take how to guess and how to find the rows of a block at a width, open or folded."""
        self.blocks = BlockList(estimate, measure, starts_folded)
        self.cursor_id: str | None = None
        self._view = Viewport(self.blocks)
        # Ordered by arrival, and a set in all but name.
        self._unseen: dict[str, None] = {}

    @property
    def top(self) -> int:
        """The first row on screen, as of the last `settle`."""
        return self._view.top

    @property
    def height(self) -> int:
        """How many rows the screen has."""
        return self._view.height

    @property
    def total_rows(self) -> int:
        """All rows, the guessed ones included."""
        return self.blocks.total_rows

    @property
    def is_following(self) -> bool:
        """Whether the end stays in sight as rows arrive."""
        return self._view.is_following

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        return self._view.is_at_end

    @property
    def is_cursor_in_sight(self) -> bool:
        """Whether any row of the block under the cursor is on screen, as of the last `settle`."""
        index = None if self.cursor_id is None else self.blocks.index_of(self.cursor_id)
        if index is None or not self.blocks.height(index):
            return False
        return self.blocks.start(index) < self.top + self.height and self.blocks.end(index) > self.top

    @property
    def new_below(self) -> int:
        """How many blocks came or grew below the screen since it stopped following."""
        return len(self._unseen)

    def settle(self) -> None:
        """Measure what is in sight, find the top row, and note what has been seen."""
        self._view.settle()
        if not self._unseen:
            return
        if self.is_at_end:
            self._unseen.clear()
            return
        bottom = self.top + self.height
        for index in {place.block_index for place in self.rows()}:
            if self.blocks.end(index) <= bottom:
                self._unseen.pop(self.blocks[index].id, None)

    def rows(self) -> Iterator[Place]:
        """The places on screen, from the top."""
        return self._view.rows()

    def extend(self, blocks: Iterable[BlockT]) -> None:
        """Add blocks at the end; a known id is replaced where it stands."""
        blocks = list(blocks)
        self._put(len(self.blocks), blocks)
        self._note_new(blocks)

    def insert(self, index: int, blocks: Iterable[BlockT]) -> None:
        """Put blocks before an index, such as history loaded later; they do not count as new."""
        self._put(index, list(blocks))

    def remove(self, block_ids: Collection[str]) -> None:
        """Take blocks away; cursor and held row go to a neighbour."""
        self._view.leave(block_ids)
        if self.cursor_id is not None and self.cursor_id in block_ids:
            self.cursor_id = nearest_outside(self.blocks, self.cursor_id, block_ids)
        self.blocks.remove(block_ids)
        for block_id in block_ids:
            self._unseen.pop(block_id, None)

    def clear(self) -> None:
        """Take everything away and follow the end again."""
        self.blocks.clear()
        self.cursor_id = None
        self._unseen.clear()
        self._view.follow()

    def set_folded(self, block_id: str, folded: bool) -> bool:
        """Fold or open a block without moving the held row; says whether that changed anything."""
        self._view.keep_line_of(block_id)
        return self.blocks.set_folded(block_id, folded)

    def fold_in_place(self, block_id: str, folded: bool) -> bool:
        """Fold or open a block at its reader's wish: its first line stays on the screen, and what opens is shown."""
        return self._view.fold_in_place(block_id, folded)

    def resize(self, width_cells: int, height_rows: int) -> None:
        """Wrap for another screen; one who works at a block goes on seeing it."""
        if (width_cells, height_rows) == (self.blocks.width, self.height):
            return
        worked_at = self.cursor_id if self._sees_cursor() else None
        self._view.resize(width_cells, height_rows)
        if worked_at is not None:
            self.reveal(worked_at)

    def scroll_by(self, rows: int) -> None:
        """Move by true rows; reaching the end follows it."""
        self._view.scroll_by(rows)

    def scroll_to(self, row: int) -> None:
        """Jump to a row as the scrollbar counts them."""
        self._view.scroll_to(row)

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._view.follow()

    def reveal(self, block_id: str, line: int = 0, rows: int | None = None) -> None:
        """Bring a block, or some rows of it, into sight."""
        index = self.blocks.index_of(block_id)
        if index is not None:
            self._view.reveal(index, line, self.blocks.measure(index) - line if rows is None else rows)

    def move_cursor(self, step: int, wanted: Callable[[BlockT], bool] | None = None) -> str | None:
        """Put the cursor on the next (+1) or previous (-1) block that is wanted; None when there is none."""
        index = self._cursor_index(step)
        while 0 <= index < len(self.blocks):
            block = self.blocks[index]
            if (wanted is None or wanted(block)) and self.blocks.measure(index):
                self.put_cursor(block.id)
                return block.id
            index += step
        return None

    def put_cursor(self, block_id: str | None) -> None:
        """Put the cursor on a block and bring that into sight, or take the cursor away."""
        self.cursor_id = block_id if block_id is not None and block_id in self.blocks else None
        if self.cursor_id is not None:
            self.reveal(self.cursor_id)

    def _sees_cursor(self) -> bool:
        """Whether the head of the block under the cursor is in sight; whoever follows the end looks there."""
        index = None if self.cursor_id is None or self.is_following else self.blocks.index_of(self.cursor_id)
        return index is not None and self.top <= self.blocks.start(index) < self.top + self.height

    def _cursor_index(self, step: int) -> int:
        current = None if self.cursor_id is None else self.blocks.index_of(self.cursor_id)
        if current is not None and self.is_cursor_in_sight:
            return current + step
        in_sight = [place.block_index for place in self.rows()]
        if not in_sight:
            return -1
        return in_sight[0] if step > 0 else in_sight[-1]

    def _put(self, index: int, blocks: Sequence[BlockT]) -> None:
        held_id = self._view.held_id
        if held_id is not None and any(block.id == held_id for block in blocks):
            self._view.keep_line_of(held_id)
        self.blocks.insert(index, blocks)

    def _note_new(self, blocks: Iterable[BlockT]) -> None:
        if self.is_following:
            return
        first_in_sight = self.blocks.at(self.top).block_index
        for block in blocks:
            index = self.blocks.index_of(block.id)
            if index is not None and index >= first_in_sight:
                self._unseen[block.id] = None
