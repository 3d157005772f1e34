"""Where one reads in a text of any size: a line of it and a row of that line, moved by rows of the screen."""

from collections.abc import Callable
from typing import Generic, TypeVar

from diligent_tui.ui.panes.tools.text_window import TextWindow

RowT = TypeVar("RowT")
MOST_LINES_KEPT = 512


class ReadingPlace(Generic[RowT]):
    """The top of the screen in a text; rows are made of lines in sight only."""

    def __init__(self, window: TextWindow, wrap: Callable[[str, int], list[RowT]]) -> None:
        """Begin at the beginning; `wrap` makes rows of a width of a line."""
        self._window = window
        self._wrap = wrap
        self._width = 1
        self._height = 1
        self._start = 0
        self._row = 0
        self._lines: dict[int, list[RowT]] = {}

    @property
    def place_bytes(self) -> int:
        """Where the line at the top begins."""
        return self._start

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        return self._rows_below(self._height + 1) <= self._height

    def resize(self, width: int, height: int) -> None:
        """Wrap for another screen."""
        width, height = max(1, width), max(1, height)
        if width != self._width:
            self._lines.clear()
            self._row = 0
        self._width, self._height = width, height
        self._fill()

    def rows(self) -> list[RowT]:
        """What is in sight."""
        rows: list[RowT] = []
        start: int | None = self._start
        skip = self._row
        while start is not None and len(rows) < self._height:
            rows += self._line(start)[skip:]
            start, skip = self._window.start_after(start), 0
        return rows[: self._height]

    def move(self, rows: int) -> None:
        """Go down by so many rows, or up."""
        if rows > 0:
            self._down(min(rows, self._rows_below(self._height + rows) - self._height))
        else:
            self._up(-rows)

    def go_to_share(self, share: float) -> None:
        """Go to a share of the whole, from 0 to 1."""
        self._start = self._window.start_before(round(share * self._window.size_bytes) + 1) or 0
        self._row = 0
        self._fill()

    def go_to_end(self) -> None:
        """Go to the last rows."""
        self._start = self._window.start_before(self._window.size_bytes) or 0
        self._row = max(0, len(self._line(self._start)) - 1)
        self._fill()

    def _fill(self) -> None:
        """No blank rows below the end while there are others above."""
        self._row = min(self._row, len(self._line(self._start)) - 1)
        missing = self._height - self._rows_below(self._height)
        if missing > 0:
            self._up(missing)

    def _rows_below(self, most: int) -> int:
        """How many rows there are from the top on, counted up to `most`."""
        counted = -self._row
        start: int | None = self._start
        while start is not None and counted < most:
            counted += len(self._line(start))
            start = self._window.start_after(start)
        return counted

    def _down(self, rows: int) -> None:
        while rows > 0:
            left = len(self._line(self._start)) - self._row
            if rows < left:
                self._row += rows
                return
            after = self._window.start_after(self._start)
            if after is None:
                return
            self._start, self._row, rows = after, 0, rows - left

    def _up(self, rows: int) -> None:
        while rows > self._row:
            before = self._window.start_before(self._start)
            if before is None:
                self._row = 0
                return
            rows -= self._row + 1
            self._start, self._row = before, len(self._line(before)) - 1
        self._row -= rows

    def _line(self, start: int) -> list[RowT]:
        rows = self._lines.get(start)
        if rows is None:
            if len(self._lines) >= MOST_LINES_KEPT:
                self._lines.clear()
            rows = self._lines[start] = self._wrap(self._window.text(start), self._width)
        return rows
