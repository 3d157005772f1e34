"""What a search brought to the screen, and how its words are set off."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.plain_text import clean
from diligent_tui.session.recall import Hit, matches_in, query_parts_in, terms_in

MATCH = "bold $accent"


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with its entry; None if it could not be read."""

    hit: Hit
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The words looked for, as they are to be set off."""

    words: frozenset[str] = frozenset()
    begun: str = ""
    parts: frozenset[str] = frozenset()
    """Of the names among the words."""

    @classmethod
    def of(cls, query: str) -> "Asked":
        """The words of a question; the last one may go on."""
        terms = terms_in(query)
        begun = terms[-1] if terms and len(terms[-1]) > 1 and query[-1:].strip() else ""
        return cls(frozenset(terms), begun, frozenset(query_parts_in(query)))

    def within(self, text: str) -> "Asked":
        """The same for one text: where it holds a whole word, parts of names say nothing more."""
        return replace(self, parts=frozenset()) if matches_in(text, self.words, self.begun) else self

    def mark(self, text: str) -> Content:
        """The text with these words set off."""
        content = Content(text)
        for start, end in self._matches(text):
            content = content.stylize(MATCH, start, end)
        return content

    def weight(self, text: str) -> int:
        """How much of them a text holds: a whole name weighs more than a part of one."""
        return sum(map(len, {text[start:end].lower() for start, end in self._matches(text)}))

    def _matches(self, text: str) -> list[tuple[int, int]]:
        return matches_in(text, self.words | self.parts, self.begun)


def spoken_by(who: str) -> str:
    """Who said it, as it is said to the user."""
    return "you" if who == "user" else who


def best_line(snippet: str, asked: Asked) -> str:
    """The line of a snippet that says most; the first of equals."""
    lines: Sequence[str] = [line.strip() for line in clean(snippet).split("\n") if line.strip()] or [""]
    return max(lines, key=asked.weight)
