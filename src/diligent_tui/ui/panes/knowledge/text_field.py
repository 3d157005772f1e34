"""Text being typed, on one line or on many: a value, and what each key makes of it."""

from dataclasses import dataclass, replace

from rich.cells import cell_len

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.widgets.prompt.line_steps import (
    is_typed,
    settle,
    space_left,
    step_left,
    step_right,
    word_left,
    word_right,
)

MOST_LINE_CHARS = 400
MOST_TEXT_CHARS = 12_000
NEWLINES = frozenset({"ctrl+j", "newline", "shift+enter", "alt+enter"})


@dataclass(frozen=True, slots=True)
class TextField:
    """The text and where its cursor stands; keys are those of a shell's line editor."""

    text: str = ""
    position: int = 0
    has_lines: bool = False
    """True if it may have more than one line."""

    @classmethod
    def of(cls, text: str, *, has_lines: bool = False) -> "TextField":
        """A field with a text in it, which may be anything, and the cursor behind."""
        shown = clean(text)[:MOST_TEXT_CHARS] if has_lines else _on_one_line(text)
        return cls(shown, len(shown), has_lines)

    def press(self, key: str, character: str | None, width: int) -> "TextField | None":
        """What a key makes of it at a width; None if it is no key for a text, or leads out of it."""
        moved = self._moved(key, width)
        if moved is not None:
            return replace(self, position=moved)
        if key in ("up", "down"):
            return None
        begin, end = self._line()
        match key:
            case "backspace" | "ctrl+h":
                return self._without(step_left(self.text, self.position), self.position)
            case "delete" | "ctrl+d":
                return self._without(self.position, step_right(self.text, self.position))
            case "ctrl+w" | "alt+backspace":
                start = begin + space_left(self.text[begin:end], self.position - begin)
                return self._without(min(start, step_left(self.text, self.position)), self.position)
            case "ctrl+u":
                return self._without(begin, self.position)
            case "ctrl+k":
                return self._without(self.position, end)
            case _ if key in NEWLINES and self.has_lines:
                return self.insert("\n")
            case _:
                is_plain = character is not None and not key.startswith(("alt+", "ctrl+")) and is_typed(character)
                return self.insert(character or "") if is_plain else None

    def insert(self, text: str) -> "TextField":
        """The text with more of it at the cursor, as far as there is room."""
        room = (MOST_TEXT_CHARS if self.has_lines else MOST_LINE_CHARS) - len(self.text)
        more = text[: max(0, room)]
        whole = self.text[: self.position] + more + self.text[self.position :]
        return replace(self, text=whole, position=self.position + len(more))

    def paste(self, text: str) -> "TextField":
        """The text with a paste in it, without anything that hides or acts."""
        return self.insert(clean(text) if self.has_lines else _on_one_line(text))

    def rows(self, width: int) -> list[tuple[int, int]]:
        """Where each row of the text begins and ends at a width; there is one at least."""
        rows: list[tuple[int, int]] = []
        start = 0
        for line in self.text.split("\n"):
            breaks = break_text(line, max(1, width))
            rows += [(start + each.begin, start + each.end) for each in breaks] or [(start, start)]
            start += len(line) + 1
        return rows

    def cursor(self, width: int) -> tuple[int, int]:
        """The row and the cell that the cursor stands on."""
        rows = self.rows(width)
        number = max((number for number, (begin, _) in enumerate(rows) if begin <= self.position), default=0)
        begin, _ = rows[number]
        # Behind a space that a break has swallowed the cursor waits at the end of its row.
        return number, min(cell_len(self.text[begin : self.position]), max(0, width - 1))

    def _moved(self, key: str, width: int) -> int | None:
        begin, end = self._line()
        match key:
            case "left" | "ctrl+b":
                return step_left(self.text, self.position)
            case "right" | "ctrl+f":
                return step_right(self.text, self.position)
            case "home" | "ctrl+a":
                return begin
            case "end" | "ctrl+e":
                return end
            case "ctrl+left" | "alt+b" | "alt+left":
                return word_left(self.text, self.position)
            case "ctrl+right" | "alt+f" | "alt+right":
                return word_right(self.text, self.position)
            case "up" | "down" if self.has_lines:
                return self._by_rows(-1 if key == "up" else 1, width)
            case _:
                return None

    def _by_rows(self, step: int, width: int) -> int | None:
        rows = self.rows(width)
        number, cells = self.cursor(width)
        if not 0 <= number + step < len(rows):
            return None
        begin, end = rows[number + step]
        place = begin
        while place < end and cell_len(self.text[begin:place]) < cells:
            place += 1
        return begin + settle(self.text[begin:end], place - begin)

    def _line(self) -> tuple[int, int]:
        begin = self.text.rfind("\n", 0, self.position) + 1
        end = self.text.find("\n", self.position)
        return begin, len(self.text) if end < 0 else end

    def _without(self, begin: int, end: int) -> "TextField":
        return replace(self, text=self.text[:begin] + self.text[end:], position=begin)


def _on_one_line(text: str) -> str:
    return " ".join(clean(text).split("\n"))[:MOST_LINE_CHARS]
