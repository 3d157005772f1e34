"""Draws one row of the tree: guides of the forks above it, its sign and words, and its state at the right."""

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.panes.session_tree.outline import Branch, Row
from diligent_tui.ui.panes.session_tree.words import RowKind, RowWords
from diligent_tui.ui.widgets.cursor_row import lit
from diligent_tui.ui.widgets.searched_words import marked

LEVEL_COLUMNS = 2
AGE_COLUMNS = 7
MOST_LABEL_CHARS = 40
WIDE_COLUMNS = 40
"""From this width on there is room for ages."""
CURSOR_BAR = "▎"


@dataclass(frozen=True, slots=True)
class TreeLook:
    """The styles of the tree, made from the style sheet."""

    base: Style
    text: Style
    dim: Style
    rule: Style
    accent: Style
    success: Style
    error: Style
    memory: Style
    cursor: Style
    match: Style


@dataclass(frozen=True, slots=True)
class RowState:
    """All else that a row's look depends on."""

    is_cursor: bool = False
    is_on_path: bool = False
    is_leaf: bool = False
    is_marked: bool = False
    is_orphan: bool = False
    label: str = ""
    name: str = ""
    """What a folded branch is called."""
    age: str = ""
    search: str = ""


def draw_row(row: Row, words: RowWords, state: RowState, width: int, look: TreeLook) -> Strip:
    """The row, exactly as wide as asked."""
    right = _right(row, state, width, look)
    right_columns = sum(cell_len(segment.text) for segment in right)
    room = max(1, width - right_columns)
    bar = Segment(CURSOR_BAR, look.accent) if state.is_cursor else Segment(" ")
    left = [bar, *_guides(row, room, look), *_middle(row, words, state, look)]
    strip = _fitted(Strip(left), room, look)
    strip = marked(strip, state.search, look.match)
    strip = Strip([*strip, *right]).crop_extend(0, width, None)
    return lit(strip, look.base, look.cursor) if state.is_cursor else strip.apply_style(look.base)


def _guides(row: Row, room: int, look: TreeLook) -> list[Segment]:
    """One column pair for each fork above; where they would take half the room, only the nearest are drawn."""
    levels: list[str] = []
    most = max(1, room // 2 // LEVEL_COLUMNS)
    branch: Branch | None = row.branch
    while branch is not None and branch.depth > 0 and len(levels) < most:
        if branch is row.branch and row.starts_branch:
            levels.append("⎇ ")
        else:
            levels.append("  " if branch.is_last else "│ ")
        branch = branch.parent
    if branch is not None and branch.depth > 0:
        levels[-1] = "… " if len(levels) > 1 or not row.starts_branch else levels[-1]
    levels.reverse()
    if row.starts_branch:
        return [Segment("".join(levels[:-1]), look.rule), Segment(levels[-1], look.text)]
    return [Segment("".join(levels), look.rule)]


def _middle(row: Row, words: RowWords, state: RowState, look: TreeLook) -> list[Segment]:
    bright = look.text if state.is_on_path else look.dim
    segments: list[Segment] = []
    if row.branch.hidden and row.starts_branch:
        return [Segment("▸ ", look.accent), Segment(state.name, bright)]
    if state.is_orphan:
        segments.append(Segment("⌁ ", look.error))
    if state.label:
        flag = "" if row.starts_branch else "⚑ "
        label = clean_line(state.label, MOST_LABEL_CHARS)
        segments.append(Segment(f"{flag}{label} · ", bright + Style(bold=True)))
    if words.mark != " " or not (row.starts_branch or state.label):
        segments.append(Segment(f"{words.mark} ", _mark_style(words.kind, look)))
    segments.append(Segment(words.text, _text_style(words.kind, state, look)))
    return segments


def _text_style(kind: RowKind, state: RowState, look: TreeLook) -> Style:
    """The current path is bright, with its prompts bold; all else is dim."""
    if not state.is_on_path:
        return look.dim
    match kind:
        case "prompt":
            return look.text + Style(bold=True)
        case "answer" | "failed" | "unknown":
            return look.text
        case "memory":
            return look.memory
        case "calls" | "done" | "note":
            return look.dim


def _mark_style(kind: RowKind, look: TreeLook) -> Style:
    match kind:
        case "done":
            return look.success
        case "failed" | "unknown":
            return look.error
        case "memory":
            return look.memory
        case "prompt" | "answer" | "calls" | "note":
            return look.dim


def _right(row: Row, state: RowState, width: int, look: TreeLook) -> list[Segment]:
    segments: list[Segment] = []
    if state.is_marked:
        segments.append(Segment(" ◎", look.accent))
    if row.starts_branch and row.branch.hidden:
        segments.append(Segment(f" +{row.branch.hidden:,}", look.dim))
    if state.is_leaf:
        segments.append(Segment(" ◂", look.accent))
    elif row.starts_branch and state.is_on_path:
        segments.append(Segment(" ●", look.text))
    if state.age and width >= WIDE_COLUMNS:
        segments.append(Segment(set_cell_size("", max(0, AGE_COLUMNS - cell_len(state.age))) + state.age, look.dim))
    return segments


def _fitted(strip: Strip, room: int, look: TreeLook) -> Strip:
    if strip.cell_length <= room:
        return strip.extend_cell_length(room)
    cut = strip.crop(0, room - 1)
    return Strip([*cut, Segment("…", look.dim)])
