"""A cheap guess at the rows a text will take, so that a re-wrap need not read any text."""

from typing import NamedTuple


class TextExtent(NamedTuple):
    """How much text there is, counted once when a block is made."""

    lines: int
    cells: int

    @classmethod
    def of(cls, text: str) -> "TextExtent":
        """Count a text; characters stand in for cells, which is near enough for a guess."""
        return cls(text.count("\n") + 1, len(text))

    def rows(self, width_cells: int) -> int:
        """About how many rows the text takes: short lines as they are, long ones wrapped."""
        wrapped = self.cells // max(1, width_cells) + (self.lines + 1) // 2
        return max(1, self.lines, wrapped)
