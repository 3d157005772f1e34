"""A saved conversation as blocks to be shown, and the words of each."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from diligent_tui.domain.endings import ENDINGS, FAILURES, UNANSWERED_CALL
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
from diligent_tui.domain.messages import (
    AssistantMessage,
    ImageBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from diligent_tui.domain.user_run import OWN_CALL, SIGN, user_run_in

Kind = Literal["prompt", "answer", "thinking", "tool", "notice", "memory", "footer"]
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


class TurnSpan(NamedTuple):
    """Which entries a finished turn is made of; what it took is read from them when its footer is drawn."""

    answer_ids: tuple[str, ...]
    ended_id: str
    began_id: str | None = None
    """The prompt; None if there was none, or if it is not read yet."""
    before_id: str | None = None
    """The last answer of the turn before it."""
    is_whole: bool = True
    """False while its beginning is not read yet."""


@dataclass(slots=True)
class TurnCount:
    """Gathers the entries of a turn, heard or read back; one that used nothing has no span."""

    before_id: str | None = None
    is_at_end: bool = False
    """True after an answer that calls no tool: what is said next is not part of the turn."""
    _began_id: str | None = None
    _answer_ids: list[str] = field(default_factory=list[str])
    _ended_id: str = ""
    _has_usage: bool = False

    @property
    def goes_on(self) -> bool:
        """True while a turn is under way that did not come to its end."""
        return bool(self._began_id or self._answer_ids) and not self.is_at_end

    def begin(self, entry_id: str) -> None:
        """A prompt was said."""
        self._began_id = entry_id
        self.is_at_end = False

    def answered(self, entry_id: str, *, calls: bool) -> None:
        """The model answered."""
        self._answer_ids.append(entry_id)
        self.went_on(entry_id)
        self.is_at_end = not calls

    def used(self) -> None:
        """What an answer used is known."""
        self._has_usage = True

    def went_on(self, entry_id: str) -> None:
        """A tool answered."""
        self._ended_id = entry_id
        self.is_at_end = False

    def close(self) -> TurnSpan | None:
        """The turn is over."""
        span = TurnSpan(tuple(self._answer_ids), self._ended_id, self._began_id, self.before_id)
        is_told = self._has_usage and bool(self._answer_ids)
        before_id = self._answer_ids[-1] if self._answer_ids else self.before_id
        self.before_id, self.is_at_end, self._began_id = before_id, False, None
        self._answer_ids, self._ended_id, self._has_usage = [], "", False
        return span if is_told else None


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
    span: TurnSpan | None = None
    """The turn that a footer ends."""
    names_files: bool = False
    """True if its entry may hold pictures."""


class OpenCall(NamedTuple):
    """A call whose result is not read yet, and the answer that made it."""

    answer_id: str
    call: ToolCallBlock


@dataclass(slots=True)
class Transcript:
    """The blocks of a path that is there already, in order."""

    begins_inside: bool = False
    """True if other blocks will be put above the first."""
    _last_kind: Kind | None = None
    _reverts: dict[str, MemoryDeed] = field(default_factory=dict[str, MemoryDeed])
    _count: TurnCount = field(default_factory=TurnCount)
    _open: dict[str, OpenCall] = field(default_factory=dict[str, OpenCall])

    def saved(self, entries: Iterable[Entry]) -> list[ChatBlock]:
        """The blocks of some entries that follow those given before; what has no result by their end has none."""
        blocks: list[ChatBlock] = []
        for entry in entries:
            ends_turn = self._ends_turn(entry)
            if self._open and (ends_turn or _leaves_calls_behind(entry)):
                blocks.extend(self._unanswered())
            if ends_turn:
                blocks.extend(self._footer())
            blocks.extend(self._saved_entry(entry))
        blocks.extend(self._unanswered())
        blocks.extend(self._footer())
        return blocks

    def _unanswered(self) -> list[ChatBlock]:
        """A card for each call without a result: whatever it was, it may have run."""
        blocks: list[ChatBlock] = []
        for known in self._open.values():
            blocks.append(
                ChatBlock(
                    unanswered_id(known.answer_id, known.call.id),
                    "tool",
                    entry_id=known.answer_id,
                    size_bytes=len(UNANSWERED_CALL),
                    line_count=1 + UNANSWERED_CALL.count("\n"),
                    has_gap=gap_between(self._last_kind, "tool"),
                    text=UNANSWERED_CALL,
                    tool_name=known.call.name,
                    subject=subject_of(known.call.input),
                    state="failed",
                )
            )
            self._last_kind = "tool"
        self._open.clear()
        return blocks

    def _ends_turn(self, entry: Entry) -> bool:
        """Whether the turn was over before an entry; what was said into a running one belongs to it."""
        match entry:
            case MessageEntry(message=UserMessage()):
                return self._count.is_at_end or entry.queued_id is None
            case KnowledgeNoteEntry():
                return user_run_in(entry) is not None
            case CompactionEntry() | BranchSummaryEntry() | PruneEntry() | CompactionRevertEntry():
                return self._count.is_at_end
            case _:
                return False

    def _footer(self) -> list[ChatBlock]:
        span = self._count.close()
        if span is None:
            return []
        self._last_kind = "footer"
        return [footer_of(span._replace(is_whole=span.began_id is not None or not self.begins_inside))]

    def _saved_entry(self, entry: Entry) -> list[ChatBlock]:
        match entry:
            case MessageEntry(message=UserMessage() as message):
                if not self._count.goes_on:
                    self._count.begin(entry.id)
                block = self._kept(entry, "prompt", words_said(message))
                return [replace(block, names_files=has_pictures(message))]
            case MessageEntry(message=AssistantMessage() as message):
                self._count.answered(entry.id, calls=bool(message.tool_calls))
                if message.usage is not None:
                    self._count.used()
                self._open.update((call.id, OpenCall(entry.id, call)) for call in message.tool_calls)
                thoughts = "".join(block.thinking for block in message.content if isinstance(block, ThinkingBlock))
                blocks = [self._kept(entry, "thinking", thoughts)] if thoughts.strip() else []
                if message.text.strip():
                    blocks.append(self._kept(entry, "answer", message.text))
                if ending := ENDINGS.get(message.stop_reason or ""):
                    notice = self._kept(entry, "notice", "", text=ending)
                    blocks.append(replace(notice, is_error=message.stop_reason in FAILURES))
                return blocks
            case MessageEntry(message=ToolResultMessage() as message):
                self._count.went_on(entry.id)
                known = self._open.pop(message.tool_call_id, None)
                subject = subject_of(known.call.input) if known else ""
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
                card = replace(
                    card,
                    id=f"{OWN_CALL}{entry.id}",
                    tool_name="bash",
                    subject=run.command,
                    state="failed" if run.is_error else "done",
                    exit_code=run.exit_code,
                    duration_seconds=entry.duration_seconds,
                )
                return [said, card]
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
            has_gap=gap_between(self._last_kind, kind),
            text=text,
        )
        self._last_kind = kind
        return block


def footer_of(span: TurnSpan) -> ChatBlock:
    """The last row of a turn, close to what it ends."""
    return ChatBlock(f"{span.ended_id}-footer", "footer", entry_id=span.ended_id, span=span)


def gap_between(kind: Kind | None, next_kind: Kind) -> bool:
    """Whether a blank row stands between two blocks, or before the first; the machinery stands close together."""
    return not (kind in MACHINERY and next_kind in MACHINERY)


def unanswered_id(answer_id: str, call_id: str) -> str:
    """Names a call that has no result; models use one id for several calls, but not in one answer."""
    return f"{answer_id}-{call_id}"


def _leaves_calls_behind(entry: Entry) -> bool:
    """Whether no result can follow for the calls before an entry."""
    return isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage | AssistantMessage)


def subject_of(arguments: JsonObject) -> str:
    """What a call is about: its first plain words."""
    words = [value for value in arguments.values() if isinstance(value, str)]
    return words[0] if words else ""


def words_of(block: ChatBlock, entry: Entry) -> str:
    """The words of a block; a saved one reads them from its entry."""
    match block.kind, entry:
        case "prompt", MessageEntry(message=UserMessage() as message):
            return words_said(message)
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


def words_said(message: UserMessage) -> str:
    """The words of a prompt; pictures that go with it are told by their names."""
    if isinstance(message.content, str):
        return message.content
    return text_of(tuple(block for block in message.content if not isinstance(block, ImageBlock)))


def has_pictures(message: UserMessage) -> bool:
    """Whether pictures go with a prompt."""
    return not isinstance(message.content, str) and any(isinstance(block, ImageBlock) for block in message.content)


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
            return MemoryNote("pruned", tokens_saved=entry.tokens_saved, count=len(entry.items))
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
