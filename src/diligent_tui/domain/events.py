"""Facts that the core tells its front ends: frozen, serialisable, past tense.

Order within a turn:

    TurnStarted
      (StepStarted
        (TextDelta | ThinkingDelta | ToolCallStarted ToolCallDelta* ToolCallReady)*
        RetryScheduled*                          before anything of the answer came: the same request again
        MessageSaved UsageRecorded? ContextMeasured
        RetryScheduled?                          the answer was cut off: the next step goes on from what is saved
        ((PermissionRequested PermissionResolved)? ToolStarted ToolOutput* ToolFinished MessageSaved)*   for each call
      )+
    TurnFinished | TurnFailed

MessageSaved of the prompt comes before StepStarted and so before any byte from a provider. QueueChanged,
ModelChanged, ModeChanged, LeafMoved, Labelled, SessionRenamed, Pinned, Unpinned, Knowledge… and StorageFailed may
come at any time. A compaction tells CompactionPlanned? CompactionStarted CompactionPruned? (CompactionSummarising
CompactionSummaryDelta* CompactionChecking CompactionRejected?)* and then CompactionFinished or CompactionFailed,
between steps or turns. An errand, for which the model is asked beside the talk, tells ErrandStarted (ErrandAsked
ErrandDelta* UsageRecorded?)? and then ErrandFinished or ErrandFailed, also while a turn goes on.
"""

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

from diligent_tui.domain.errors import Problem
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.records import Record, to_json_object
from diligent_tui.domain.usage import Usage

ErrandKind = Literal["learn", "branch_summary"]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A prompt is being worked on."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A request goes out; `message_id` is the answer's id to be."""

    turn_id: str
    message_id: str
    number: int
    model_id: str
    sizes_bytes: tuple[tuple[str, int], ...] = ()
    """Of the request's parts, in the order in which they are cached."""
    prefix_break: str = ""
    """Why the request cannot use what the one before it left in the provider's cache; empty if it can."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Words arrived."""

    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """Reasoning arrived."""

    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """The model began to write a tool call."""

    message_id: str
    call_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """More of a call's arguments arrived, as raw JSON text."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallReady:
    """A call is whole."""

    call_id: str
    name: str
    input: JsonObject


@dataclass(frozen=True, slots=True)
class PermissionRequested:
    """A call waits for the user; `resolve_permission` answers."""

    call_id: str
    name: str
    subject: str
    reason: str
    diff: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class PermissionResolved:
    """The user, the mode or a rule has decided."""

    call_id: str
    allowed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool runs."""

    call_id: str
    name: str
    input: JsonObject
    timeout_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A running tool said something."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has ended."""

    call_id: str
    name: str
    output: str
    is_error: bool
    duration_seconds: float
    diff: str = ""
    exit_code: int | None = None
    spill: str | None = None


@dataclass(frozen=True, slots=True)
class MessageSaved:
    """A message is on disk and synced."""

    entry_id: str
    role: Literal["user", "assistant", "tool_result"]
    text: str
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class UsageRecorded:
    """What a request cost; a summary is paid for like an answer, and told apart from it."""

    message_id: str
    model_id: str
    usage: Usage
    cost: float | None
    purpose: Literal["turn", "summary"] = "turn"


@dataclass(frozen=True, slots=True)
class ContextMeasured:
    """How full the context is; `parts` splits it by kind, `estimated` says that no provider counted it."""

    tokens: int
    limit: int
    limit_assumed: bool
    estimated: bool
    parts: tuple[tuple[str, int], ...]

    @property
    def percent(self) -> float:
        """Share of the window, in per cent."""
        return 100 * self.tokens / self.limit if self.limit else 0.0


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """The request will be sent again."""

    message_id: str
    attempt: int
    delay_seconds: float
    problem: Problem


@dataclass(frozen=True, slots=True)
class QueuedText:
    """One text that waits, as shown above the prompt."""

    id: str
    text: str
    kind: Literal["queue", "steer"]


