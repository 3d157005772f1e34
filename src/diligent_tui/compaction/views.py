"""What a front end wishes of a compaction, and what it is shown before and after; plain data."""

from dataclasses import dataclass
from typing import Literal

from diligent_tui.compaction.cut_points import CutPoint
from diligent_tui.compaction.sizes import Kind
from diligent_tui.domain.entries import CompactionEntry

Reason = Literal["threshold", "overflow", "manual", "model_switch"]
BlockFate = Literal["summarised", "pruned", "kept", "pinned", "excluded"]
VersionState = Literal["active", "superseded", "covered", "undone"]
"""`superseded` by a later version of itself; `covered` by a later compaction, which began with it."""


@dataclass(frozen=True, slots=True)
class CompactionWish:
    """How to compact; what is left empty is decided by the settings."""

    reason: Reason = "manual"
    focus: str = ""
    strategy: str | None = None
    model_id: str | None = None
    cut: CutPoint | None = None
    """Where to cut; None lets the policy choose."""
    excluded: tuple[str, ...] = ()
    """Entries that nobody tells the summariser of."""
    restores: bool = False
    """Compact what was there before the active compaction, which this one then replaces."""


@dataclass(frozen=True, slots=True)
class PreviewBlock:
    """One block of the context and what a compaction would make of it."""

    entry_id: str
    who: str
    words: str
    """Its beginning, as it was said; hostile until it is cleaned."""
    tokens: int
    fate: BlockFate
    position: int
    """Its place in the sequence; a cut at this position keeps it."""
    answers: str = ""
    """The block with the call that this is the result of; without that one nobody is told of this one either."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A compaction that has not happened: its blocks, where it cuts, and what it would come to."""

    blocks: tuple[PreviewBlock, ...]
    cuts: tuple[CutPoint, ...]
    cut: CutPoint
    overhead_tokens: int
    tokens_before: int
    tokens_after: int
    """An estimate: nobody knows yet how long the summary will be."""
    limit_tokens: int
    has_summary: bool = False
    """Whether an earlier summary is updated."""


@dataclass(frozen=True, slots=True)
class Version:
    """One compaction of the path; versions of the same one share `chain_id`."""

    entry: CompactionEntry
    number: int
    """Which compaction of the path, from 1."""
    revision: int
    """Which version of it, from 1."""
    chain_id: str
    state: VersionState


@dataclass(frozen=True, slots=True)
class ContextPart:
    """One piece of a request as the model sees it."""

    kind: Kind
    title: str
    """Who or what it is: `system prompt`, `you`, `assistant`, `read src/a.py`."""
    text: str
    """All of it; hostile until it is cleaned."""
    tokens: int
    entry_id: str = ""
    note: str = ""
    """What is special about it: `digest`, `pinned`, `cut turn`."""


@dataclass(frozen=True, slots=True)
class ContextView:
    """A whole request, piece by piece, with its size."""

    model_id: str
    parts: tuple[ContextPart, ...]
    breakdown: tuple[tuple[Kind, int], ...]
    tokens: int
    limit_tokens: int
    limit_assumed: bool
    estimated: bool
