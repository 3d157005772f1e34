"""The lines of a hunk as coloured spans, lexed a portion at a time when they first come into sight."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from rich.style import Style

from diligent_tui.domain.plain_text import clean, reveal
from diligent_tui.ui.markdown.code import LONGEST_LINE_CHARS, CodeStyles, Highlighter
from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.widgets.diff.model import DiffLine, Hunk

PORTION_LINES = 100
"""Lexed at once: about a screen, whatever the hunk's length."""
MOST_PORTIONS_KEPT = 64
LONGEST_SHOWN_CHARS = 4_000
"""A line is shown to here; what is left out is counted, never passed over in silence."""
RETURN_SIGN = "␍"
TAB_SPACES = "    "


def shown_text(line: DiffLine, *, shows_returns: bool, reveals: bool = False) -> str:
    """The line as it is shown: harmless, of bounded length, on one line, and if asked for with all that hides."""
    text = line.text if shows_returns else line.text.removesuffix("\r")
    rest = len(text) - LONGEST_SHOWN_CHARS
    text = text[:LONGEST_SHOWN_CHARS].replace("\r", RETURN_SIGN)
    # A tab hides nothing, and code that is indented with signs cannot be read.
    text = reveal(text.replace("\t", TAB_SPACES)) if reveals else clean(text)
    text = text.replace("\n", "␤")
    return f"{text} … {rest:,} more characters" if rest > 0 else text


def shows_returns(hunk: Hunk) -> bool:
    """Whether carriage returns are part of what changed; in a file that ends every line so they are noise."""
    return not all(line.text.endswith("\r") for line in hunk.lines)


def language_of(name: str) -> str:
    """What a lexer is found by: the file's ending, else its name."""
    path = PurePosixPath(name)
    return (path.suffix.removeprefix(".") or path.name).lower()


class HunkColours:
    """Coloured spans of each line of a hunk; each side is lexed as the code it is."""

    def __init__(self, hunk: Hunk, texts: Sequence[str], language: str, styles: CodeStyles) -> None:
        """Colour these texts, which are the hunk's lines as shown."""
        self.lexed_lines = 0
        """How many lines went through a lexer so far."""
        self._hunk = hunk
        self._texts = texts
        self._language = language
        self._styles = styles
        self._portions: dict[int, dict[int, list[Span]]] = {}

    def spans(self, number: int) -> list[Span]:
        """The spans of one line."""
        portion = number // PORTION_LINES
        if portion not in self._portions:
            if len(self._portions) >= MOST_PORTIONS_KEPT:
                self._portions.clear()
            self._portions[portion] = self._lex(portion * PORTION_LINES)
        return self._portions[portion][number]

    def _lex(self, start: int) -> dict[int, list[Span]]:
        numbers = range(start, min(start + PORTION_LINES, len(self._texts)))
        lines = self._hunk.lines
        spans = self._side([number for number in numbers if lines[number].kind != "removed"])
        if any(lines[number].kind == "removed" for number in numbers):
            old = self._side([number for number in numbers if lines[number].kind != "added"])
            spans |= {number: line for number, line in old.items() if lines[number].kind == "removed"}
        return spans

    def _side(self, numbers: Sequence[int]) -> dict[int, list[Span]]:
        highlighter = Highlighter(self._styles, self._language)
        for number in numbers:
            text = self._texts[number]
            highlighter.add(text, is_part=len(text) > LONGEST_LINE_CHARS)
        highlighter.close()
        self.lexed_lines += len(numbers)
        found = zip(numbers, highlighter.lines, strict=False)
        return {number: self._checked(line, self._texts[number]) for number, line in found}

    def _checked(self, spans: list[Span], text: str) -> list[Span]:
        """The spans, or the text in one if a lexer changed it."""
        return spans if "".join(span.text for span in spans) == text else plain_spans(text, self._styles.base)


def plain_spans(text: str, style: Style) -> list[Span]:
    """A text in one style."""
    return [Span(text, style)] if text else []
