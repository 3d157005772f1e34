"""Rows to read by number, so that a long text is made into strips only where it is in sight."""

from collections.abc import Sequence
from typing import Protocol

from rich.segment import Segment
from textual.strip import Strip


class Rows(Protocol):
    """Rows by number, some of them perhaps not drawn yet."""

    @property
    def height(self) -> int:
        """How many there are."""
        ...

    def strip(self, row: int) -> Strip:
        """One of them."""
        ...


class DrawnRows:
    """Rows whose words and styles are known already."""

    def __init__(self, rows: Sequence[Sequence[Segment]]) -> None:
        """Hold these."""
        self._rows = rows

    @property
    def height(self) -> int:
        """How many there are."""
        return len(self._rows)

    def strip(self, row: int) -> Strip:
        """One of them."""
        return Strip(self._rows[row])
