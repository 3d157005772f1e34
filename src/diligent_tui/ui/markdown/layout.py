"""Lays leaves out as rows of segments: prefixes of their containers, text, code and rules."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment

from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.leaves import (
    CodeLeaf,
    Container,
    EmptyLeaf,
    HtmlLeaf,
    Item,
    Place,
    Quote,
    RuleLeaf,
    TextLeaf,
)
from diligent_tui.ui.markdown.look import MarkdownLook
from diligent_tui.ui.markdown.wrap import Break, Row, break_text, chop_text, join, row_cells, rows_of

LEAST_ROOM_CELLS = 10  # containers are not shown where text would have less room than this and less than half
BULLETS = "•◦▪"
QUOTE_BAR = "▌ "
WRAP_MARK = "↳"


class Frame(NamedTuple):
    """What stands left of a leaf: on its first row, on the others, and on the blank row above it."""

    first: tuple[Segment, ...]
    rest: tuple[Segment, ...]
    gap: tuple[Segment, ...] | None
    room: int


def frame_for(place: Place, width: int, look: MarkdownLook) -> Frame:
    """The frame of a place at a width."""
    first: list[Segment] = []
    rest: list[Segment] = []
    items = 0
    gap: tuple[Segment, ...] | None = () if place.gap_depth == 0 else None
    for depth, container in enumerate(place.containers):
        marker, later = _prefixes(container, items, look)
        items += isinstance(container, Item)
        rest.append(later)
        first.append(marker if depth >= place.first_shown else later)
        if place.gap_depth == depth + 1:
            gap = tuple(rest)
    most = max(width - LEAST_ROOM_CELLS, width // 2)
    kept_first, kept_rest = _cut(first, most), _cut(rest, most)
    used = max(row_cells(kept_first), row_cells(kept_rest))
    kept_gap = None if gap is None else tuple(_blankless(_cut(list(gap), most)))
    return Frame(tuple(kept_first), tuple(kept_rest), kept_gap, max(width - used, 1))


def _prefixes(container: Container, items: int, look: MarkdownLook) -> tuple[Segment, Segment]:
    if isinstance(container, Quote):
        bar = Segment(QUOTE_BAR, look.text + look.quote_bar)
        return bar, bar
    match container:
        case Item(task=bool() as is_done):
            marker = " ☑ " if is_done else " ☐ "
        case Item(list_kind="-" | "+" | "*"):
            marker = f" {BULLETS[items % len(BULLETS)]} "
        case Item(number=number, list_kind=end):
            marker = f"{number}{end} ".rjust(4)
    return Segment(marker, look.text + look.list_marker), Segment(" " * len(marker), look.text)


def _cut(prefix: list[Segment], most: int) -> Row:
    """As many of the prefixes as fit, from the outermost on."""
    row: Row = []
    left = most
    for segment in prefix:
        left -= len(segment.text)
        if left < 0:
            break
        row.append(segment)
    return row


def _blankless(row: Row) -> Row:
    while row and not row[-1].text.strip():
        row.pop()
    return row


class TextLayout:
    """The rows of a paragraph, a heading or HTML; full rows are laid out once, the last ones again as they grow."""

    def __init__(self, leaf: TextLeaf | HtmlLeaf, frame: Frame, start: int) -> None:
        """Begin at row `start`."""
        self.leaf = leaf
        self._frame = frame
        self._start = start
        self._done_rows = 0
        self._taken_spans = 0
        self._rest: list[Span] = []
        self._is_soft = False
        self._shown: tuple[int, str, bool] | None = None

    def refresh(self, rows: list[Row]) -> int:
        """Bring the leaf's rows up to date and say which is the first that changed."""
        leaf = self.leaf
        state = (len(leaf.spans), leaf.tail, leaf.is_closed)
        if state == self._shown:
            return len(rows)
        self._shown = state
        first = self._start + self._done_rows
        del rows[first:]
        self._rest += leaf.spans[self._taken_spans :]
        self._taken_spans = len(leaf.spans)
        spans = self._rest + leaf.tail_spans()
        text = "".join([span.text for span in spans])
        breaks = break_text(text, self._frame.room, self._is_soft)
        prefix = self._frame.rest if self._done_rows else self._frame.first
        for row in rows_of(spans, breaks, self._frame.room):
            rows.append([*prefix, *row])
            prefix = self._frame.rest
        if len(rows) == self._start:
            rows.append(list(prefix))
        self._keep_full_rows(text, breaks)
        return first

    def _keep_full_rows(self, text: str, breaks: Sequence[Break]) -> None:
        """Let go of the text of rows that no later text can change."""
        stable_chars = sum([len(span.text) for span in self._rest])
        position = 0
        for found in breaks:
            if found.seen >= stable_chars:
                break
            position = found.next
            self._done_rows += 1
        if position:
            self._is_soft = text[position - 1] != "\n"
            self._rest = _after(self._rest, position)


