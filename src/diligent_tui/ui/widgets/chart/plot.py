"""Draws values as an area or as bars over an axis with marks: from data to rows of cells, and nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diligent_tui.ui.widgets.chart.cells import BLANK, BLOCKS, MARK_KINDS, Glyphs, MarkKind, Piece, Role, Row, joined
from diligent_tui.ui.widgets.chart.columns import WIDEST_BAR, Pick, barred, nice_top, picked, stretched

LABEL_COLUMNS = 7
LEAST_ROWS_WITH_MIDDLE = 6
MOST_ASIDE = 3
"""So many columns a mark moves aside for weightier ones; further off it would tell of another place."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened before an item."""

    at: int
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class Plot:
    """Values and how to show them; one that is unknown leaves its place empty."""

    values: Sequence[float | None]
    label: Callable[[float], str]
    top: float | None = None
    """The value of the highest row; a round number above the highest column if none is given."""
    is_area: bool = False
    pick: Pick = "mean"
    least_top: float = 0.0
    """A round number is no lower than this, however low the columns are."""
    limit: float | None = None
    """Where a line, with its own label, says that no more fits."""
    marks: Sequence[Mark] = ()
    chosen: range = range(0)
    """Items to point at."""
    is_last_apart: bool = False
    """Whether the last item of an area has a column of its own, however many items there are."""


def draw_plot(plot: Plot, width: int, height: int, glyphs: Glyphs = BLOCKS) -> list[Row]:
    """`height` rows with labels at the left, and the axis below them."""
    room = max(1, width - LABEL_COLUMNS - 1)
    count = len(plot.values)
    columns = _area(count, room, plot.is_last_apart) if plot.is_area else barred(count, room)
    heights = [picked(plot.values, items, plot.pick) for items in columns]
    is_chosen = [_meet(items, plot.chosen) for items in columns]
    highest = max((value for value in heights if value is not None), default=0.0)
    top = plot.top or max(plot.least_top, nice_top(highest))
    labels = _labels(plot, top, height)
    rows: list[Row] = []
    for row in range(height):
        floor = (height - 1 - row) * 8
        limit_here = plot.limit is not None and _row_of(plot.limit, top, height) == row
        cells: Row = [
            _cell(value, top, height * 8, floor, chosen, limit_here, glyphs)
            for value, chosen in zip(heights, is_chosen, strict=True)
        ]
        rest: Piece = (glyphs.limit, "dim") if limit_here else BLANK
        cells += [rest] * (room - len(cells))
        rows.append(joined([*_label(labels.get(row, "")), (glyphs.wall, "axis"), *cells]))
    return [*rows, _axis(plot, columns, is_chosen, room, glyphs)]


def sparkline(values: Sequence[float | None], columns: int, top: float | None = None, glyphs: Glyphs = BLOCKS) -> str:
    """One row that shows how values went, newest at the right; never more columns than values."""
    if not values or columns < 1:
        return ""
    shown = [picked(values, items, "max") for items in stretched(len(values), min(columns, len(values)))]
    highest = top or max((value for value in shown if value is not None), default=0.0) or 1.0
    return "".join(glyphs.levels[_eighths(value, highest, 8)] for value in shown)


def _area(count: int, room: int, is_last_apart: bool) -> list[range]:
    if is_last_apart and count > room > 1:
        return [*stretched(count - 1, room - 1), range(count - 1, count)]
    return stretched(count, min(room, count * WIDEST_BAR))


def _cell(
    value: float | None, top: float, eighths: int, floor: int, is_chosen: bool, is_limit: bool, glyphs: Glyphs
) -> Piece:
    level = max(0, min(8, _eighths(value, top, eighths) - floor))
    if not level:
        return (glyphs.limit, "dim") if is_limit else BLANK
    role: Role = "chosen" if is_chosen else "bar"
    return glyphs.levels[level], role


def _eighths(value: float | None, top: float, eighths: int) -> int:
    """How many eighths of a cell are filled; what is there at all shows."""
    if value is None or value <= 0:
        return 0
    return max(1, min(eighths, round(eighths * value / top)))


def _row_of(value: float, top: float, height: int) -> int:
    return max(0, min(height - 1, height - 1 - int(value / top * height * (1 - 1e-9))))


def _label(words: str) -> Row:
    """Right-aligned; the room before it is a piece of its own, as every blank is."""
    return [(" " * (LABEL_COLUMNS - len(words)), "text"), (words, "dim")]


def _labels(plot: Plot, top: float, height: int) -> dict[int, str]:
    """By their rows; each is the value that its row has, and where two have one row the more important is told."""
    scale = top if plot.limit is None else plot.limit
    values = [top]
    if height >= LEAST_ROWS_WITH_MIDDLE and not height % 2:
        values = [scale / 2, top]
    if plot.limit is not None:
        values.append(plot.limit)
    said = {_row_of(value, top, height): plot.label(value) for value in values}
    # A number without its end is another number.
    return {row: words for row, words in said.items() if len(words) <= LABEL_COLUMNS}


def _axis(plot: Plot, columns: Sequence[range], is_chosen: Sequence[bool], room: int, glyphs: Glyphs) -> Row:
    pointer: Piece = (glyphs.chosen, "accent")
    floor: Piece = (glyphs.floor, "axis")
    cells: Row = [*(pointer if chosen else floor for chosen in is_chosen)]
    cells += [floor] * (room - len(cells))
    taken: set[int] = set()
    for mark in sorted(plot.marks, key=lambda each: MARK_KINDS.index(each.kind)):
        column = _free_beside(_column_of(mark.at, columns), taken, room)
        if column is not None:
            taken.add(column)
            cells[column] = (glyphs.mark(mark.kind), "memory")
    return joined([*_label("0"), (glyphs.corner, "axis"), *cells])


def _column_of(item: int, columns: Sequence[range]) -> int:
    """The first column that has the item; what comes after the last item stands in the last column."""
    return next((column for column, items in enumerate(columns) if item in items), max(0, len(columns) - 1))


def _free_beside(column: int, taken: set[int], room: int) -> int | None:
    """The nearest column without a mark, all on the right before those on the left; None if all around have one."""
    # What came later stands further to the right, so that an undo is not read as something before its compaction.
    near = (*range(column, column + MOST_ASIDE + 1), *range(column - 1, column - MOST_ASIDE - 1, -1))
    return next((place for place in near if 0 <= place < room and place not in taken), None)


def _meet(items: range, chosen: range) -> bool:
    return items.start < chosen.stop and chosen.start < items.stop
