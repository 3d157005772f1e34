"""What became of each fact of a covered span: in the summary, in the ledger, in knowledge, dropped; and what is new."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from diligent_tui.compaction.extractors import Finding, FindingKind
from diligent_tui.compaction.mentions import Mention, path_tail

Place = Literal["summary", "ledger", "knowledge", "dropped", "invented"]
PLACES: tuple[Place, ...] = get_args(Place)
ERROR_CHARS = 70
"""An error is known by its beginning; what follows is often a place or a value."""
SENTENCE_SHARE = 0.75
"""A sentence is carried over if so many of its telling words stand in one line."""

_WORD = re.compile(r"[^\W_][\w'-]*|[\w.-]*\w", re.UNICODE)
_SMALL_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "do", "does", "for", "from", "had"),
        *("has", "have", "i", "if", "in", "into", "is", "it", "its", "just", "let", "like", "me", "my", "no", "not"),
        *("now", "of", "ok", "on", "or", "our", "please", "so", "some", "than", "that", "the", "their", "then"),
        *("there", "they", "this", "to", "too", "up", "was", "we", "were", "what", "when", "which", "will", "with"),
        *("would", "you", "your"),
    )
)


@dataclass(frozen=True, slots=True)
class CoverageItem:
    """One fact and where it is now; an invented one comes from no entry."""

    kind: FindingKind | Literal["path", "url", "version", "hash"]
    text: str
    entry_id: str
    place: Place


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """All facts of a covered span."""

    items: tuple[CoverageItem, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many facts are where, for the compaction entry."""
        counts = dict.fromkeys(map(str, PLACES), 0)
        for item in self.items:
            counts[item.place] += 1
        return counts

    def at(self, place: Place) -> tuple[CoverageItem, ...]:
        """The facts at one place."""
        return tuple(item for item in self.items if item.place == place)


def coverage_of(
    findings: Sequence[Finding],
    summary: str,
    ledger: str,
    knowledge: Iterable[str] = (),
    invented: Iterable[Mention] = (),
) -> CoverageReport:
    """Hold what was found against what is kept; the summary counts before the ledger, and that before knowledge."""
    kept: tuple[tuple[Place, _Text], ...] = (
        ("summary", _Text(summary)),
        ("ledger", _Text(ledger)),
        ("knowledge", _Text("\n".join(knowledge))),
    )
    items = [CoverageItem(finding.kind, finding.text, finding.entry_id, _place(finding, kept)) for finding in findings]
    items += [CoverageItem(mention.kind, mention.text, "", "invented") for mention in invented]
    return CoverageReport(tuple(items))


def rescued_line(item: CoverageItem) -> str:
    """The line by which a dropped fact is put back into a summary, with its source."""
    mark = f" [{item.entry_id}]" if item.entry_id else ""
    return f"- {item.text}{mark}"


@dataclass(slots=True)
class _Text:
    """A text in which facts are looked for, prepared once."""

    text: str
    plain: str = field(init=False)
    words: frozenset[str] = field(init=False)
    lines: list[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.plain = " ".join(self.text.split()).lower()
        self.lines = [frozenset(_words(line)) for line in self.text.splitlines() if line.strip()]
        self.words = frozenset().union(*self.lines) if self.lines else frozenset()

    def has(self, finding: Finding) -> bool:
        if not self.plain:
            return False
        plain = " ".join(finding.text.split()).lower()
        match finding.kind:
            case "file":
                return path_tail(finding.text).lower() in self.plain
            case "error":
                return plain[:ERROR_CHARS] in self.plain
            case "number" | "identifier":
                return _stands_alone(plain, self.plain)
            case "decision" | "constraint":
                return plain in self.plain or self._has_sentence(plain)

    def _has_sentence(self, sentence: str) -> bool:
        telling = frozenset(_words(sentence)) - _SMALL_WORDS
        needed = len(telling) * SENTENCE_SHARE
        # Most sentences are nowhere: one look at all words spares the look at each line.
        if not telling or len(telling & self.words) < needed:
            return False
        return any(len(telling & line) >= needed for line in self.lines)


def _place(finding: Finding, kept: Sequence[tuple[Place, _Text]]) -> Place:
    for place, text in kept:
        if text.has(finding):
            return place
    return "dropped"


def _stands_alone(needle: str, text: str) -> bool:
    """Whether a name or number stands in a text by itself and not inside a longer one."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[start - 1 : start] if start else "", text[end : end + 1]
        if not (_is_part(before) and _is_part(needle[0])) and not (_is_part(after) and _is_part(needle[-1])):
            return True
        start = text.find(needle, start + 1)
    return False


def _is_part(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _words(text: str) -> Iterator[str]:
    return (word.strip("'-.") for word in _WORD.findall(text.lower()))
