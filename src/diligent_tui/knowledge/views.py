"""Knowledge as it is shown: each entry with its fate and its score, and how full the budget is."""

from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.ranking import Score

Fate = Literal["live", "superseded", "retracted"]


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """One entry as it stands now."""

    entry: KnowledgeEntry
    fate: Fate
    score: Score | None = None
    """None unless it is live."""
    is_told: bool = False
    """True if it is inside the budget now; a live entry that is not is below the line."""
    superseded_by: tuple[str, ...] = ()
    """What took its place, oldest first; more than one only after a merge in git."""
    is_left_behind: bool = False
    """True if it was learnt in this session on a branch that is not the current one, and nobody said to keep it."""

    @property
    def pinned(self) -> bool:
        """Whether it stands before all that are not pinned."""
        return self.score is not None and self.score.pinned


@dataclass(frozen=True, slots=True)
class Overview:
    """All entries of both files: the live ones by rank, then those of the past, the newest first."""

    entries: tuple[KnownEntry, ...] = ()
    tokens: int = 0
    """Tokens of what is told, as they are counted for the budget."""
    budget_tokens: int = 0
    damaged: int = 0
    """Lines that mean nothing, in both files and the inbox; they stay where they are."""

    @property
    def live(self) -> tuple[KnownEntry, ...]:
        """The entries that hold, by rank."""
        return tuple(known for known in self.entries if known.fate == "live")


@dataclass(frozen=True, slots=True)
class Uses:
    """How often this session's path made use of an entry."""

    told: int = 0
    """System prompts and notes that name it."""
    found: int = 0
    """Answers of search_knowledge that name it."""
    named: int = 0
    """Answers of the model that name its id."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Lines that mean nothing, by the file they are in; they are kept."""

    project: int = 0
    user: int = 0
    inbox: int = 0

    @property
    def total(self) -> int:
        """In all files."""
        return self.project + self.user + self.inbox
