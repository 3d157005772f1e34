"""The lines of a session file, version 2: one class for each type, decoded leniently.

Three kinds of entry, told apart by what they do to the leaf:
- content (`message`, `branch_summary`, `knowledge_note`, `steering`): talk; the next entry hangs on it;
- lenses and settings (`compaction`, `prune`, `pin`, `model_change`, …): on the path too, acting on one branch only;
- side notes (`label`, `leaf`, `partial`, `queued`, …): about the session, never on the way from root to leaf.
"""

from typing import Literal

from pydantic import Field, ValidationError

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Message
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.domain.records import Record, to_json_object
from diligent_tui.domain.times import Stamp

SESSION_VERSION = 2
READABLE_IN_PLACE = (1, 2)
FIRST_PROMPT_CHARS = 200
"""So much of the first prompt is repeated with the totals: a list reads no more than the ends of a file."""

SIDE_TYPES = frozenset({"label", "leaf", "partial", "queued", "unqueued", "session_info"})
CONTENT_TYPES = frozenset({"message", "branch_summary", "knowledge_note", "steering"})
LENS_TYPES = frozenset({"compaction", "compaction_revert", "prune", "pin", "unpin"})


class SessionHeader(Record):
    """The first line of a session file."""

    type: Literal["session"] = "session"
    version: int = SESSION_VERSION
    id: str
    timestamp: Stamp
    cwd: str = ""
    parent_session: str | None = None


class EntryBase(Record):
    """What every entry has; one that is not saved yet has no id."""

    id: str = ""
    parent_id: str | None = None
    timestamp: Stamp = ""


class MessageEntry(EntryBase):
    """A prompt, an answer or a tool's result; `queued_id` names the waiting text that it delivers."""

    type: Literal["message"] = "message"
    message: Message
    queued_id: str | None = None


class ModelChangeEntry(EntryBase):
    """From here on another model, or another thinking level, answers."""

    type: Literal["model_change"] = "model_change"
    provider: str
    model_id: str
    thinking: str | None = None


class SessionInfoEntry(EntryBase):
    """The session's name, and at each turn's end its totals, so that a list needs no more than head and tail."""

    type: Literal["session_info"] = "session_info"
    name: str | None = None
    compactions: int | None = None
    last_compaction_at: Stamp | None = None
    tokens: int | None = None
    cost: float | None = None
    first_prompt: str | None = None


class TurnPrefix(Record):
    """For a cut inside a turn: its prompt, kept verbatim, and what the turn did before the cut."""

    prompt_id: str
    summary: str


class CompactionDetails(Record):
    """Files touched in the covered span, newest 200 each."""

    read_files: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()


class CompactionEntry(EntryBase):
    """A summary that stands for all entries before `first_kept_entry_id`; its size does not grow with them."""

    type: Literal["compaction"] = "compaction"
    summary: str
    first_kept_entry_id: str
    tokens_before: int = 0
    tokens_after: int | None = None
    details: CompactionDetails = Field(default_factory=CompactionDetails)
    strategy: str | None = None
    reason: str | None = None
    focus: str | None = None
    ledger: str = ""
    turn_prefix: TurnPrefix | None = None
    excluded: tuple[str, ...] = ()
    supersedes: str | None = None
    coverage: dict[str, int] | None = None
    messages: int | None = None
    """How many messages it covers that were not covered before."""
    duration_seconds: float | None = None


class CompactionRevertEntry(EntryBase):
    """Undoes a compaction, or, aimed at another revert, redoes it."""

    type: Literal["compaction_revert"] = "compaction_revert"
    target_id: str


class PruneItem(Record):
    """One tool result and the digest that the model sees in its place."""

    target_id: str
    digest: str


class PruneEntry(EntryBase):
    """Tool results that are shown to the model as digests from here on."""

    type: Literal["prune"] = "prune"
    items: tuple[PruneItem, ...]
    tokens_saved: int | None = None


class SystemPromptEntry(EntryBase):
    """The system prompt from here on, so that any earlier request can be shown exactly."""

    type: Literal["system_prompt"] = "system_prompt"
    text: str


class PinEntry(EntryBase):
    """Keeps an entry in the context through compaction and pruning."""

    type: Literal["pin"] = "pin"
    target_id: str


class UnpinEntry(EntryBase):
    """Takes a pin away."""

    type: Literal["unpin"] = "unpin"
    target_id: str


