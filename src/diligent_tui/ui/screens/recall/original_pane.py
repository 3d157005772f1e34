"""The whole text of the hit under the cursor; only what is in sight is wrapped, so its length does not matter."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.recall.found import Asked, Found, spoken_by

PIECE_CHARS = 2_000
"""A longer line is wrapped in pieces."""
LINES_BEFORE = 2
"""So much is seen of what stands before the match."""
ID_CHARS = 40
WHEEL_ROWS = 3


class OriginalPane(Widget, can_focus=False):
    """Shows a text from the line that matched."""

    def __init__(self) -> None:
        """Begin with nothing to show."""
        super().__init__(id="recall-original", markup=False)
        self._found: Found | None = None
        self._asked = Asked()
        self._lines: Sequence[str] | None = ()
        self._numbers: Sequence[int] = ()
        self._line = 0
        self._row = 0

    def show(self, found: Found | None, text: str | None, asked: Asked) -> None:
        """Show an entry; without `text` it is still being read."""
        self._found, self._asked = found, asked.within(found.hit.snippet) if found else asked
        self._line = self._row = 0
        if text is None:
            self._lines = None
        else:
            pieces = [(number, piece) for number, line in enumerate(text.split("\n"), 1) for piece in _pieces(line)]
            self._numbers = [number for number, _ in pieces]
            self._lines = [piece for _, piece in pieces]
            if found is not None:
                wanted = max(1, found.hit.line - LINES_BEFORE)
                self._line = next((place for place, number in enumerate(self._numbers) if number >= wanted), 0)
        self.refresh()

    @property
    def page(self) -> int:
        """How many rows of text are in sight."""
        return max(1, self.size.height - 2)

    def scroll_rows(self, rows: int) -> None:
        """Go down, or up, in the text."""
        for _ in range(abs(rows)):
            if not (self._step_down() if rows > 0 else self._step_up()):
                break
        self.refresh()

    def render(self) -> Content:
        """What it is, then as many rows as there are."""
        width, height = self.size
        if self._found is None or width < 4:
            return Content("")
        hit = self._found.hit
        if self._lines is None:
            return Content("\n\n").join([self._head(width, ""), Content.styled("Reading …", "$dim")])
        rows: list[Content] = []
        for place in range(self._line, len(self._lines)):
            wrapped = self._wrapped(place, width)
            rows += wrapped[self._row :] if place == self._line else wrapped
            if len(rows) >= height - 2:
                break
        whole = fmt.count(self._numbers[-1] if self._numbers else 0, "line")
        begin = self._numbers[self._line] if self._numbers else 1
        where = f"from line {begin:,} of {whole}" if begin > 1 else whole
        head = self._head(width, where if hit.snippet else "")
        return Content("\n").join([head, Content(""), *rows[: max(0, height - 2)]])

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel scrolls."""
        event.stop()
        self.scroll_rows(WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel scrolls."""
        event.stop()
        self.scroll_rows(-WHEEL_ROWS)

    def _head(self, width: int, where: str) -> Content:
        hit = self._found.hit if self._found else None
        words = (
            " · ".join(filter(None, (clean_line(hit.entry_id, ID_CHARS), clean_line(spoken_by(hit.who)), where)))
            if hit
            else ""
        )
        return Content.styled(words, "$dim").truncate(width, ellipsis=True)

    def _wrapped(self, place: int, width: int) -> list[Content]:
        lines = self._lines or ()
        return self._asked.mark(clean(lines[place])).wrap(max(2, width)) or [Content("")]

    def _step_down(self) -> bool:
        lines = self._lines or ()
        if self._row + 1 < len(self._wrapped(self._line, self.size.width)) if lines else False:
            self._row += 1
        elif self._line + 1 < len(lines):
            self._line, self._row = self._line + 1, 0
        else:
            return False
        return True

    def _step_up(self) -> bool:
        if self._row:
            self._row -= 1
        elif self._line:
            self._line -= 1
            self._row = len(self._wrapped(self._line, self.size.width)) - 1
        else:
            return False
        return True


def _pieces(line: str) -> list[str]:
    return [line[start : start + PIECE_CHARS] for start in range(0, max(1, len(line)), PIECE_CHARS)]
