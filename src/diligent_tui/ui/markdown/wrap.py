"""Breaks styled text into rows of a given width in terminal cells, at words where it can."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style

from diligent_tui.ui.markdown.inline import Span

Row = list[Segment]
SINGLE_CELL_RANGES = ((0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x2FF), (0x370, 0x482), (0x2010, 0x2026), (0x2500, 0x25FC))
SINGLE_CELLS = frozenset(chr(code) for first, last in SINGLE_CELL_RANGES for code in range(first, last + 1))
NOT_FIRST_IN_ROW = frozenset("、。，．：；！？）」』】》〉”’")
ZERO_WIDTH_JOINER = "\u200d"
JOINERS = frozenset("\u200d\ufe0f")
TOO_WIDE = "…"  # stands for a character that is wider than the whole row


class Break(NamedTuple):
    """One row of a text: where it begins and ends, where the next one begins, and how much text told so."""

    begin: int
    end: int
    next: int
    seen: int


def break_text(text: str, width: int, is_soft: bool = False) -> list[Break]:
    """Where a text is to be broken; `is_soft` says that it goes on from a row that was full."""
    breaks: list[Break] = []
    position, length = 0, len(text)
    while position < length:
        if is_soft:
            while position < length and text[position] == " ":
                position += 1
            if position == length:
                break
        window = text[position : position + width + 1]
        newline = window.find("\n")
        if newline >= 0:
            window = window[:newline]
        if SINGLE_CELLS.issuperset(window):
            broken = _break_single(text, position, window, newline, width)
        else:
            broken = _break_graphemes(text, position, width)
        breaks.append(broken)
        is_soft = text[broken.next - 1] != "\n"
        position = broken.next
    return breaks


def _break_single(text: str, position: int, window: str, newline: int, width: int) -> Break:
    if newline >= 0:
        end = position + newline
        return Break(position, end, end + 1, end)
    if len(window) <= width:
        return Break(position, len(text), len(text), len(text))
    blank = window.rfind(" ")
    if blank > 0:
        return Break(position, position + blank, position + blank + 1, position + width)
    return Break(position, position + width, position + width, position + width)


def _break_graphemes(text: str, position: int, width: int) -> Break:
    most = 4 * width + 16  # characters in a row, for those who pile up marks without width
    newline = text.find("\n", position, position + most)
    window = text[position : newline if newline >= 0 else position + most]
    cells, chance, was_wide = 0, 0, False
    for begin, end, size in split_graphemes(window)[0]:
        character = window[begin]
        if begin and (was_wide or size > 1) and character not in NOT_FIRST_IN_ROW and character != " ":
            chance = begin
        if character == " ":
            chance = begin
        if cells + size > width:
            cut = chance or begin or end
            skip = 1 if window[cut : cut + 1] == " " else 0
            return Break(position, position + cut, position + cut + skip, position + (begin or end))
        cells += size
        was_wide = size > 1
    if newline >= 0:
        return Break(position, newline, newline + 1, newline)
    if len(window) < most:
        return Break(position, len(text), len(text), len(text))
    return Break(position, position + most, position + most, position + most)


def chop_text(text: str, width: int, later_width: int) -> list[Break]:
    """Where a line of code is broken: wherever it is full, its later rows being narrower for their mark."""
    breaks: list[Break] = []
    position = 0
    while position < len(text):
        window = text[position : position + 4 * width + 16]
        if SINGLE_CELLS.issuperset(window[:width]):
            size = min(width, len(window))
        else:
            size, cells = 0, 0
            for begin, end, grapheme_cells in split_graphemes(window)[0]:
                cells += grapheme_cells
                if cells > width and begin:
                    break
                size = end
        breaks.append(Break(position, position + size, position + size, position + size))
        position += size
        width = later_width
    return breaks


def rows_of(spans: Sequence[Span], breaks: Sequence[Break], width: int) -> list[Row]:
    """The rows that a text's breaks make of its spans; spans of one style become one segment."""
    rows: list[Row] = []
    index, offset = 0, 0
    for begin, end, _, _ in breaks:
        row: Row = []
        while index < len(spans) and offset + len(spans[index].text) <= begin:
            offset += len(spans[index].text)
            index += 1
        at = begin
        while at < end:
            text, style = spans[index]
            upto = min(end, offset + len(text))
            join(row, text[at - offset : upto - offset], style)
            at = upto
            if at < end:
                offset += len(text)
                index += 1
        rows.append(_bounded(_trimmed(row), width) if row else row)
    return rows


def join(row: Row, text: str, style: Style) -> None:
    """Add text to a row, to the segment before it if that has the same style."""
    while row and text and (text[0] in JOINERS or row[-1].text[-1] == ZERO_WIDTH_JOINER):
        # One visible character is never split between two styles: its width would be counted twice.
        row[-1] = Segment(row[-1].text + text[0], row[-1].style)
        text = text[1:]
    if not text:
        return
    if row and (row[-1].style is style or row[-1].style == style):
        row[-1] = Segment(row[-1].text + text, style)
    else:
        row.append(Segment(text, style))


def row_cells(row: Row) -> int:
    """How many cells a row takes."""
    return sum(cell_len(segment.text) for segment in row)


def _trimmed(row: Row) -> Row:
    text, style, _ = row[-1]
    if text.endswith(" "):
        row[-1] = Segment(text.rstrip(" "), style)
        if not row[-1].text:
            row.pop()
            return _trimmed(row) if row else row
    return row


def _bounded(row: Row, width: int) -> Row:
    """A row in which what cannot fit is replaced; this happens only to wide characters in the narrowest rows."""
    if width > 1 or not row or row_cells(row) <= width:
        return row
    return [Segment(TOO_WIDE, row[0].style)]
