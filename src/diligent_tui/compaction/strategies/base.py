"""What a strategy is given and what it gives back; the contract between those who compact and those who write.

A strategy never fails because of a model: whatever a provider does, it ends in a `Written` made some other way. It
raises `NotWorthIt` where nothing it could write would free enough, and it may be cancelled at any moment.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from diligent_tui.compaction.coverage import CoverageReport
from diligent_tui.compaction.facts import Facts
from diligent_tui.compaction.planning import Plan
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, RequestMessage
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Piece


class NotWorthIt(DiligentError):
    """A compaction would free too little, so none was made."""

    kind = "not_worth_it"
    advice_by_default = "Go on; there will be more to compact later. A larger window also helps."


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes the summary."""

    model: Model
    window_tokens: int
    ask: Callable[[Request], AsyncGenerator[Piece, None]]
    """One request; retries of faults that pass by themselves happen inside."""
    conversation: Request | None = None
    """The conversation's own request, if its own model writes on the cached prefix; None asks with a transcript."""
    covered: tuple[RequestMessage, ...] = ()
    """Messages of the items before the cut, built like any request's; only beside `conversation`."""


@dataclass(frozen=True, slots=True)
class Summarising:
    """A model is asked about so many messages, for a summary of about so many words; maybe one of several parts."""

    messages: int
    expected_words: int = 0
    part: int = 1
    parts: int = 1


@dataclass(frozen=True, slots=True)
class SummaryWords:
    """More words of the summary arrived."""

    text: str


@dataclass(frozen=True, slots=True)
class Checking:
    """The summary is whole and is held against its source."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """What was written cannot be used; another try or another way follows."""

    why: str


Progress = Summarising | SummaryWords | Checking | Rejected


def tell_nobody(_: Progress) -> None:
    """For a job that nobody watches."""


@dataclass(frozen=True, slots=True)
class Job:
    """A compaction that is planned and waits for its words."""

    plan: Plan
    facts: Facts
    sizes: Sizes
    policy: CompactionPolicy
    writer: Writer
    reason: str
    focus: str = ""
    anchor_id: str = ""
    """The prune entry that is saved just before, if one will be."""
    known_text: str = ""
    """System prompt and the like: nothing that stands there is invented."""
    knowledge: tuple[str, ...] = ()
    """Texts of knowledge entries, for the coverage report."""
    asks_candidates: bool = True
    tell: Callable[[Progress], None] = tell_nobody


@dataclass(frozen=True, slots=True)
class Written:
    """A compaction ready to be saved, and how it came about."""

    entry: CompactionEntry
    """Without an id yet; its strategy is the one really used."""
    coverage: CoverageReport
    candidates: tuple[Candidate, ...] = ()
    usage: Usage | None = None
    """Of all answers together, refused ones included."""
    complaints: tuple[str, ...] = ()
    """Why tries were rejected, in plain sentences."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to compact, by its name."""

    name: str
    help: str
    prunes: bool
    """Whether old outputs are pruned first."""
    write: Callable[[Job], Awaitable[Written]] | None
    """None if pruning is all it does."""
