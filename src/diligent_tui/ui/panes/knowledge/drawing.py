"""Draws the rows of the list: entries with their marks and figures, the budget's line, candidates."""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.knowledge import KnowledgeType
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import from_stamp
from diligent_tui.knowledge.views import KnownEntry
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.bare import bare_words
from diligent_tui.ui.panes.knowledge import words as say
from diligent_tui.ui.panes.knowledge.listing import BudgetRow, CandidateRow, EntryRow, NearRow, Row
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.widgets.cursor_row import lit
from diligent_tui.ui.widgets.searched_words import marked

CURSOR_BAR = "▎"
LEFT_CELLS = 8
"""Bar, mark, scope, type and the gaps between them."""
AGE_CELLS, CONFIDENCE_CELLS, SCORE_CELLS, ALIKE_CELLS = 5, 5, 6, 14
AGE_FROM_CELLS, CONFIDENCE_FROM_CELLS, SOURCE_FROM_CELLS = 36, 46, 60
"""From these widths of a row on there is room for an age, for the confidence too, and for a candidate's source."""
NEARLY_FULL = 0.9
MOST_SOURCE_CHARS = 12


@dataclass(frozen=True, slots=True)
class Painting:
    """What all rows of one paint share."""

    width: int
    look: KnowledgeLook
    now: datetime
    cursor_key: str | None
    new_ids: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


def draw_row(row: Row, paint: Painting) -> Strip:
    """One row, exactly as wide as asked."""
    match row:
        case EntryRow(known=known):
            segments = _entry(known, paint)
        case BudgetRow():
            segments = _budget(row, paint)
        case CandidateRow(candidate=candidate):
            moment = from_stamp(candidate.timestamp)
            figures = [(say.short_age(moment, paint.now) if moment else "", AGE_CELLS, paint.look.dim)]
            if paint.width >= SOURCE_FROM_CELLS:
                source = clean_line(candidate.source, MOST_SOURCE_CHARS)
                figures.append((source, MOST_SOURCE_CHARS + 1, paint.look.dim))
            segments = _line("  ", candidate.type, candidate.content, figures, paint, paint.look.memory)
        case NearRow():
            segments = _near(row, paint)
        case _:
            assert_never(row)
    is_cursor = row.key == paint.cursor_key
    bar = Segment(CURSOR_BAR, paint.look.accent) if is_cursor else Segment(" ")
    strip = Strip([bar, *segments]).crop_extend(0, paint.width, None)
    for word in paint.words:
        strip = marked(strip, word, paint.look.match, LEFT_CELLS)
    return lit(strip, paint.look.base, paint.look.cursor) if is_cursor else strip.apply_style(paint.look.base)


def draw_columns(width: int, look: KnowledgeLook) -> Strip:
    """The names of the columns, where they stand."""
    figures = [("age", AGE_CELLS, look.dim), ("conf", CONFIDENCE_CELLS, look.dim), ("score", SCORE_CELLS, look.dim)]
    shown = [(words, cells, style) for (words, cells, style), has in zip(figures, _columns(width), strict=True) if has]
    room = max(0, width - LEFT_CELLS - sum(cells for _, cells, _ in shown))
    segments = [Segment(" " * LEFT_CELLS), Segment(set_cell_size("content", room), look.dim)]
    for words, cells, style in shown:
        segments += _at_right(words, cells, style, look)
    return Strip(segments).crop_extend(0, width, look.base).apply_style(look.base)


def _columns(width: int) -> tuple[bool, bool, bool]:
    return width >= AGE_FROM_CELLS, width >= CONFIDENCE_FROM_CELLS, True


def _entry(known: KnownEntry, paint: Painting) -> list[Segment]:
    look, entry = paint.look, known.entry
    is_live = known.fate == "live"
    if not is_live:
        mark, style = (say.SUPERSEDED if known.fate == "superseded" else say.RETRACTED), look.dim
    elif known.is_left_behind:
        mark, style = say.LEFT_BRANCH, look.memory
    elif entry.id in paint.new_ids:
        mark, style = say.NEW, look.success
    else:
        mark, style = (say.PINNED if known.pinned else " "), look.accent
    scope = say.USER_WIDE if entry.scope == "user" else " "
    score = "–" if known.score is None else say.part(known.score.total)
    strong = look.text if known.is_told else look.dim
    figures = [
        (say.short_age(entry.moment, paint.now), AGE_CELLS, look.dim),
        (say.part(entry.confidence), CONFIDENCE_CELLS, look.dim),
        (score, SCORE_CELLS, strong),
    ]
    shown = [figure for figure, has in zip(figures, _columns(paint.width), strict=True) if has]
    return _line(f"{mark}{scope}", entry.type, entry.content, shown, paint, style, strong)


def _near(row: NearRow, paint: Painting) -> list[Segment]:
    look = paint.look
    box = "✓" if row.is_chosen else "·"
    alike = "this one" if row.similarity is None else say.alikeness(row.similarity)
    style = look.accent if row.is_chosen else look.dim
    entry = row.known.entry
    return _line(f"{box} ", entry.type, entry.content, [(alike, ALIKE_CELLS, look.dim)], paint, style)


def _line(
    marks: str,
    kind: KnowledgeType,
    content: str,
    figures: list[tuple[str, int, Style]],
    paint: Painting,
    mark_style: Style,
    text_style: Style | None = None,
) -> list[Segment]:
    look = paint.look
    room = max(1, paint.width - LEFT_CELLS - sum(cells for _, cells, _ in figures))
    text = fit(bare_words(content), room)
    return [
        Segment(f"{marks} ", mark_style),
        Segment(f"{say.SHORT_TYPES[kind]} ", look.dim),
        Segment(set_cell_size(text, room), text_style or look.text),
        *(segment for words, cells, style in figures for segment in _at_right(words, cells, style, look)),
    ]


def _at_right(words: str, cells: int, style: Style, look: KnowledgeLook) -> list[Segment]:
    return [Segment(" " * max(0, cells - cell_len(words)), look.rule), Segment(words, style)]


def _budget(row: BudgetRow, paint: Painting) -> list[Segment]:
    """The line itself is the bar: heavy as far as the budget is used."""
    look = paint.look
    share = row.tokens / row.budget_tokens if row.budget_tokens else 0.0
    left, right = f"─ budget {row.budget_tokens:,} ", f"{fmt.percent(100 * share)} ─"
    room = max(0, paint.width - 2 - len(left) - len(right))
    used = min(room, round(share * room))
    style = look.memory if share >= NEARLY_FULL else look.accent
    return [
        Segment(left, look.dim),
        Segment("━" * used, style),
        Segment("─" * (room - used), look.rule),
        Segment(" "),
        Segment(right, style if share >= NEARLY_FULL else look.dim),
    ]
