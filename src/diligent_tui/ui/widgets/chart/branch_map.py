"""Draws branches as lines over the turns of a session, each below the one that it leaves."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from diligent_tui.ui.widgets.chart.cells import BLANK, BLOCKS, Glyphs, Piece, Role, Row, joined

LEAST_MAP_COLUMNS = 10
MOST_MAP_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class BranchLine:
    """A branch from the turn where it leaves another up to its own last turn; `words` have passed the gate."""

    start: int
    end: int
    parent: int | None
    """Which line above it leaves; None for one that begins the session."""
    words: str
    size: str = ""
    is_here: bool = False


def draw_branches(lines: Sequence[BranchLine], width: int, glyphs: Glyphs = BLOCKS) -> list[Row]:
    """A row for each branch: its line at the left, its size and its words behind."""
    if not lines:
        return []
    longest = max(line.end for line in lines) or 1
    room = max(LEAST_MAP_COLUMNS, int(width * MOST_MAP_SHARE))
    sizes = max(len(line.size) for line in lines)
    picture: list[list[Piece]] = [[BLANK] * room for _ in lines]
    for row, line in enumerate(lines):
        role: Role = "accent" if line.is_here else "axis"
        first, last = _column(line.start, longest, room), _column(line.end, longest, room)
        for column in range(first, last + 1):
            picture[row][column] = (glyphs.line, role)
        picture[row][last] = (glyphs.here if line.is_here else glyphs.end, role)
        if line.parent is not None:
            picture[row][first] = (glyphs.bend, role)
            _connect(picture, line.parent, row, first, glyphs)
    rows: list[Row] = []
    for row, line in enumerate(lines):
        words = _fitted(line.words, width - room - sizes - 3)
        named: Role = "text" if line.is_here else "dim"
        rows.append(
            joined(
                [*picture[row], (" " * (1 + sizes - len(line.size)), "text"), (f"{line.size}  ", "dim"), (words, named)]
            )
        )
    return rows


def _fitted(words: str, room: int) -> str:
    if cell_len(words) <= room:
        return words
    return f"{set_cell_size(words, room - 1).rstrip()}…" if room > 1 else ""


def _connect(picture: list[list[Piece]], parent: int, row: int, column: int, glyphs: Glyphs) -> None:
    """A line down from the parent; where another branch leaves at the same place they share it."""
    if picture[parent][column][0] == glyphs.line:
        picture[parent][column] = (glyphs.fork, picture[parent][column][1])
    for between in range(parent + 1, row):
        glyph, role = picture[between][column]
        if glyph == " ":
            picture[between][column] = (glyphs.drop, "axis")
        elif glyph == glyphs.bend:
            picture[between][column] = (glyphs.tee, role)


def _column(turn: int, longest: int, room: int) -> int:
    return min(room - 1, turn * (room - 1) // longest)