@dataclass(frozen=True, slots=True)
class QueueChanged:
    """Texts that wait for their turn, oldest first."""

    items: tuple[QueuedText, ...]


@dataclass(frozen=True, slots=True)
class CompactionPlanned:
    """What a compaction would do."""

    cut_entry_id: str
    tokens_before: int
    tokens_after: int
    messages: int


@dataclass(frozen=True, slots=True)
class CompactionStarted:
    """A compaction begins."""

    compaction_id: str
    tokens_before: int
    limit: int
    strategy: str
    reason: Literal["threshold", "overflow", "manual", "model_switch"]


@dataclass(frozen=True, slots=True)
class CompactionPruned:
    """Old outputs were replaced by digests."""

    compaction_id: str
    outputs: int
    tokens_saved: int
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompactionSummarising:
    """A summary is being written, of about so many words; 0 if that is not known."""

    compaction_id: str
    messages: int
    expected_words: int = 0
    part: int = 1
    """One of `part_count`, written one after the other where all at once would not fit the model."""
    part_count: int = 1


@dataclass(frozen=True, slots=True)
class CompactionSummaryDelta:
    """More of the summary arrived."""

    compaction_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CompactionChecking:
    """A summary is written and is held against what it covers."""

    compaction_id: str


@dataclass(frozen=True, slots=True)
class CompactionRejected:
    """A summary was not good enough."""

    compaction_id: str
    why: str


@dataclass(frozen=True, slots=True)
class CompactionFinished:
    """A compaction is saved."""

    compaction_id: str
    tokens_before: int
    tokens_after: int
    messages: int
    pruned: int
    summarised: int
    summary: str
    strategy: str = ""
    reason: str = ""
    duration_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CompactionFailed:
    """A compaction did not happen; nothing changed."""

    compaction_id: str
    problem: Problem
    can_retry: bool
    suggest_new_session: bool


@dataclass(frozen=True, slots=True)
class CompactionReverted:
    """A compaction was undone, or redone."""

    compaction_id: str
    redone: bool


@dataclass(frozen=True, slots=True)
class ErrandStarted:
    """The model will be asked beside the talk: what is worth knowing, or for a summary of a branch that is left."""

    errand_id: str
    kind: ErrandKind
    messages: int
    """How many of them it is about."""


@dataclass(frozen=True, slots=True)
class ErrandAsked:
    """The request of an errand went out; about so many words are to come."""

    errand_id: str
    model_id: str
    expected_words: int


@dataclass(frozen=True, slots=True)
class ErrandDelta:
    """More of an errand's answer arrived."""

    errand_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ErrandFinished:
    """What an errand brought is kept."""

    errand_id: str
    kind: ErrandKind
    text: str
    candidates: int
    """How many facts wait in the inbox because of it."""
    duration_seconds: float


@dataclass(frozen=True, slots=True)
class ErrandFailed:
    """An errand brought nothing; nothing changed."""

    errand_id: str
    kind: ErrandKind
    problem: Problem


@dataclass(frozen=True, slots=True)
class ContextOverflowed:
    """A request was larger than the window."""

    message_id: str
    tokens: int
    limit: int
    percent: float


@dataclass(frozen=True, slots=True)
class SummaryEdited:
    """A summary has a new version."""

    compaction_id: str
    supersedes: str


@dataclass(frozen=True, slots=True)
class KnowledgeSaved:
    """A fact was kept."""

    knowledge_id: str
    content: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeSuperseded:
    """A fact took another's place."""

    knowledge_id: str
    superseded_id: str
    content: str


@dataclass(frozen=True, slots=True)
class KnowledgeRetracted:
    """A fact was taken back, or brought back."""

    knowledge_id: str
    restored: bool = False


@dataclass(frozen=True, slots=True)
class KnowledgeProposed:
    """A candidate waits in the inbox."""

    candidate_id: str
    content: str


