"""Which entries are listed and in what order: those that are told, the budget's line, and those below it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry, KnowledgeScope, KnowledgeType
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import KnownEntry, Overview

View = Literal["now", "in", "below", "left branch", "past"]
VIEWS: tuple[View, ...] = ("now", "in", "below", "left branch", "past")
MOST_TAG_CHARS = 24


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry; `key` is what the cursor knows it by, `searched` what it says in small letters."""

    known: KnownEntry
    key: str
    searched: str = ""

    @classmethod
    def of(cls, known: KnownEntry) -> "EntryRow":
        """The row of an entry."""
        return cls(known, key_of(known), _searched(known))


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """The line above which entries are told to the model."""

    tokens: int
    budget_tokens: int
    key: str = "budget"


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate that waits in the inbox."""

    candidate: InboxCandidate

    @property
    def key(self) -> str:
        """What the cursor knows it by."""
        return self.candidate.id


@dataclass(frozen=True, slots=True)
class NearRow:
    """An entry to be merged; the first is the one that the others are near to."""

    known: KnownEntry
    similarity: float | None
    is_chosen: bool

    @property
    def key(self) -> str:
        """What the cursor knows it by."""
        return key_of(self.known)


Row = EntryRow | BudgetRow | CandidateRow | NearRow


def key_of(known: KnownEntry) -> str:
    """An entry's key; ids are unique in their file only."""
    return f"{known.entry.scope}:{known.entry.id}"


@dataclass(frozen=True, slots=True)
class Sieve:
    """What is listed."""

    view: View = "now"
    type: KnowledgeType | None = None
    scope: KnowledgeScope | None = None
    tag: str = ""
    words: str = ""

    @property
    def is_open(self) -> bool:
        """True if every entry that holds is listed."""
        return self == Sieve()

    @property
    def said(self) -> str:
        """What is listed, in words."""
        view = "" if self.view == "now" else self.view
        tag = f"#{clean_line(self.tag, MOST_TAG_CHARS)}" if self.tag else ""
        words = f"“{clean_line(self.words, MOST_TAG_CHARS)}”" if self.words else ""
        return " · ".join(filter(None, (view, self.type or "", self.scope or "", tag, words)))

    def sift(self, rows: Iterable[EntryRow]) -> list[EntryRow]:
        """The rows that are listed; quick, for it is done at each key."""
        words = self.words.lower().split()
        return [row for row in rows if self._fits(row.known) and all(word in row.searched for word in words)]

    def _fits(self, known: KnownEntry) -> bool:
        entry = known.entry
        return (
            self._is_in_view(known)
            and (self.type is None or self.type == entry.type)
            and (self.scope is None or self.scope == entry.scope)
            and (not self.tag or self.tag in entry.tags)
        )

    def next_view(self, step: int = 1) -> "Sieve":
        """The next view."""
        return replace(self, view=VIEWS[(VIEWS.index(self.view) + step) % len(VIEWS)])

    def next_type(self) -> "Sieve":
        """One type after the other, then all."""
        choices: tuple[KnowledgeType | None, ...] = (None, *KNOWLEDGE_TYPES)
        return replace(self, type=choices[(choices.index(self.type) + 1) % len(choices)])

    def next_scope(self) -> "Sieve":
        """The project's, the user's, then both."""
        choices: tuple[KnowledgeScope | None, ...] = (None, "project", "user")
        return replace(self, scope=choices[(choices.index(self.scope) + 1) % len(choices)])

    def next_tag(self, tags: Sequence[str]) -> "Sieve":
        """One tag after the other, then any."""
        choices = ("", *tags)
        place = choices.index(self.tag) + 1 if self.tag in choices else 0
        return replace(self, tag=choices[place % len(choices)])

    def _is_in_view(self, known: KnownEntry) -> bool:
        match self.view:
            case "now":
                return known.fate == "live"
            case "in":
                return known.is_told
            case "below":
                return known.fate == "live" and not known.is_told
            case "left branch":
                return known.fate == "live" and known.is_left_behind
            case "past":
                return known.fate != "live"


@dataclass(frozen=True, slots=True)
class Book:
    """Everything the pane knows, made in a thread."""

    overview: Overview = field(default_factory=Overview)
    candidates: tuple[InboxCandidate, ...] = ()
    entries: dict[str, EntryRow] = field(default_factory=dict[str, EntryRow])
    """The rows of all entries by their keys: what holds by rank, then the past."""
    tags: tuple[str, ...] = ()
    """All tags of what holds, the most used first."""
    told_count: int = 0
    live_count: int = 0

    @classmethod
    def of(cls, overview: Overview, candidates: Iterable[InboxCandidate]) -> "Book":
        """What an overview comes to."""
        live = overview.live
        counted = Counter(tag for known in live for tag in known.entry.tags)
        return cls(
            overview,
            tuple(candidates),
            {row.key: row for row in map(EntryRow.of, overview.entries)},
            tuple(sorted(counted, key=lambda tag: (-counted[tag], tag))),
            sum(known.is_told for known in live),
            len(live),
        )

    def find(self, entry: KnowledgeEntry) -> KnownEntry | None:
        """An entry as it stands in the book."""
        row = self.entries.get(f"{entry.scope}:{entry.id}")
        return row.known if row else None

    def rows(self, sieve: Sieve) -> list[Row]:
        """The entries that a sieve lets through, with the budget's line at its place."""
        fitting = sieve.sift(self.entries.values())
        if not fitting or sieve.view == "past":
            return [*fitting]
        line = BudgetRow(self.overview.tokens, self.overview.budget_tokens)
        above = [row for row in fitting if row.known.is_told]
        below = [row for row in fitting if not row.known.is_told]
        return [*above, line, *below]


def _searched(known: KnownEntry) -> str:
    entry = known.entry
    return f"{entry.content}\n{' '.join(f'#{tag}' for tag in entry.tags)}\n{entry.id}".lower()
