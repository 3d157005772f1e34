"""Painting one row of the log: base colours, cursor, matches and selection over a renderer's strip."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.ui.widgets.cursor_row import lit

CURSOR_BAR = "▎"


class RowLook(NamedTuple):
    """All that a row's look depends on; a row is painted anew when this changes."""

    strip: Strip
    is_cursor: bool
    matches: Sequence[tuple[int, int]]
    selected: tuple[int, int | None] | None
    current: tuple[int, int] | None = None
    """The match at which the search stands, if it is in this row."""


class RowStyles(NamedTuple):
    """The styles of one paint, looked up once for all its rows."""

    base: Style
    cursor: Style
    cursor_bar: Style | None
    match: Style
    current_match: Style
    selection: Style


def paint(look: RowLook, width_cells: int, gutter_columns: int, styles: RowStyles) -> Strip:
    """The row as it goes to the screen, exactly as wide as asked."""
    strip = look.strip.crop_extend(0, width_cells, None)
    strip = lit(strip, styles.base, styles.cursor) if look.is_cursor else strip.apply_style(styles.base)
    for span in look.matches:
        style = styles.current_match if span == look.current else styles.match
        strip = _restyle(strip, span[0] + gutter_columns, span[1] + gutter_columns, style)
    if look.selected is not None:
        start, end = look.selected
        # A line without text shows one selected cell, so that the selection has no holes.
        shown_end = max(len(strip.text.rstrip()), start + gutter_columns + 1) if end is None else end + gutter_columns
        strip = _restyle(strip, start + gutter_columns, shown_end, styles.selection)
    if look.is_cursor and styles.cursor_bar is not None:
        mark = strip.text[:1].strip()
        # A mark that stands there stays, and says by being turned over that the cursor is here.
        style = styles.base + styles.cursor + styles.cursor_bar
        bar = Segment(mark, style + Style(reverse=True)) if mark else Segment(CURSOR_BAR, style)
        strip = Strip([bar, *strip.crop(1)], strip.cell_length)
    return strip


def text_of(strip: Strip, gutter_columns: int) -> str:
    """The text of a row as one would copy it: no gutter, no padding."""
    return strip.text[gutter_columns:].rstrip()


def _restyle(strip: Strip, start: int, end: int, style: Style) -> Strip:
    text = strip.text
    if start >= min(end, len(text)):
        return strip
    first, last = cell_len(text[:start]), cell_len(text[:end])
    before, inside, after = strip.crop(0, first), strip.crop(first, last), strip.crop(last)
    painted = Strip(Segment.apply_style(inside, post_style=style), inside.cell_length)
    return Strip.join([before, painted, after])
