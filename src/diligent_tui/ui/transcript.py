"""A saved conversation as blocks to be shown, and the words of each."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    PruneEntry,
    SteeringEntry,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ThinkingBlock, ToolResultMessage, UserMessage, text_of
from diligent_tui.domain.user_run import SIGN, user_run_in

Kind = Literal["prompt", "answer", "thinking", "tool", "notice", "memory"]
ToolState = Literal["waiting", "running", "done", "failed"]
MemoryDeed = Literal["compacting", "compacted", "edited", "pruned", "undone", "redone", "failed", "stopped", "branch"]
MACHINERY: tuple[Kind, ...] = ("tool", "memory")
"""Kinds that stand close together."""


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """What was done to the context, told in one row; what is None is not known."""

    deed: MemoryDeed
    tokens_before: int | None = None
    tokens_after: int | None = None
    tokens_saved: int | None = None
    count: int | None = None
    """Messages that were covered, or outputs that were pruned."""
    duration_seconds: float | None = None
    phase: str = ""
    """What goes on, while it does."""


@dataclass(frozen=True, slots=True)
class ChatBlock:
    """One block of the chat; `text` is empty for a saved one, whose words are read when it is drawn."""

    id: str
    kind: Kind
    version: int = 0
    entry_id: str | None = None
    size_bytes: int = 0
    line_count: int = 1
    has_gap: bool = False
    """True if a blank row stands before it."""
    text: str = ""
    tool_name: str = ""
    subject: str = ""
    state: ToolState = "done"
    duration_seconds: float | None = None
    diff: str = ""
    """What a call changed; empty for a saved one, like `text`."""
    exit_code: int | None = None
    is_live: bool = False
    is_error: bool = False
    memory: MemoryNote | None = None
    """What a block of memory tells; None for one that reads it from its entry."""


@dataclass(slots=True)
class Transcript:
    """The blocks of a path that is there already, in order."""

    begins_inside: bool = False
    """True if other blocks will be put above the first."""
    _last_kind: Kind | None = None
    _reverts: dict[str, MemoryDeed] = field(default_factory=dict[str, MemoryDeed])

    def saved(self, entries: Iterable[Entry]) -> list[ChatBlock]:
        """The blocks of some entries that follow those given before."""
        blocks: list[ChatBlock] = []
        subjects: dict[str, str] = {}
        for entry in entries:
            blocks.extend(self._saved_entry(entry, subjects))
        return blocks

    def _saved_entry(self, entry: Entry, subjects: dict[str, str]) -> list[ChatBlock]:
        match entry:
            case MessageEntry(message=UserMessage() as message):
                return [self._kept(entry, "prompt", text_of(message.content))]
            case MessageEntry(message=AssistantMessage() as message):
                subjects.update((call.id, subject_of(call.input)) for call in message.tool_calls)
                thoughts = "".join(block.thinking for block in message.content if isinstance(block, ThinkingBlock))
                blocks = [self._kept(entry, "thinking", thoughts)] if thoughts.strip() else []
                if message.text.strip():
                    blocks.append(self._kept(entry, "answer", message.text))
                if ending := ENDINGS.get(message.stop_reason or ""):
                    blocks.append(self._kept(entry, "notice", "", text=ending))
                return blocks
            case MessageEntry(message=ToolResultMessage() as message):
                subject = subjects.pop(message.tool_call_id, "")
                block = self._kept(entry, "tool", message.diff or text_of(message.output))
                return [
                    replace(
                        block,
                        tool_name=message.tool_name,
                        subject=subject,
                        state="failed" if message.is_error else "done",
                        duration_seconds=message.duration_seconds,
                        exit_code=message.exit_code,
                    )
                ]
            case SteeringEntry():
                return [self._kept(entry, "prompt", entry.message)]
            case KnowledgeNoteEntry() if (run := user_run_in(entry)) is not None:
                said = self._kept(entry, "prompt", run.command, text=f"{SIGN}{run.command}")
                card = self._kept(entry, "tool", run.output, text=run.output)
                state: ToolState = "failed" if run.is_error else "done"
                return [said, replace(card, tool_name="bash", subject=run.command, state=state)]
            case CompactionEntry() | BranchSummaryEntry():
                return [self._kept(entry, "memory", _memory_words(entry))]
            case PruneEntry(items=items) if items:
                return [self._kept(entry, "memory", _memory_words(entry))]
            case CompactionRevertEntry():
                # A revert that is aimed at another takes that back.
                deed: MemoryDeed = "redone" if self._reverts.get(entry.target_id) == "undone" else "undone"
                self._reverts[entry.id] = deed
                return [replace(self._kept(entry, "memory", ""), memory=MemoryNote(deed))]
            case _:
                return []

    def _kept(self, entry: Entry, kind: Kind, words: str, *, text: str = "") -> ChatBlock:
        block = ChatBlock(
            f"{entry.id}-{kind}",
            kind,
            entry_id=entry.id,
            size_bytes=len(words),
            line_count=1 + words.count("\n"),
            has_gap=self._has_gap(kind),
            text=text,
        )
        self._last_kind = kind
        return block

    def _has_gap(self, kind: Kind) -> bool:
        return self.begins_inside if self._last_kind is None else gap_between(self._last_kind, kind)


def gap_between(kind: Kind, next_kind: Kind) -> bool:
    """Whether a blank row stands between two blocks; the machinery stands close together."""
    return not (kind in MACHINERY and next_kind in MACHINERY)


def subject_of(arguments: JsonObject) -> str:
    """What a call is about: its first plain words."""
    words = [value for value in arguments.values() if isinstance(value, str)]
    return words[0] if words else ""


def words_of(block: ChatBlock, entry: Entry) -> str:
    """The words of a block; a saved one reads them from its entry."""
    match block.kind, entry:
        case "prompt", MessageEntry(message=UserMessage() as message):
            return text_of(message.content)
        case "prompt", SteeringEntry():
            return entry.message
        case "thinking", MessageEntry(message=AssistantMessage() as message):
            return "".join(part.thinking for part in message.content if isinstance(part, ThinkingBlock))
        case "answer", MessageEntry(message=AssistantMessage() as message):
            return message.text
        case "tool", MessageEntry(message=ToolResultMessage() as message):
            return text_of(message.output)
        case "memory", CompactionEntry() | BranchSummaryEntry() | PruneEntry():
            return _memory_words(entry)
        case _:
            return block.text


def note_of(entry: Entry) -> MemoryNote | None:
    """What an entry did to the context."""
    match entry:
        case CompactionEntry():
            return MemoryNote(
                "edited" if entry.supersedes else "compacted",
                tokens_before=entry.tokens_before or None,
                tokens_after=entry.tokens_after,
                count=entry.messages,
                duration_seconds=entry.duration_seconds,
            )
        case PruneEntry():
            return MemoryNote("pruned", count=len(entry.items))
        case BranchSummaryEntry():
            return MemoryNote("branch")
        case _:
            return None


def _memory_words(entry: CompactionEntry | BranchSummaryEntry | PruneEntry) -> str:
    match entry:
        case CompactionEntry():
            prefix = entry.turn_prefix.summary if entry.turn_prefix else ""
            return "\n\n".join(filter(None, (entry.summary, prefix, entry.ledger)))
        case BranchSummaryEntry():
            return entry.summary
        case PruneEntry():
            # A digest is some lines; the first says what it was.
            return "\n".join([item.digest.split("\n", 1)[0] for item in entry.items])


def diff_of(block: ChatBlock, entry: Entry) -> str:
    """What a call changed; a saved one reads it from its entry."""
    match entry:
        case MessageEntry(message=ToolResultMessage(diff=str() as diff)):
            return diff
        case _:
            return block.diff
