"""A stretch of shown text, from one block, line and column to another, and the text in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from diligent_tui.ui.widgets.virtual_log.blocks import BlockList, BlockT


class Position(NamedTuple):
    """A point in the shown text; the column counts characters after the gutter."""

    block_id: str
    line: int
    column: int


class Spot(NamedTuple):
    """A position with its block's present index, so that spots compare in reading order."""

    block_index: int
    line: int
    column: int


class Stretch(NamedTuple):
    """The spots of a selection in reading order; the last is not part of it."""

    first: Spot
    last: Spot

    def span(self, index: int, line: int) -> tuple[int, int | None] | None:
        """The selected columns of a line; an end of None means to its end."""
        if not (self.first[:2] <= (index, line) <= self.last[:2]):
            return None
        start = self.first.column if (index, line) == self.first[:2] else 0
        end = self.last.column if (index, line) == self.last[:2] else None
        return None if end is not None and end <= start else (start, end)

    def text(self, lines_of: Callable[[int], Sequence[str]]) -> str:
        """The selected text, given the shown lines of a block by index."""
        texts: list[str] = []
        for index in range(self.first.block_index, self.last.block_index + 1):
            for line, text in enumerate(lines_of(index)):
                if self.first[:2] <= (index, line) <= self.last[:2]:
                    start, end = self.span(index, line) or (0, 0)
                    texts.append(text[start:end].rstrip())
        return "\n".join(texts)


@dataclass(frozen=True, slots=True)
class TextSelection:
    """Where selecting began, and where it has come to."""

    anchor: Position
    head: Position

    def stretch(self, blocks: BlockList[BlockT]) -> Stretch | None:
        """The selection in reading order; None when a block of it is gone or nothing lies between."""
        anchor, head = _spot(blocks, self.anchor), _spot(blocks, self.head)
        if anchor is None or head is None or anchor == head:
            return None
        return Stretch(min(anchor, head), max(anchor, head))


def step_lines(blocks: BlockList[BlockT], position: Position, rows: int) -> Position:
    """The position some rows further, across blocks, ending at the first or last row."""
    found = blocks.index_of(position.block_id)
    if found is None:
        return position
    index, line = found, position.line + rows
    while line < 0 and index > 0:
        index -= 1
        line += blocks.measure(index)
    while line >= blocks.measure(index) and index < len(blocks) - 1:
        line -= blocks.measure(index)
        index += 1
    return Position(blocks[index].id, max(0, min(line, blocks.measure(index) - 1)), position.column)


def step_columns(
    blocks: BlockList[BlockT], position: Position, columns: int, length: Callable[[Position], int]
) -> Position:
    """The position one character on or back, going over to the neighbouring line at an edge."""
    column = position.column + columns
    if column < 0:
        above = step_lines(blocks, position, -1)
        return position._replace(column=0) if above == position else above._replace(column=length(above))
    if column > length(position):
        below = step_lines(blocks, position, 1)
        return position if below == position else below._replace(column=0)
    return position._replace(column=column)


def _spot(blocks: BlockList[BlockT], position: Position) -> Spot | None:
    index = blocks.index_of(position.block_id)
    return None if index is None else Spot(index, position.line, position.column)
