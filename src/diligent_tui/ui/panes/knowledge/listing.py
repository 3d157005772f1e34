"""Which entries are listed and in what order: those that are told, the budget's line, and those below it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeScope, KnowledgeType
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import KnownEntry, Overview

View = Literal["now", "in", "below", "left branch", "past"]
VIEWS: tuple[View, ...] = ("now", "in", "below", "left branch", "past")
MOST_TAG_CHARS = 24


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry."""

    known: KnownEntry

    @property
    def key(self) -> str:
        """What the cursor knows it by."""
        return key_of(self.known)


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

    def fits(self, known: KnownEntry, text: str) -> bool:
        """Whether an entry is listed; `text` is what it says, in small letters."""
        entry = known.entry
        return (
            self._is_in_view(known)
            and self.type in (None, entry.type)
            and self.scope in (None, entry.scope)
            and (not self.tag or self.tag in entry.tags)
            and all(word in text for word in self.words.lower().split())
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
    """Everything the pane knows, made in a thread: `texts` are what is searched, by key."""

    overview: Overview = field(default_factory=Overview)
    candidates: tuple[InboxCandidate, ...] = ()
    texts: dict[str, str] = field(default_factory=dict[str, str])
    tags: tuple[str, ...] = ()
    """All tags of what holds, the most used first."""
    by_id: dict[str, KnownEntry] = field(default_factory=dict[str, KnownEntry])
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
            {key_of(known): _searched(known) for known in overview.entries},
            tuple(sorted(counted, key=lambda tag: (-counted[tag], tag))),
            {known.entry.id: known for known in reversed(overview.entries)},
            sum(known.is_told for known in live),
            len(live),
        )

    def rows(self, sieve: Sieve) -> list[Row]:
        """The entries that a sieve lets through, with the budget's line at its place."""
        fitting = [known for known in self.overview.entries if sieve.fits(known, self.texts[key_of(known)])]
        above: list[Row] = [EntryRow(known) for known in fitting if known.is_told]
        below: list[Row] = [EntryRow(known) for known in fitting if not known.is_told]
        if not fitting or sieve.view == "past":
            return [*above, *below]
        return [*above, BudgetRow(self.overview.tokens, self.overview.budget_tokens), *below]


def _searched(known: KnownEntry) -> str:
    entry = known.entry
    return f"{entry.content}\n{' '.join(f'#{tag}' for tag in entry.tags)}\n{entry.id}".lower()