@dataclass(frozen=True, slots=True)
class KnowledgePinned:
    """A fact was pinned, or its pin taken away."""

    knowledge_id: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class CandidateResolved:
    """A candidate was accepted or rejected."""

    candidate_id: str
    accepted: bool
    knowledge_id: str = ""
    """The entry that it became."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """An entry stays in the context."""

    entry_id: str


@dataclass(frozen=True, slots=True)
class Unpinned:
    """An entry may leave the context again."""

    entry_id: str


@dataclass(frozen=True, slots=True)
class LeafMoved:
    """The session goes on from another place; `branch` is the label that stands nearest above it."""

    entry_id: str | None
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An entry has a name, or lost it; `branch` is the label that now stands nearest above the leaf."""

    entry_id: str
    label: str
    branch: str = ""


@dataclass(frozen=True, slots=True)
class SessionRenamed:
    """The session has a name."""

    name: str


@dataclass(frozen=True, slots=True)
class SessionForked:
    """A new session begins as a copy of this path."""

    session_id: str
    from_entry_id: str | None


@dataclass(frozen=True, slots=True)
class ModelChanged:
    """Another model, or another thinking level, answers from now on."""

    model_id: str
    thinking: str | None


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """Another permission mode is in force."""

    mode: str


@dataclass(frozen=True, slots=True)
class SandboxProbed:
    """How commands are shut in here: a word for the edge of the screen, and a sentence that says what that means."""

    word: str
    sentence: str


@dataclass(frozen=True, slots=True)
class StorageFailed:
    """Something could not be saved; `text` is what is kept in memory meanwhile."""

    problem: Problem
    text: str


@dataclass(frozen=True, slots=True)
class StorageRecovered:
    """What could not be saved before is saved now."""


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """A turn came to its end; `reason` says how."""

    turn_id: str
    reason: str
    steps: int
    usage: Usage
    cost: float | None


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """A turn could not go on; what it did so far is kept."""

    turn_id: str
    problem: Problem


Event = (
    TurnStarted
    | StepStarted
    | TextDelta
    | ThinkingDelta
    | ToolCallStarted
    | ToolCallDelta
    | ToolCallReady
    | PermissionRequested
    | PermissionResolved
    | ToolStarted
    | ToolOutput
    | ToolFinished
    | MessageSaved
    | UsageRecorded
    | ContextMeasured
    | RetryScheduled
    | QueueChanged
    | CompactionPlanned
    | CompactionStarted
    | CompactionPruned
    | CompactionSummarising
    | CompactionSummaryDelta
    | CompactionChecking
    | CompactionRejected
    | CompactionFinished
    | CompactionFailed
    | CompactionReverted
    | ErrandStarted
    | ErrandAsked
    | ErrandDelta
    | ErrandFinished
    | ErrandFailed
    | ContextOverflowed
    | SummaryEdited
    | KnowledgeSaved
    | KnowledgeSuperseded
    | KnowledgeRetracted
    | KnowledgeProposed
    | KnowledgePinned
    | CandidateResolved
    | Pinned
    | Unpinned
    | LeafMoved
    | Labelled
    | SessionRenamed
    | SessionForked
    | ModelChanged
    | ModeChanged
    | SandboxProbed
    | StorageFailed
    | StorageRecovered
    | TurnFinished
    | TurnFailed
)

EVENT_CLASSES: tuple[type[Event], ...] = get_args(Event)
_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def event_name(event_class: type[Event]) -> str:
    """The event's name on the wire, such as `text_delta`."""
    return _WORD_START.sub("_", event_class.__name__).lower()


def event_to_json(event: Event) -> JsonObject:
    """The event as a JSON object: `type` and its fields in camelCase."""
    return {"type": event_name(type(event)), **_fields(event)}


def _fields(value: object) -> JsonObject:
    if not dataclasses.is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is not a fact")
    return {_camel(field.name): _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return to_json_object(value)
    if dataclasses.is_dataclass(value):
        return _fields(value)
    if _is_tuple(value):
        return [_plain(item) for item in value]
    return value


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
