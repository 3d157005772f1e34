"""What pictures are made of: pieces of text with a role, and the glyphs to draw with."""

from dataclasses import dataclass
from typing import Literal, get_args

from rich.cells import cell_len

Role = Literal["text", "title", "dim", "axis", "bar", "chosen", "memory", "accent"]
Piece = tuple[str, Role]
Row = list[Piece]
BLANK: Piece = (" ", "text")
MarkKind = Literal["compaction", "undo", "redo", "model", "prune"]
"""What a mark on the axis stands for, the weightiest first: of two in one column the second moves aside."""
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of glyphs; each of them is one cell wide."""

    levels: str
    """From an empty cell to a full one, in eighths."""
    corner: str
    floor: str
    wall: str
    limit: str
    chosen: str
    marks: tuple[str, str, str, str, str]
    """In the order of the kinds of marks."""
    line: str
    fork: str
    bend: str
    tee: str
    drop: str
    end: str
    here: str

    def mark(self, kind: MarkKind) -> str:
        """The glyph of a mark."""
        return self.marks[MARK_KINDS.index(kind)]


BLOCKS = Glyphs(" ▁▂▃▄▅▆▇█", "└", "─", "│", "╌", "▴", ("⟳", "↶", "↷", "⇄", "▒"), "━", "┳", "┗", "┣", "┃", "╸", "●")
ASCII = Glyphs(" ..::++##", "+", "-", "|", "-", "^", ("C", "u", "r", "M", "p"), "=", "+", "`", "+", "|", "=", "@")
"""For terminals that have little more than letters."""


def width_of(row: Row) -> int:
    """How many cells a row has."""
    return sum(cell_len(text) for text, _ in row)


def joined(pieces: Row) -> Row:
    """The same cells in as few pieces as there are changes of role."""
    row: Row = []
    for text, role in pieces:
        if row and row[-1][1] == role:
            row[-1] = (row[-1][0] + text, role)
        elif text:
            row.append((text, role))
    return row
