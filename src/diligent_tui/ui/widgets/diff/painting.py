"""Draws one line of a diff as rows of a width: number, sign and text, long lines wrapped, changed words marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.wrap import chop_text, join, row_cells
from diligent_tui.ui.widgets.diff.look import DiffLook
from diligent_tui.ui.widgets.diff.model import LineKind
from diligent_tui.ui.widgets.diff.words import Spans

Row = list[Segment]
SIGNS: dict[LineKind, str] = {"context": " ", "added": "+", "removed": "−"}


@dataclass(frozen=True, slots=True)
class Stroke:
    """How the lines of one kind look."""

    sign: str
    mark: Style
    line: Style
    word: Style


def stroke_of(kind: LineKind, look: DiffLook) -> Stroke:
    """The look of a kind of line."""
    match kind:
        case "added":
            return Stroke(SIGNS[kind], look.added, look.added_line, look.added_word)
        case "removed":
            return Stroke(SIGNS[kind], look.removed, look.removed_line, look.removed_word)
        case "context":
            return Stroke(SIGNS[kind], look.dim, Style(), Style())


def rows_needed(text: str, room: int) -> int:
    """How many rows a line takes."""
    if len(text) <= room and text.isascii() and text.isprintable():
        return 1
    return max(1, len(row_ends(text, room)))


def row_ends(text: str, room: int) -> list[int]:
    """Where each row of a line ends: behind a word, unless the next one is too long for any row; nothing is lost."""
    ends: list[int] = []
    position = 0
    while position < len(text):
        # Enough for a row of characters with many marks on them; the rest is chopped when its turn comes.
        end = position + chop_text(text[position : position + 4 * room + 16], room, room)[0].end
        if end < len(text) and text[position : (blank := text.rfind(" ", position, end)) + 1].strip():
            word = text[blank + 1 : blank + 2 + room].partition(" ")[0]
            end = blank + 1 if cell_len(word) <= room else end
        ends.append(end)
        position = end
    return ends


def draw_line(
    numbers: str, kind: LineKind, text: str, spans: Sequence[Span], marks: Spans, width: int, look: DiffLook
) -> list[Row]:
    """The rows of a line, each exactly as wide as asked; `numbers` stand before its first row."""
    stroke = stroke_of(kind, look)
    room = max(1, width - len(numbers) - 2)
    rows: list[Row] = []
    painted = _marked(spans, marks, stroke)
    ends = row_ends(text, room) or [0]
    for begin, end in pairwise([0, *ends]):
        is_first = not rows
        row = [
            Segment(numbers if is_first else " " * len(numbers), look.dim + stroke.line),
            Segment(f"{stroke.sign if is_first else ' '} ", stroke.mark + stroke.line),
        ]
        row += _cut(painted, begin, end)
        rest = width - row_cells(row)
        if rest > 0:
            row.append(Segment(" " * rest, stroke.line))
        rows.append(row)
    return rows


def blank_row(width: int) -> Row:
    """A side that has no line here."""
    return [Segment(" " * width)]


def _marked(spans: Sequence[Span], marks: Spans, stroke: Stroke) -> list[Span]:
    """The spans on the line's ground, cut where a changed word begins or ends."""
    edges = sorted({edge for mark in marks for edge in mark})
    inside = {begin for begin, _ in marks}
    painted: list[Span] = []
    position, edge = 0, 0
    is_marked = False
    for text, style in spans:
        start, end = position, position + len(text)
        while position < end:
            while edge < len(edges) and edges[edge] <= position:
                is_marked = edges[edge] in inside
                edge += 1
            upto = min(end, edges[edge]) if edge < len(edges) else end
            ground = stroke.line + style + stroke.word if is_marked else stroke.line + style
            painted.append(Span(text[position - start : upto - start], ground))
            position = upto
    return painted


def _cut(spans: Sequence[Span], begin: int, end: int) -> Row:
    row: Row = []
    position = 0
    for text, style in spans:
        after = position + len(text)
        if after > begin and position < end:
            join(row, text[max(0, begin - position) : end - position], style)
        position = after
    return row
