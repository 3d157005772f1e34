"""Draws one row of the list: mark, title, age and figures; what is unknown is – and what matters least goes first."""

from dataclasses import dataclass
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.catalog import SessionSummary
from diligent_tui.session.files import SessionFile
from diligent_tui.session.shelf import fold
from diligent_tui.ui import format as fmt
from diligent_tui.ui.widgets.cursor_row import lit

CURSOR_BAR = "▎"
AGE_COLUMNS = 11
COMPACTIONS_COLUMNS = 4
TOKENS_COLUMNS = 8
COST_COLUMNS = 8
BRANCHES_COLUMNS = 4
MARK_COLUMNS = 4
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class RowLook:
    """The styles of the list, made from the style sheet."""

    text: Style
    dim: Style
    accent: Style
    memory: Style
    error: Style
    cursor: Style
    match: Style


@dataclass(frozen=True, slots=True)
class RowState:
    """All else that a row's look depends on."""

    now: datetime
    is_cursor: bool = False
    is_current: bool = False
    words: str = ""


Cell = tuple[str, Style]


def draw_heading(width: int, style: Style) -> Strip:
    """The names of the columns."""
    names = _figures_that_fit(
        width,
        (f"{'changed':>{AGE_COLUMNS}}", style),
        (f"{'⟳':>{COMPACTIONS_COLUMNS}}", style),
        (f"{'tokens':>{TOKENS_COLUMNS}}", style),
        (f"{'cost':>{COST_COLUMNS}}", style),
        (f"{'⎇':>{BRANCHES_COLUMNS}}", style),
    )
    return _row([("    title", style)], names, width).apply_style(style)


def draw_row(file: SessionFile, summary: SessionSummary | None, state: RowState, width: int, look: RowLook) -> Strip:
    """The row of a session, exactly as wide as asked; one that is not read yet shows its id and age."""
    changed = datetime.fromtimestamp(file.changed_s, UTC)
    age = fmt.age((state.now - changed).total_seconds())
    compactions = summary.compactions if summary else None
    figures = _figures_that_fit(
        width,
        (f"{age:>{AGE_COLUMNS}}", look.dim),
        (f"{_number(compactions):>{COMPACTIONS_COLUMNS}}", look.memory if compactions else look.dim),
        (f"{fmt.tokens(summary.tokens if summary else None):>{TOKENS_COLUMNS}}", look.dim),
        (f"{fmt.money(summary.cost if summary else None):>{COST_COLUMNS}}", look.dim),
        (f"{_number(summary.branches if summary else None):>{BRANCHES_COLUMNS}}", look.dim),
    )
    room = max(1, width - MARK_COLUMNS - sum(cell_len(text) for text, _ in figures) - 1)
    mark = ("  ", look.dim)
    if state.is_current:
        mark = ("● ", look.accent)
    elif summary and summary.trouble:
        mark = ("! ", look.error)
    bar = (f"{CURSOR_BAR} ", look.accent) if state.is_cursor else ("  ", look.dim)
    title, style = _title(file, summary, look)
    shown = set_cell_size(title, room - 1) + "…" if cell_len(title) > room else title
    left = [bar, mark, *_marked(shown, style, state.words, look.match)]
    row = _row(left, figures, width)
    return lit(row, look.text, look.cursor) if state.is_cursor else row.apply_style(look.text)


def _title(file: SessionFile, summary: SessionSummary | None, look: RowLook) -> Cell:
    file_id = clean_line(file.id, TITLE_CHARS)
    if summary is None:
        return f"… {file_id}", look.dim
    title = clean_line(summary.title, TITLE_CHARS)
    if summary.title in (summary.trouble, "–"):
        return f"{title} · {file_id}", look.dim
    return title or file_id, Style.null()


def _number(count: int | None) -> str:
    return "–" if count is None else str(count)


def _figures_that_fit(width: int, age: Cell, compactions: Cell, tokens: Cell, cost: Cell, branches: Cell) -> list[Cell]:
    if width < 44:
        return [age]
    if width < 56:
        return [age, compactions]
    return [age, compactions, tokens, cost] if width < 68 else [age, compactions, tokens, cost, branches]


def _row(left: list[Cell], right: list[Cell], width: int) -> Strip:
    room = max(0, width - sum(cell_len(text) for text, _ in right) - 1)
    strip = Strip([Segment(text, style) for text, style in left]).crop_extend(0, room, None)
    return Strip([*strip, *(Segment(text, style) for text, style in right)]).crop_extend(0, width, None)


def _marked(text: str, style: Style, words: str, match: Style) -> list[Cell]:
    """The text with the searched words set off, compared as the search compares them."""
    places = [place for place, character in enumerate(text) for _ in fold(character)]
    folded = "".join(fold(character) for character in text)
    hits: set[int] = set()
    for word in fold(words).split():
        start = folded.find(word)
        while start >= 0:
            hits |= set(places[start : start + len(word)])
            start = folded.find(word, start + 1)
    if not hits:
        return [(text, style)]
    return [(character, style + match if place in hits else style) for place, character in enumerate(text)]
