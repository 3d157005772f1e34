"""Where each row of a diff stands at a width, and its strips, drawn when they are first asked for."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line, reveal
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.markdown.code import CodeStyles
from diligent_tui.ui.markdown.wrap import chop_text
from diligent_tui.ui.widgets.diff.colouring import HunkColours, language_of, shown_text, shows_returns
from diligent_tui.ui.widgets.diff.look import DiffLook
from diligent_tui.ui.widgets.diff.model import Diff, DiffLine, FileDiff, Hunk, blocks_of
from diligent_tui.ui.widgets.diff.painting import Row, blank_row, draw_line, rows_needed
from diligent_tui.ui.widgets.diff.words import Spans, paired, word_changes

DiffStyle = Literal["unified", "side by side"]
SIDE_BY_SIDE_COLUMNS = 100
"""Below this width two sides would be two ribbons, and lines stand below each other."""
BOTH_NUMBERS_COLUMNS = 60
STYLE_KEY = "d"
MOST_ITEMS_KEPT = 2_000
DIVIDER = "│"


def style_hints(style: DiffStyle, *, has_room: bool) -> Sequence[Hint]:
    """What the key for the style would do; nothing where there is no room for two sides."""
    if not has_room:
        return ()
    return ((STYLE_KEY, "one column" if style == "side by side" else "side by side"),)


@dataclass(frozen=True, slots=True)
class _Head:
    """A line about a file or a place in it."""

    left: str
    right: str = ""
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines of a hunk by number: one in a unified diff, up to two side by side."""

    hunk: int
    old: int | None
    new: int | None


class _Portion:
    """A hunk with all that is known of it: shown texts, colours, and changed words once they were asked for."""

    def __init__(self, hunk: Hunk, language: str, styles: CodeStyles, *, reveals: bool) -> None:
        returns = shows_returns(hunk)
        self.lines = hunk.lines
        self.texts = [shown_text(line, shows_returns=returns, reveals=reveals) for line in hunk.lines]
        self.colours = HunkColours(hunk, self.texts, language, styles)
        self._block_of: dict[int, list[int]] = {}
        self._pair_of: dict[int, tuple[int | None, int | None]] = {}
        self._marks: dict[int, Spans] = {}
        for is_change, numbers in blocks_of(hunk.lines):
            if is_change:
                self._block_of |= dict.fromkeys(numbers, numbers)

    def pairs(self, numbers: list[int]) -> list[tuple[int | None, int | None]]:
        """The lines of a change, each with the line that came for it."""
        old = [number for number in numbers if self.lines[number].kind == "removed"]
        new = [number for number in numbers if self.lines[number].kind == "added"]
        found = paired([self.texts[number] for number in old], [self.texts[number] for number in new])
        return [(None if i is None else old[i], None if j is None else new[j]) for i, j in found]

    def marks(self, number: int) -> Spans:
        """The changed words of a line."""
        if number not in self._block_of:
            return ()
        if number not in self._pair_of:
            for pair in self.pairs(self._block_of[number]):
                self._pair_of |= dict.fromkeys((line for line in pair if line is not None), pair)
        if number not in self._marks:
            # Only this pair: a change may be thousands of lines long, of which few are ever looked at.
            i, j = self._pair_of[number]
            changes = None if i is None or j is None else word_changes(self.texts[i], self.texts[j])
            for line, spans in zip((i, j), changes or ((), ()), strict=True):
                if line is not None:
                    self._marks[line] = spans
        return self._marks[number]