class CodeLayout:
    """The rows of a code block: a label and the lines, on the block's own background."""

    def __init__(self, leaf: CodeLeaf, frame: Frame, start: int, look: MarkdownLook) -> None:
        """Begin at row `start`."""
        self.leaf = leaf
        self._frame = frame
        self._start = start
        self._label = leaf.base + look.code_label
        self._mark = leaf.base + look.code_wrap_mark
        self._lines = self._drafts = 0
        self._line_rows = self._draft_rows = 0
        self._shown: tuple[int, int, str, bool] | None = None

    def refresh(self, rows: list[Row]) -> int:
        """Bring the leaf's rows up to date and say which is the first that changed."""
        leaf = self.leaf
        drafts = leaf.drafts()
        state = (len(leaf.lines), len(drafts), leaf.partial, leaf.is_closed)
        if state == self._shown:
            return len(rows)
        if self._shown is None and leaf.language:
            label_cells = min(cell_len(leaf.language), self._inner)
            self._add(rows, [Segment(set_cell_size(leaf.language, label_cells), self._label)])
            self._line_rows = self._draft_rows = 1
        self._shown = state
        first = self._start + self._draft_rows
        if len(leaf.lines) > self._lines:
            first = self._start + self._line_rows
            del rows[first:]
            for index in range(self._lines, len(leaf.lines)):
                self._add_line(rows, leaf.lines[index], index in leaf.continued)
            self._lines, self._drafts = len(leaf.lines), 0
            self._line_rows = len(rows) - self._start
        del rows[self._start + (self._draft_rows if self._drafts else self._line_rows) :]
        for index in range(self._drafts, len(drafts)):
            self._add_line(rows, drafts[index], self._lines + index in leaf.continued)
        self._drafts = len(drafts)
        self._draft_rows = len(rows) - self._start
        if leaf.is_in_line or len(rows) == self._start + bool(leaf.language):
            self._add_line(rows, [Span(leaf.partial, leaf.base)], self._lines + self._drafts in leaf.continued)
        return min(first, len(rows))

    @property
    def _margin(self) -> int:
        return 1 if self._frame.room >= LEAST_ROOM_CELLS else 0

    @property
    def _inner(self) -> int:
        return self._frame.room - 2 * self._margin

    def _add_line(self, rows: list[Row], line: list[Span], is_continued: bool) -> None:
        mark = f"{WRAP_MARK} " if self._inner > 2 * len(WRAP_MARK) + 2 else ""
        later = self._inner - len(mark)
        text = "".join([span.text for span in line])
        breaks = chop_text(text, later if is_continued else self._inner, later)
        for row in rows_of(line, breaks, self._inner) or [[]]:
            self._add(rows, [Segment(mark, self._mark), *row] if is_continued and mark else row)
            is_continued = True

    def _add(self, rows: list[Row], code: Row) -> None:
        base = self.leaf.base
        prefix = self._frame.first if len(rows) == self._start else self._frame.rest
        row: Row = []
        join(row, " " * self._margin, base)
        for text, style, _ in code:
            join(row, text, style or base)
        join(row, " " * (self._frame.room - row_cells(row)), base)
        rows.append([*prefix, *row])


class FixedLayout:
    """The one row of a thematic break or of an empty container."""

    def __init__(self, leaf: RuleLeaf | EmptyLeaf, frame: Frame, look: MarkdownLook) -> None:
        """Prepare the row."""
        self.leaf = leaf
        rule = Segment("─" * frame.room, look.text + look.rule)
        self._row: Row | None = [*frame.first, rule] if isinstance(leaf, RuleLeaf) else _blankless(list(frame.first))

    def refresh(self, rows: list[Row]) -> int:
        """Add the row once."""
        first = len(rows)
        if self._row is not None:
            rows.append(self._row)
            self._row = None
        return first


def _after(spans: Sequence[Span], position: int) -> list[Span]:
    """The spans after a position in their text."""
    for index, (text, style) in enumerate(spans):
        if position < len(text):
            return [Span(text[position:], style), *spans[index + 1 :]]
        position -= len(text)
    return []
