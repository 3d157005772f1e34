"""The conversation as blocks to be shown: from saved entries, and event by event while it goes on."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from diligent_tui.domain.entries import BranchSummaryEntry, CompactionEntry, Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.events import (
    Event,
    MessageSaved,
    StepStarted,
    StorageFailed,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ThinkingBlock, ToolResultMessage, UserMessage, text_of

Kind = Literal["prompt", "answer", "thinking", "tool", "notice", "memory"]
ToolState = Literal["waiting", "running", "done", "failed"]

ENDINGS = {
    "interrupted": "stopped · what was said so far is kept",
    "max_tokens": "the answer hit the model's output limit and is not complete",
    "refusal": "the model refused to answer",
    "content_filter": "the provider's filter stopped the answer",
    "context_window": "the answer filled the model's window",
    "repeated_call": "stopped: the model made the same call again and again · say how to go on",
    "step_limit": "stopped at the step limit · say “go on” to continue",
    "cost_limit": "stopped at the cost limit",
    "token_limit": "stopped at the token limit",
}


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
    is_live: bool = False
    is_error: bool = False


@dataclass(slots=True)
class Transcript:
    """Blocks in order; `take` returns those that an event made or changed."""

    begins_inside: bool = False
    """True if other blocks will be put above the first."""
    _last_kind: Kind | None = None
    _calls: dict[str, ChatBlock] = field(default_factory=dict[str, ChatBlock])
    _open: ChatBlock | None = None
    _message_id: str = ""
    _part: int = 0

    def saved(self, entries: Iterable[Entry]) -> list[ChatBlock]:
        """The blocks of a path that is there already."""
        blocks: list[ChatBlock] = []
        subjects: dict[str, str] = {}
        for entry in entries:
            blocks.extend(self._saved_entry(entry, subjects))
        return blocks

    def take(self, event: Event) -> list[ChatBlock]:
        """The blocks that an event made or changed."""
        match event:
            case TurnStarted():
                return [self._new("prompt", event.turn_id, text=event.text)]
            case StepStarted():
                self._message_id, self._part, self._open = event.message_id, 0, None
                return []
            case TextDelta():
                return self._grow("answer", event.text)
            case ThinkingDelta():
                return self._grow("thinking", event.text)
            case ToolCallReady():
                closed = self._close()
                block = self._new(
                    "tool",
                    event.call_id,
                    tool_name=event.name,
                    subject=subject_of(event.input),
                    state="waiting",
                )
                self._calls[event.call_id] = block
                return [*closed, block]
            case ToolStarted():
                return self._tool(event.call_id, "running")
            case ToolOutput():
                known = self._calls.get(event.call_id)
                return self._tool(event.call_id, "running", known.text + event.text) if known else []
            case ToolFinished():
                state: ToolState = "failed" if event.is_error else "done"
                return self._tool(event.call_id, state, event.output, event.duration_seconds)
            case MessageSaved(role="user") if event.entry_id not in self._calls:
                return self._steered(event)
            case TurnFinished():
                closed = self._close()
                ending = ENDINGS.get(event.reason)
                return [*closed, self._new("notice", f"end-{event.turn_id}", text=ending)] if ending else closed
            case TurnFailed():
                closed = self._close()
                words = f"{event.problem.message} {event.problem.advice}"
                return [*closed, self._new("notice", f"failed-{event.turn_id}", text=words, is_error=True)]
            case StorageFailed():
                return []
            case _:
                return []

    def _steered(self, event: MessageSaved) -> list[ChatBlock]:
        """Words of the user's inside a turn; those that begin one were shown when it began."""
        if self._message_id and self._last_kind != "prompt":
            return [*self._close(), self._new("prompt", event.entry_id, text=event.text)]
        return []

    def _grow(self, kind: Kind, text: str) -> list[ChatBlock]:
        closed: list[ChatBlock] = []
        if self._open is None or self._open.kind != kind:
            closed = self._close()
            self._part += 1
            self._open = self._new(kind, f"{self._message_id}-{self._part}", is_live=True)
        self._open = replace(
            self._open,
            version=self._open.version + 1,
            text=text,
            size_bytes=self._open.size_bytes + len(text),
            line_count=self._open.line_count + text.count("\n"),
        )
        return [*closed, self._open]

    def _close(self) -> list[ChatBlock]:
        if self._open is None:
            return []
        block = replace(self._open, version=self._open.version + 1, text="", is_live=False)
        self._open = None
        return [block]

    def _tool(
        self, call_id: str, state: ToolState, text: str | None = None, duration_seconds: float | None = None
    ) -> list[ChatBlock]:
        known = self._calls.get(call_id)
        if known is None:
            return []
        words = known.text if text is None else text
        block = replace(
            known,
            version=known.version + 1,
            text=words,
            size_bytes=len(words),
            line_count=1 + words.count("\n"),
            state=state,
            duration_seconds=duration_seconds,
        )
        self._calls[call_id] = block
        if state in ("done", "failed"):
            del self._calls[call_id]
        return [block]

    def _new(
        self,
        kind: Kind,
        block_id: str,
        *,
        text: str = "",
        tool_name: str = "",
        subject: str = "",
        state: ToolState = "done",
        is_live: bool = False,
        is_error: bool = False,
    ) -> ChatBlock:
        block = ChatBlock(
            block_id,
            kind,
            size_bytes=len(text),
            line_count=1 + text.count("\n"),
            has_gap=self._gap_before(kind),
            text=text,
            tool_name=tool_name,
            subject=subject,
            state=state,
            is_live=is_live,
            is_error=is_error,
        )
        self._last_kind = kind
        return block

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
                if message.stop_reason in ENDINGS:
                    blocks.append(self._kept(entry, "notice", "", text=ENDINGS[message.stop_reason]))
                return blocks
            case MessageEntry(message=ToolResultMessage() as message):
                subject = subjects.pop(message.tool_call_id, "")
                block = self._kept(entry, "tool", text_of(message.output))
                state: ToolState = "failed" if message.is_error else "done"
                return [replace(block, tool_name=message.tool_name, subject=subject, state=state)]
            case SteeringEntry():
                return [self._kept(entry, "prompt", entry.message)]
            case CompactionEntry():
                return [self._kept(entry, "memory", entry.summary)]
            case BranchSummaryEntry():
                return [self._kept(entry, "memory", entry.summary)]
            case _:
                return []

    def _kept(self, entry: Entry, kind: Kind, words: str, *, text: str = "") -> ChatBlock:
        block = ChatBlock(
            f"{entry.id}-{kind}",
            kind,
            entry_id=entry.id,
            size_bytes=len(words),
            line_count=1 + words.count("\n"),
            has_gap=self._gap_before(kind),
            text=text,
        )
        self._last_kind = kind
        return block

    def _gap_before(self, kind: Kind) -> bool:
        last = self._last_kind
        if last is None:
            return self.begins_inside
        return not (kind == last == "tool")


def subject_of(arguments: JsonObject) -> str:
    """What a call is about: its first plain words."""
    words = [value for value in arguments.values() if isinstance(value, str)]
    return words[0] if words else ""


def words_of(block: ChatBlock, entry: Entry | None) -> str:
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