class DiffLayout:
    """All rows of a diff by number; only those that are asked for are drawn."""

    def __init__(
        self, diff: Diff, width: int, look: DiffLook, style: DiffStyle = "unified", *, reveals: bool = False
    ) -> None:
        """Lay the diff out at a width; too narrow a one is always unified.

        With `reveals` it is for somebody who must judge it: names are whole, and what hides is spelled out.
        """
        self.width = max(1, width)
        self.is_split = style == "side by side" and width >= SIDE_BY_SIDE_COLUMNS
        self._look = look
        self._reveals = reveals
        self._styles = CodeStyles(look.code)
        self._portions: list[_Portion] = []
        self._digits = _digits(diff)
        self._room = max(1, (self._half if self.is_split else self.width) - len(self._numbers(None, None)) - 2)
        self._items = list(self._laid(diff))
        self._ends = list(accumulate(self._height(item) for item in self._items))
        self._drawn: dict[int, list[Strip]] = {}

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self._ends[-1] if self._ends else 0

    @property
    def lexed_lines(self) -> int:
        """How many lines went through a lexer so far."""
        return sum(portion.colours.lexed_lines for portion in self._portions)

    @property
    def _half(self) -> int:
        return (self.width - 1) // 2

    def strip(self, row: int) -> Strip:
        """One row."""
        number = bisect_right(self._ends, row)
        if number >= len(self._items):
            return Strip.blank(self.width)
        if number not in self._drawn:
            if len(self._drawn) >= MOST_ITEMS_KEPT:
                self._drawn.clear()
            self._drawn[number] = [Strip(drawn) for drawn in self._draw(self._items[number])]
        start = self._ends[number - 1] if number else 0
        return self._drawn[number][row - start]

    def _laid(self, diff: Diff) -> "Iterator[_Head | _Place]":
        for file in diff.files:
            yield _file_head(file, reveals=self._reveals)
            language = language_of(file.name)
            for number, hunk in enumerate(file.hunks):
                if number or hunk.heading:
                    yield _hunk_head(hunk)
                self._portions.append(_Portion(hunk, language, self._styles, reveals=self._reveals))
                yield from self._split() if self.is_split else self._unified()
        if diff.left_out_lines:
            yield _Head(f"… {fmt.count(diff.left_out_lines, 'more line')} of the diff not shown")

    def _unified(self) -> Iterator[_Place]:
        last = len(self._portions) - 1
        for number, line in enumerate(self._portions[last].lines):
            yield _Place(last, number, None) if line.kind == "removed" else _Place(last, None, number)

    def _split(self) -> Iterator[_Place]:
        last = len(self._portions) - 1
        portion = self._portions[last]
        for is_change, numbers in blocks_of(portion.lines):
            pairs = portion.pairs(numbers) if is_change else [(number, number) for number in numbers]
            yield from (_Place(last, old, new) for old, new in pairs)

    def _height(self, item: "_Head | _Place") -> int:
        if isinstance(item, _Head):
            return len(self._head_rows(item))
        texts = self._portions[item.hunk].texts
        return max(rows_needed(texts[number], self._room) for number in (item.old, item.new) if number is not None)

    def _draw(self, item: "_Head | _Place") -> list[Row]:
        if isinstance(item, _Head):
            return self._draw_head(item)
        if not self.is_split:
            number = item.old if item.new is None else item.new
            return [] if number is None else self._draw_line(item.hunk, number, self.width)
        half = self._half
        left = [] if item.old is None else self._draw_line(item.hunk, item.old, half, "old")
        right = [] if item.new is None else self._draw_line(item.hunk, item.new, half, "new")
        rows: list[Row] = []
        for number in range(max(len(left), len(right))):
            old = left[number] if number < len(left) else blank_row(half)
            new = right[number] if number < len(right) else blank_row(half)
            # Both sides are as wide, for their rows were counted at one width; an odd column is left at the end.
            rows.append([*old, Segment(DIVIDER, self._look.dim), *new, Segment(" " * (self.width - 2 * half - 1))])
        return rows

    def _draw_line(self, hunk: int, number: int, width: int, side: Literal["", "old", "new"] = "") -> list[Row]:
        portion = self._portions[hunk]
        line = portion.lines[number]
        marks = portion.marks(number)
        spans = portion.colours.spans(number)
        return draw_line(self._number_of(line, side), line.kind, portion.texts[number], spans, marks, width, self._look)

    def _number_of(self, line: DiffLine, side: Literal["", "old", "new"]) -> str:
        match side:
            case "old":
                return self._numbers(line.old_number, None)
            case "new":
                return self._numbers(line.new_number, None)
            case "":
                return self._numbers(line.old_number, line.new_number)

    def _numbers(self, old: int | None, new: int | None) -> str:
        if self.is_split:
            return f"{'' if old is None else old:>{self._digits}} "
        if self.width >= BOTH_NUMBERS_COLUMNS:
            return f"{'' if old is None else old:>{self._digits}} {'' if new is None else new:>{self._digits}} "
        number = old if new is None else new
        return f"{'' if number is None else number:>{self._digits}} "

    def _head_rows(self, head: _Head) -> list[str]:
        """What stands left in a head: cut to one row, or whole where somebody must judge it."""
        room = self._head_room(head)
        if not (self._reveals and head.is_file):
            return [fit(head.left, room)]
        return [head.left[begin:end] for begin, end, _, _ in chop_text(head.left, room, room)]

    def _head_room(self, head: _Head) -> int:
        return max(1, self.width - cell_len(head.right) - 1)

    def _draw_head(self, head: _Head) -> list[Row]:
        look = self._look
        style = look.file if head.is_file else look.dim
        first, *others = (set_cell_size(row, self._head_room(head)) for row in self._head_rows(head))
        return [
            [Segment(first, style), Segment(" "), Segment(head.right, look.dim)],
            *([Segment(row, style), Segment(" " * (self.width - cell_len(row)))] for row in others),
        ]


def _file_head(file: FileDiff, *, reveals: bool) -> _Head:
    added = sum(line.kind == "added" for hunk in file.hunks for line in hunk.lines)
    removed = sum(line.kind == "removed" for hunk in file.hunks for line in hunk.lines)
    note = f"  ({clean_line(file.note, 60)})" if file.note else ""
    name = reveal(file.name).replace("\n", "␤") if reveals else clean_line(file.name)
    return _Head(f"{name or 'a file'}{note}", f"+{added:,} −{removed:,}", is_file=True)


def _hunk_head(hunk: Hunk) -> _Head:
    line = next((line for line in hunk.lines if line.new_number is not None), hunk.lines[0])
    return _Head(f"⋯ line {line.new_number or line.old_number:,}  {hunk.heading}".rstrip())


def _digits(diff: Diff) -> int:
    lines = (line for file in diff.files for hunk in file.hunks for line in hunk.lines)
    return len(str(max((max(line.old_number or 0, line.new_number or 0) for line in lines), default=0)))
