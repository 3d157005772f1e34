"""Lays tables out in columns that fit the width, again only when a column's width changes."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment

from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.layout import Frame
from diligent_tui.ui.markdown.leaves import Alignment, TableLeaf
from diligent_tui.ui.markdown.look import MarkdownLook
from diligent_tui.ui.markdown.wrap import Row, break_text, join, row_cells, rows_of

GAP_CELLS = 2
LEAST_COLUMN_CELLS = 4
MOST_MEASURED_CELLS = 600  # table cells; those after them are wrapped to the columns that these have made
Cells = list[list[Span]]


class TableLayout:
    """The rows of a growing table."""

    def __init__(self, leaf: TableLeaf, frame: Frame, start: int, look: MarkdownLook) -> None:
        """Begin at row `start`."""
        self.leaf = leaf
        self._frame = frame
        self._start = start
        self._look = look
        self._natural = [_natural_cells(cell) for cell in leaf.header]
        self._widths: list[int] = []
        self._measured = self._laid_out = 0
        self._gap = Segment(" " * GAP_CELLS, look.text)

    def refresh(self, rows: list[Row]) -> int:
        """Bring the leaf's rows up to date and say which is the first that changed."""
        count = len(self.leaf.alignments)
        if count * (LEAST_COLUMN_CELLS + GAP_CELLS) - GAP_CELLS > self._frame.room:
            return self._refresh_records(rows)
        most = max(1, MOST_MEASURED_CELLS // count)
        while self._measured < min(len(self.leaf.rows), most):
            for column, cell in enumerate(self.leaf.rows[self._measured]):
                self._natural[column] = max(self._natural[column], _natural_cells(cell))
            self._measured += 1
        widths = fair_widths(self._natural, self._frame.room - GAP_CELLS * (count - 1))
        first = len(rows)
        if widths != self._widths:
            self._widths, self._laid_out = widths, 0
            del rows[self._start :]
            first = len(rows)
            self._add(rows, self.leaf.header)
            rule = (" " * GAP_CELLS).join("─" * width for width in widths)
            rows.append([*self._frame.rest, Segment(rule, self._look.text + self._look.table_rule)])
        for cells in self.leaf.rows[self._laid_out :]:
            self._add(rows, cells)
        self._laid_out = len(self.leaf.rows)
        return first

    def _add(self, rows: list[Row], cells: Cells) -> None:
        columns = [_wrapped(cell, width) for cell, width in zip(cells, self._widths, strict=True)]
        for index in range(max(map(len, columns))):
            row: Row = list(self._frame.first if len(rows) == self._start else self._frame.rest)
            pad = 0
            for column, width, alignment in zip(columns, self._widths, self.leaf.alignments, strict=True):
                text = column[index] if index < len(column) else []
                before, after = _padding(width - row_cells(text), alignment)
                if text:
                    join(row, " " * (pad + before), self._look.text)
                    for part, style, _ in text:
                        join(row, part, style or self._look.text)
                    pad = after + GAP_CELLS
                else:
                    pad += width + GAP_CELLS
            rows.append(row)

    def _refresh_records(self, rows: list[Row]) -> int:
        """With more columns than fit, each row becomes a list of its cells, one below the other, with their names."""
        first = len(rows)
        if not self._laid_out:
            # Until the first row is there the names stand alone.
            del rows[self._start :]
            first = self._start
        if not self.leaf.rows:
            self._add_record(rows, self.leaf.header)
        for cells in self.leaf.rows[self._laid_out :]:
            if len(rows) > self._start:
                rule = Segment("─" * self._frame.room, self._look.text + self._look.table_rule)
                rows.append([*self._frame.rest, rule])
            self._add_record(rows, [self._named(*each) for each in zip(self.leaf.header, cells, strict=True)])
        self._laid_out = len(self.leaf.rows)
        return first

    def _named(self, name: list[Span], cell: list[Span]) -> list[Span]:
        return [*name, Span(": " if cell else ":", self._look.text), *cell] if name else cell

    def _add_record(self, rows: list[Row], cells: Cells) -> None:
        for cell in cells:
            for row in _wrapped(cell, self._frame.room):
                rows.append([*(self._frame.first if len(rows) == self._start else self._frame.rest), *row])


def fair_widths(natural: Sequence[int], room: int) -> list[int]:
    """Widths that fit the room: narrow columns keep theirs, wide ones share what is left."""
    widths = [max(width, 1) for width in natural]
    if sum(widths) <= room:
        return widths
    left, order = room, sorted(range(len(widths)), key=widths.__getitem__)
    for done, column in enumerate(order):
        share = left // (len(order) - done)
        widths[column] = max(1, min(widths[column], share))
        left -= widths[column]
    return widths


def _natural_cells(cell: Sequence[Span]) -> int:
    return sum(cell_len(span.text) for span in cell)


def _wrapped(cell: Sequence[Span], width: int) -> list[Row]:
    text = "".join([span.text for span in cell])
    return rows_of(cell, break_text(text, width), width) or [[]]


def _padding(blank_cells: int, alignment: Alignment) -> tuple[int, int]:
    match alignment:
        case "left":
            return 0, blank_cells
        case "right":
            return blank_cells, 0
        case "center":
            return blank_cells // 2, blank_cells - blank_cells // 2
