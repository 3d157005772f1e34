"""A saved conversation as blocks to be shown, and the words of each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.entries import BranchSummaryEntry, CompactionEntry, Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ThinkingBlock, ToolResultMessage, UserMessage, text_of

Kind = Literal["prompt", "answer", "thinking", "tool", "notice", "memory"]
ToolState = Literal["waiting", "running", "done", "failed"]


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


@dataclass(slots=True)
class Transcript:
    """The blocks of a path that is there already, in order."""

    begins_inside: bool = False
    """True if other blocks will be put above the first."""
    _last_kind: Kind | None = None

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
            case CompactionEntry():
                return [replace(self._kept(entry, "memory", entry.summary), subject="compacted")]
            case BranchSummaryEntry():
                return [replace(self._kept(entry, "memory", entry.summary), subject="summary of the branch you left")]
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
    """Whether a blank row stands between two blocks; calls stand close together."""
    return not (kind == next_kind == "tool")


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
        case "memory", CompactionEntry() | BranchSummaryEntry():
            return entry.summary
        case _:
            return block.text


def diff_of(block: ChatBlock, entry: Entry) -> str:
    """What a call changed; a saved one reads it from its entry."""
    match entry:
        case MessageEntry(message=ToolResultMessage(diff=str() as diff)):
            return diff
        case _:
            return block.diff
