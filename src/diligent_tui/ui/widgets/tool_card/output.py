"""The output of a program as rows: its colours kept, long lines wrapped, everything else harmless."""

from functools import cache

from rich.segment import Segment
from rich.style import Style

from diligent_tui.domain.plain_text import Style as PlainStyle
from diligent_tui.domain.plain_text import styled
from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.wrap import chop_text, join

Row = list[Segment]


def output_rows(text: str, width: int, base: Style) -> list[Row]:
    """The rows of an output; SGR colours become styles, all other sequences are gone."""
    rows: list[Row] = []
    for line in _lines(text, base):
        rows += _wrapped(line, max(1, width))
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


def _wrapped(line: list[Span], width: int) -> list[Row]:
    words = "".join(span.text for span in line)
    rows: list[Row] = []
    index, offset = 0, 0
    for begin, end, _, _ in chop_text(words, width, width):
        row: Row = []
        at = begin
        while at < end:
            text, style = line[index]
            upto = min(end, offset + len(text))
            join(row, text[at - offset : upto - offset], style)
            at = upto
            if at == offset + len(text):
                offset, index = at, index + 1
        rows.append(row)
    return rows or [[]]


@cache
def _rich(style: PlainStyle) -> Style:
    return Style(
        color=None if style.fg is None else style.fg.removeprefix("ansi_"),
        bgcolor=None if style.bg is None else style.bg.removeprefix("ansi_"),
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        strike=style.strike or None,
        reverse=style.reverse or None,
    )
