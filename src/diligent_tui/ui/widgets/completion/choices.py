"""A list to choose from and a place in it; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diligent_tui.ui.key_line import Hint

MOST_ROWS = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: what is shown, what is said beside it, and what it stands for."""

    label: str
    value: str
    detail: str = ""
    is_open_ended: bool = False
    """True if one goes on from it: a folder, or a command that needs words."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The rows that were found, the best first, and which one is chosen."""

    rows: tuple[Choice, ...] = ()
    wanted: str = ""
    """The letters that were meant, to set them off in the labels."""
    place: int = 0
    title: str = ""
    """What is searched, if the words are typed above the list."""
    keys: Sequence[Hint] = ()
    """What the keys do."""
    note: str = ""
    """How many there are."""

    @property
    def chosen(self) -> Choice | None:
        """The row under the mark."""
        return self.rows[self.place] if self.rows else None

    def moved(self, step: int) -> "Choices":
        """The same rows with the mark elsewhere; from the end it goes on at the beginning."""
        return replace(self, place=(self.place + step) % len(self.rows)) if self.rows else self

    def moved_by_page(self, step: int) -> "Choices":
        """The same rows with the mark some rows on, at most at an end."""
        last = max(0, len(self.rows) - 1)
        return replace(self, place=min(max(0, self.place + step * MOST_ROWS), last))

    def window(self, rows: int) -> range:
        """The places of the rows that are in sight where there is room for so many."""
        first = min(max(0, self.place - rows // 2), max(0, len(self.rows) - rows))
        return range(first, min(len(self.rows), first + rows))
