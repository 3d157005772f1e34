"""One line of text being typed: a value and what each key makes of it."""

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.widgets.prompt.line_steps import space_left, step_left, step_right

MOST_CHARS = 200


@dataclass(frozen=True, slots=True)
class LineField:
    """The text and where its cursor stands."""

    text: str = ""
    column: int = 0

    @classmethod
    def of(cls, text: str) -> "LineField":
        """A field with a text in it and the cursor behind."""
        shown = clean_line(text, MOST_CHARS)
        return cls(shown, len(shown))

    def press(self, key: str, character: str | None) -> "LineField | None":
        """What a key makes of it; None if it is no key for a line of text."""
        match key:
            case "left" | "ctrl+b":
                return LineField(self.text, step_left(self.text, self.column))
            case "right" | "ctrl+f":
                return LineField(self.text, step_right(self.text, self.column))
            case "home" | "ctrl+a":
                return LineField(self.text, 0)
            case "end" | "ctrl+e":
                return LineField(self.text, len(self.text))
            case "backspace" | "ctrl+h":
                return self._without(step_left(self.text, self.column), self.column)
            case "delete" | "ctrl+d":
                return self._without(self.column, step_right(self.text, self.column))
            case "ctrl+w" | "alt+backspace":
                return self._without(space_left(self.text, self.column), self.column)
            case "ctrl+u":
                return self._without(0, self.column)
            case "ctrl+k":
                return self._without(self.column, len(self.text))
            case _:
                is_typed = character is not None and character.isprintable() and not key.startswith(("alt+", "ctrl+"))
                return self.insert(character or "") if is_typed else None

    def insert(self, text: str) -> "LineField":
        """The text with more of it at the cursor, as far as there is room."""
        more = text[: max(0, MOST_CHARS - len(self.text))]
        return LineField(self.text[: self.column] + more + self.text[self.column :], self.column + len(more))

    def paste(self, text: str) -> "LineField":
        """The text with a paste in it, on one line."""
        return self.insert(clean_line(text, MOST_CHARS))

    def draw(self, room: int) -> Content:
        """The text with its cursor, scrolled so that the cursor is seen."""
        start = 0
        while start < self.column and cell_len(self.text[start : self.column]) >= max(1, room - 1):
            start += 1
        end = step_right(self.text, self.column)
        at_cursor = self.text[self.column : end] or " "
        return Content.assemble(self.text[start : self.column], (at_cursor, "reverse"), self.text[end:]).truncate(
            max(1, room)
        )

    def _without(self, start: int, end: int) -> "LineField":
        return LineField(self.text[:start] + self.text[end:], start)