class LabelEntry(EntryBase):
    """Names an entry; an empty label takes the name away."""

    type: Literal["label"] = "label"
    target_id: str
    label: str = ""


class BranchSummaryEntry(EntryBase):
    """What happened on a branch that was left."""

    type: Literal["branch_summary"] = "branch_summary"
    from_id: str
    summary: str


class LeafEntry(EntryBase):
    """The place the user moved to; None is before the first entry."""

    type: Literal["leaf"] = "leaf"
    target_id: str | None = None


class KnowledgeNoteEntry(EntryBase):
    """What the model is told at the tail: a change of knowledge, instructions or date, or what the user did."""

    type: Literal["knowledge_note"] = "knowledge_note"
    text: str = ""
    duration_seconds: float | None = None
    """How long a command of the user's ran; for people, the model is told in `text`."""


class PartialEntry(EntryBase):
    """A piece of an answer that is still streaming; the message of that id replaces all its pieces."""

    type: Literal["partial"] = "partial"
    message_id: str
    delta: str
    kind: Literal["text", "thinking"] = "text"


class QueuedEntry(EntryBase):
    """Text that waits for its turn."""

    type: Literal["queued"] = "queued"
    text: str
    kind: Literal["queue", "steer"] = "queue"
    before_id: str | None = None
    """The waiting text in front of which it stands, if that still waits; else it is the last."""


class UnqueuedEntry(EntryBase):
    """Queued text that was sent or taken back."""

    type: Literal["unqueued"] = "unqueued"
    target_id: str


class ModeChangeEntry(EntryBase):
    """The permission mode from here on."""

    type: Literal["mode_change"] = "mode_change"
    mode: str
    changed_by: str | None = None


class SteeringEntry(EntryBase):
    """A steering message as the first diligent wrote it; read as a user message."""

    type: Literal["steering"] = "steering"
    message: str
    source: str | None = None


class OtherEntry(EntryBase):
    """An entry of a type we do not know, or one whose fields are not what its type promises."""

    type: str


Entry = (
    MessageEntry
    | ModelChangeEntry
    | SessionInfoEntry
    | CompactionEntry
    | CompactionRevertEntry
    | PruneEntry
    | SystemPromptEntry
    | PinEntry
    | UnpinEntry
    | LabelEntry
    | BranchSummaryEntry
    | LeafEntry
    | KnowledgeNoteEntry
    | PartialEntry
    | QueuedEntry
    | UnqueuedEntry
    | ModeChangeEntry
    | SteeringEntry
    | OtherEntry
)

ENTRY_CLASSES: dict[str, type[Entry]] = {
    "message": MessageEntry,
    "model_change": ModelChangeEntry,
    "session_info": SessionInfoEntry,
    "compaction": CompactionEntry,
    "compaction_revert": CompactionRevertEntry,
    "prune": PruneEntry,
    "system_prompt": SystemPromptEntry,
    "pin": PinEntry,
    "unpin": UnpinEntry,
    "label": LabelEntry,
    "branch_summary": BranchSummaryEntry,
    "leaf": LeafEntry,
    "knowledge_note": KnowledgeNoteEntry,
    "partial": PartialEntry,
    "queued": QueuedEntry,
    "unqueued": UnqueuedEntry,
    "mode_change": ModeChangeEntry,
    "steering": SteeringEntry,
}


def encode_entry(entry: Entry) -> JsonObject:
    """The entry as it stands on disk; a root says plainly that it has no parent."""
    fields = to_json_object(entry)
    return {"type": entry.type, "id": entry.id, "parentId": entry.parent_id, **fields}


def decode_entry(line: JsonObject) -> Entry:
    """The entry that a parsed line means; one that breaks its type's promise keeps its place as an OtherEntry."""
    entry_class = ENTRY_CLASSES.get(str(line.get("type")), OtherEntry)
    try:
        return entry_class.model_validate(line)
    except ValidationError:
        pass
    mended = mend_surrogates(line)
    try:
        return entry_class.model_validate(mended)
    except ValidationError:
        return OtherEntry.model_validate(
            {
                **mended,
                "type": str(mended.get("type")),
                "id": str(mended.get("id")),
                "parentId": mended.get("parentId") if isinstance(mended.get("parentId"), str) else None,
                "timestamp": str(mended.get("timestamp", "")),
            }
        )
