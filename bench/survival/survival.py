"""Which probes a text still holds: by the key of a path, by a word that stands alone, or word for word."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.survival.finders import names_in
from bench.survival.probes import Kind, Probe
from bench.survival.ruler import words_of_all
from diligent_tui.domain.requests import RequestMessage

LENIENT_SHARE = 0.75
_WORD = re.compile(r"\w{4,}")
_PART = re.compile(r"\w")


@dataclass(slots=True)
class Tally:
    """How many probes of each kind there were, and how many are held."""

    asked: dict[str, int] = field(default_factory=dict[str, int])
    held: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, kind: str, *, is_held: bool) -> None:
        """Count one probe."""
        self.asked[kind] = self.asked.get(kind, 0) + 1
        self.held[kind] = self.held.get(kind, 0) + is_held

    def add(self, other: "Tally") -> None:
        """Count all of another."""
        for kind, count in other.asked.items():
            self.asked[kind] = self.asked.get(kind, 0) + count
            self.held[kind] = self.held.get(kind, 0) + other.held.get(kind, 0)

    def share(self, kind: str) -> float | None:
        """The part that is held, None if nothing was asked."""
        return self.held[kind] / self.asked[kind] if self.asked.get(kind) else None


def held_in(messages: Sequence[RequestMessage]) -> "Held":
    """A context, ready to be asked."""
    return Held(words_of_all(messages))


class Held:
    """A text made ready to be asked."""

    def __init__(self, text: str) -> None:
        """Read it once."""
        self._text = text
        self._plain = " ".join(self._text.split())
        self._names = names_in(self._text)
        self._lines: list[frozenset[str]] | None = None

    def has(self, probe: Probe) -> bool:
        """Whether the text holds it, to the letter."""
        kind: Kind = probe.kind
        match kind:
            case "needed_path" | "files_modified" | "files_read":
                return self._stands_alone(probe.text)
            case "needed_ident":
                return probe.text in self._names
            case "needed_literal":
                return probe.text in self._text
            case "errors" | "user_rules" | "todo":
                return probe.text in self._plain

    def has_in_sense(self, probe: Probe) -> bool:
        """Whether three quarters of its longer words stand in one line."""
        if self._lines is None:
            self._lines = [frozenset(_WORD.findall(line.lower())) for line in self._text.splitlines()]
        words = frozenset(_WORD.findall(probe.text.lower()))
        return self.has(probe) or any(len(words & line) >= LENIENT_SHARE * len(words) for line in self._lines)

    def tally(self, probes: Iterable[Probe]) -> Tally:
        """Ask for all of them; rules also in the lenient way."""
        tally = Tally()
        for probe in probes:
            tally.count(probe.kind, is_held=self.has(probe))
            if probe.kind == "user_rules":
                tally.count("user_lenient", is_held=self.has_in_sense(probe))
        return tally

    def _stands_alone(self, key: str) -> bool:
        start = self._text.find(key)
        while start >= 0:
            before, after = self._text[start - 1 : start], self._text[start + len(key) : start + len(key) + 1]
            if not _PART.match(before) and not _PART.match(after):
                return True
            start = self._text.find(key, start + 1)
        return False
