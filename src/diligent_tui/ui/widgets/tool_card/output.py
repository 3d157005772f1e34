"""The output of a program as rows: its colours kept, long lines wrapped, everything else harmless."""

from functools import cache

from rich.segment import Segment
from rich.style import Style

from diligent_tui.domain.plain_text import Style as PlainStyle
from diligent_tui.domain.plain_text import styled
from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.layout import WRAP_MARK
from diligent_tui.ui.markdown.wrap import chop_text, join

Row = list[Segment]
FAINT = Style(dim=True)
NAMED = "ansi_"
LEAST_MARKED_COLUMNS = 10
"""A narrower room is not made narrower still by a mark."""


def output_rows(text: str, width: int, base: Style) -> list[Row]:
    """The rows of an output; SGR colours become styles, all other sequences are gone."""
    mark = Segment(f"{WRAP_MARK} ", base + FAINT)
    rows: list[Row] = []
    for line in _lines(text, base):
        rows += _wrapped(line, max(1, width), mark)
    return rows


def _lines(text: str, base: Style) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    for piece in styled(text):
        style = base + _rich(piece.style)
        first, *later = piece.text.split("\n")
        if first:
            lines[-1].append(Span(first, style))
        lines += [[Span(part, style)] if part else [] for part in later]
    return lines


def _wrapped(line: list[Span], width: int, mark: Segment) -> list[Row]:
    words = "".join(span.text for span in line)
    is_marked = width >= LEAST_MARKED_COLUMNS
    rows: list[Row] = []
    index, offset = 0, 0
    for begin, end, _, _ in chop_text(words, width, width - len(mark.text) if is_marked else width):
        row: Row = []
        at = begin
        while at < end:
            text, style = line[index]
            upto = min(end, offset + len(text))
            join(row, text[at - offset : upto - offset], style)
            at = upto
            if at == offset + len(text):
                offset, index = at, index + 1
        rows.append([mark, *row] if rows and is_marked else row)
    return rows or [[]]


@cache
def _rich(style: PlainStyle) -> Style:
    ground, is_turned = _colour(style.bg), style.reverse
    text = _colour(style.fg)
    if style.bg is not None and style.bg.startswith(NAMED):
        # All named colours can be read on our own ground, but not on each other: so that writes on the named one.
        text, ground, is_turned = ground, None, not is_turned
    return Style(
        color=text,
        bgcolor=ground,
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        strike=style.strike or None,
        reverse=is_turned or None,
    )


def _colour(name: str | None) -> str | None:
    return None if name is None else name.removeprefix(NAMED)
