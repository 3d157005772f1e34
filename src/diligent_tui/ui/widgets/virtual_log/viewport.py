"""Which rows are on screen: following the end, or holding one row in place whatever happens around it."""

from collections.abc import Collection, Iterator
from typing import Generic, NamedTuple

from diligent_tui.ui.widgets.virtual_log.blocks import BlockList, BlockT, Place


class Anchor(NamedTuple):
    """The line held at the top of the screen."""

    block_id: str
    line: int
    of_height: int | None = None
    """The block's height when the line was chosen, if its text has been wrapped anew since."""

    def line_in(self, height_rows: int) -> int:
        """The line to show at the top, now that the block has this height."""
        line = self.line * height_rows // self.of_height if self.of_height else self.line
        return max(0, min(line, height_rows - 1))


class Viewport(Generic[BlockT]):
    """A screenful of rows over a list of blocks; only blocks that come into it are measured."""

    def __init__(self, blocks: BlockList[BlockT]) -> None:
        """Begin at the end, following it."""
        self.top = 0
        self.height = 1
        self._blocks = blocks
        self._anchor: Anchor | None = None

    @property
    def is_following(self) -> bool:
        """Whether the end stays in sight as rows arrive."""
        return self._anchor is None

    @property
    def held_id(self) -> str | None:
        """The block whose line is held at the top, if one is."""
        return None if self._anchor is None else self._anchor.block_id

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        return self.top >= self._blocks.total_rows - self.height

    def settle(self) -> None:
        """Measure every block in sight and find the top row."""
        blocks = self._blocks
        index = None if self._anchor is None else blocks.index_of(self._anchor.block_id)
        if self._anchor is None or index is None:
            self.follow()
            self._measure_up(len(blocks), self.height)
            self.top = max(0, blocks.total_rows - self.height)
            return
        line = self._anchor.line_in(blocks.measure(index))
        self._measure_screen(index, line)
        if blocks.start(index) + line > blocks.total_rows - self.height:
            self._measure_up(len(blocks), self.height)
        self.top = max(0, min(blocks.start(index) + line, blocks.total_rows - self.height))

    def rows(self) -> Iterator[Place]:
        """The places on screen, from the top; fewer than the height when the log is shorter."""
        blocks = self._blocks
        left = min(self.height, blocks.total_rows - self.top)
        index, line = blocks.at(self.top)
        while left > 0:
            for row in range(line, min(blocks.height(index), line + left)):
                yield Place(index, row)
                left -= 1
            index, line = index + 1, 0

    def follow(self) -> None:
        """Stay at the end from now on."""
        self._anchor = None

    def scroll_by(self, rows: int) -> None:
        """Move by true rows, measuring what is passed over so that none is skipped."""
        self.settle()
        if not len(self._blocks):
            return
        index, line = self._blocks.at(self.top)
        if rows < 0:
            self._measure_up(index, -rows - line)
        else:
            self._measure_down(index, line + rows + self.height)
        self._stand_at_row(self._blocks.start(index) + line + rows)
        self.settle()

    def scroll_to(self, row: int) -> None:
        """Jump to a row as the scrollbar counts them, guessed heights included."""
        blocks = self._blocks
        if row >= blocks.total_rows - self.height:
            self.follow()
        else:
            index, line = blocks.at(row)
            guessed = blocks.height(index)
            self._stand_at(index, line * blocks.measure(index) // guessed if guessed else 0)
        self.settle()

    def reveal(self, index: int, line: int, rows: int) -> None:
        """Bring rows of a block into sight, moving as little as possible; too many for the screen: their first."""
        self.settle()
        blocks = self._blocks
        blocks.measure(index)
        first = blocks.start(index) + line
        if first < self.top or rows >= self.height:
            if first != self.top:
                self._stand_at(index, line)
        elif first + rows > self.top + self.height:
            self._measure_up(index, self.height)
            self._stand_at_row(blocks.start(index) + line + rows - self.height)
        self.settle()

    def fold_in_place(self, block_id: str, folded: bool) -> bool:
        """Fold or open a block with its first line staying on screen; what opens is shown as far as it fits."""
        self.settle()
        blocks = self._blocks
        index = blocks.index_of(block_id)
        if index is None:
            return False
        above = blocks.start(index) - self.top
        in_sight = above < self.height and blocks.end(index) > self.top
        self.keep_line_of(block_id)
        changed = blocks.set_folded(block_id, folded)
        if changed and in_sight:
            blocks.measure(index)
            self._stand_at_row(blocks.start(index) - max(0, above))
        if changed and not folded:
            self.reveal(index, 0, blocks.measure(index))
        self.settle()
        return changed

    def resize(self, width_cells: int, height_rows: int) -> None:
        """Wrap for another width and height, keeping the held line at about the same place of its text."""
        self.height = max(1, height_rows)
        if max(1, width_cells) == self._blocks.width:
            return
        anchor = self._anchor
        index = None if anchor is None else self._blocks.index_of(anchor.block_id)
        if anchor is not None and anchor.of_height is None and index is not None:
            self._anchor = Anchor(anchor.block_id, anchor.line, self._blocks.measure(index))
        self._blocks.rewrap(width_cells)

    def keep_line_of(self, block_id: str) -> None:
        """Before a block's content changes: hold the line itself, not its share of the old height."""
        anchor = self._anchor
        if anchor is None or anchor.block_id != block_id or anchor.of_height is None:
            return
        index = self._blocks.index_of(block_id)
        if index is not None:
            self._anchor = Anchor(block_id, anchor.line_in(self._blocks.height(index)))

    def leave(self, block_ids: Collection[str]) -> None:
        """Before blocks are removed: hold a neighbour if the held one is among them."""
        if self._anchor is None or self._anchor.block_id not in block_ids:
            return
        neighbour = nearest_outside(self._blocks, self._anchor.block_id, block_ids)
        self._anchor = None if neighbour is None else Anchor(neighbour, 0)

    def _stand_at_row(self, row: int) -> None:
        place = self._blocks.at(row)
        self._stand_at(place.block_index, place.line)

    def _stand_at(self, index: int, line: int) -> None:
        blocks = self._blocks
        self._measure_screen(index, line)
        row = blocks.start(index) + line
        if row >= blocks.total_rows - self.height:
            self.follow()
        else:
            # Asked again, since a block may turn out to have no rows and so nothing to hold.
            place = blocks.at(row)
            self._anchor = Anchor(blocks[place.block_index].id, place.line)

    def _measure_screen(self, index: int, line: int) -> None:
        # One row more than fits: only so is it sure whether the end is in sight, since a guess may be 0.
        self._measure_down(index, line + self.height + 1)

    def _measure_up(self, index: int, rows: int) -> None:
        while index > 0 and rows > 0:
            index -= 1
            rows -= self._blocks.measure(index)

    def _measure_down(self, index: int, rows: int) -> None:
        while index < len(self._blocks) and rows > 0:
            rows -= self._blocks.measure(index)
            index += 1


def nearest_outside(blocks: BlockList[BlockT], block_id: str, block_ids: Collection[str]) -> str | None:
    """The next block below that is not one of these, else the next above."""
    index = blocks.index_of(block_id)
    if index is None:
        return None
    for other in (*range(index + 1, len(blocks)), *range(index - 1, -1, -1)):
        if blocks[other].id not in block_ids:
            return blocks[other].id
    return None
