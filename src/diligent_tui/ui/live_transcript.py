"""The conversation as blocks to be shown, event by event while it goes on."""

from dataclasses import dataclass, field, replace

from diligent_tui.domain.events import (
    CompactionChecking,
    CompactionFailed,
    CompactionFinished,
    CompactionPruned,
    CompactionRejected,
    CompactionReverted,
    CompactionStarted,
    CompactionSummarising,
    CompactionSummaryDelta,
    Event,
    MessageSaved,
    StepStarted,
    SummaryEdited,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageRecorded,
)
from diligent_tui.ui import format as fmt
from diligent_tui.ui.transcript import (
    ENDINGS,
    ChatBlock,
    Kind,
    MemoryNote,
    ToolState,
    TurnCount,
    footer_of,
    gap_between,
    subject_of,
)

MOST_LIVE_CHARS = 20_000
"""Of a running tool's output so much is shown, from its end; the whole comes when it has ended."""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row of the chat that tells what becomes of the context; without a note it reads its entry."""

    id: str
    note: MemoryNote | None
    text: str = ""
    entry_id: str | None = None


@dataclass(slots=True)
class LiveMemory:
    """A compaction as it goes on: one row that ends as what was saved, and one for outputs that were pruned."""

    _row_id: str = ""
    _phase: str = ""
    _written: str = ""
    _reverts: int = 0

    def take(self, event: Event) -> list[MemoryRow]:
        """The rows that an event made or changed."""
        match event:
            case CompactionStarted():
                self._row_id = f"{event.compaction_id}-begun"
                return self._goes_on("pruning")
            case CompactionPruned():
                note = MemoryNote("pruned", tokens_saved=event.tokens_saved, count=event.outputs)
                row = MemoryRow(self._row_id or f"{event.compaction_id}-pruned", note, ", ".join(event.tools))
                self._row_id = ""
                return [row]
            case CompactionSummarising():
                self._row_id = self._row_id or f"{event.compaction_id}-summary"
                self._written = ""
                return self._goes_on(f"summarising {fmt.count(event.messages, 'message')}")
            case CompactionSummaryDelta() if self._row_id:
                self._written += event.text
                return [self._row()]
            case CompactionChecking() if self._row_id:
                return self._goes_on("checking")
            case CompactionRejected() if self._row_id:
                return self._goes_on(f"not good enough: {event.why}")
            case CompactionFinished():
                row_id, self._row_id, self._written = self._row_id, "", ""
                if not row_id or event.summary:
                    return [MemoryRow(row_id, None, entry_id=event.compaction_id)] if row_id else []
                saved = max(0, event.tokens_before - event.tokens_after)
                return [MemoryRow(row_id, MemoryNote("pruned", tokens_saved=saved, count=event.pruned))]
            case CompactionFailed():
                row_id, self._row_id, self._written = self._row_id or f"{event.compaction_id}-failed", "", ""
                was_stopped = event.problem.kind == "interrupted"
                return [MemoryRow(row_id, MemoryNote("stopped" if was_stopped else "failed"), failure_words(event))]
            case SummaryEdited():
                return [MemoryRow(f"{event.compaction_id}-memory", None, entry_id=event.compaction_id)]
            case CompactionReverted():
                self._reverts += 1
                note = MemoryNote("redone" if event.redone else "undone")
                return [MemoryRow(f"{event.compaction_id}-revert-{self._reverts}", note)]
            case _:
                return []

    def _goes_on(self, phase: str) -> list[MemoryRow]:
        self._phase = phase
        return [self._row()]

    def _row(self) -> MemoryRow:
        return MemoryRow(self._row_id, MemoryNote("compacting", phase=self._phase), self._written)


def failure_words(event: CompactionFailed) -> str:
    """Why nothing was compacted, and what to press."""
    if event.problem.kind == "interrupted":
        return event.problem.message
    words = ["Not compacted:", event.problem.message, event.problem.advice]
    words += ["/compact tries again."] if event.can_retry else []
    words += ["/new begins a new session."] if event.suggest_new_session else []
    return " ".join(words)


@dataclass(slots=True)
class LiveTranscript:
    """Blocks in order; `take` returns those that an event made or changed."""

    last_kind: Kind | None = None
    """The kind of the newest block, also of one that was there before."""
    count: TurnCount = field(default_factory=TurnCount)
    """Which entries the turn is made of; it knows the last answer before it."""
    _calls: dict[str, ChatBlock] = field(default_factory=dict[str, ChatBlock])
    _memory: LiveMemory = field(default_factory=LiveMemory)
    _memory_blocks: dict[str, ChatBlock] = field(default_factory=dict[str, ChatBlock])
    _ended_calls: list[ChatBlock] = field(default_factory=list[ChatBlock])
    """Calls whose results are about to be saved."""
    _open: ChatBlock | None = None
    _prompt: ChatBlock | None = None
    """The prompt of the turn."""
    _message_id: str = ""
    _part: int = 0
    _makes_calls: bool = False

    def take(self, event: Event) -> list[ChatBlock]:
        """The blocks that an event made or changed."""
        match event:
            case TurnStarted():
                self._prompt = self._new("prompt", event.turn_id, entry_id=event.turn_id, text=event.text)
                self.count.begin(event.turn_id)
                return [self._prompt]
            case StepStarted():
                self._message_id, self._part, self._open, self._makes_calls = event.message_id, 0, None, False
                self._ended_calls.clear()
                return []
            case TextDelta():
                return self._grow("answer", event.text)
            case ThinkingDelta():
                return self._grow("thinking", event.text)
            case ToolCallReady():
                self._makes_calls = True
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
                return (
                    self._tool(event.call_id, "running", (known.text + event.text)[-MOST_LIVE_CHARS:]) if known else []
                )
            case ToolFinished():
                return self._finished(event)
            case MessageSaved():
                return self._saved(event)
            case UsageRecorded(purpose="turn"):
                self.count.used()
                return []
            case TurnFinished():
                closed = self._close()
                ending = ENDINGS.get(event.reason)
                notice = [self._new("notice", f"end-{event.turn_id}", text=ending)] if ending else []
                return [*closed, *notice, *self._footer()]
            case TurnFailed():
                closed = self._close()
                words = f"{event.problem.message} {event.problem.advice}"
                notice = self._new("notice", f"failed-{event.turn_id}", text=words, is_error=True)
                return [*closed, notice, *self._footer()]
            case _:
                return self._remembered(event)

    def _saved(self, event: MessageSaved) -> list[ChatBlock]:
        match event.role:
            case "assistant":
                self.count.answered(event.entry_id, calls=self._makes_calls)
                return []
            case "tool_result":
                self.count.went_on(event.entry_id)
                return self._call_saved(event)
            case "user":
                return self._said(event)

    def _call_saved(self, event: MessageSaved) -> list[ChatBlock]:
        """From here on its words are read from disk, so that a long session does not fill the memory."""
        # Calls that run side by side end in any order, and what was said tells which of them this is.
        ended = next((call for call in self._ended_calls if call.text == event.text), None)
        if ended is None:
            return []
        self._ended_calls.remove(ended)
        return [replace(ended, entry_id=event.entry_id, text="", diff="")]

    def _said(self, event: MessageSaved) -> list[ChatBlock]:
        """A prompt that is shown already, or what was said into the running turn."""
        # Only what is named with an @ goes with a prompt.
        names_files = "@" in event.text
        if self._prompt is not None and event.entry_id == self._prompt.entry_id:
            prompt = replace(self._prompt, version=self._prompt.version + 1, names_files=True)
            return [prompt] if names_files else []
        ended = [*self._close(), *(self._footer() if self.count.is_at_end else ())]
        if not self.count.goes_on:
            self.count.begin(event.entry_id)
        said = self._new("prompt", event.entry_id, entry_id=event.entry_id, text=event.text)
        return [*ended, replace(said, names_files=names_files)]

    def _footer(self) -> list[ChatBlock]:
        span = self.count.close()
        if span is None:
            return []
        self.last_kind = "footer"
        return [footer_of(span)]

    def _remembered(self, event: Event) -> list[ChatBlock]:
        blocks: list[ChatBlock] = []
        for row in self._memory.take(event):
            known = self._memory_blocks.get(row.id)
            block = known or self._new("memory", row.id)
            block = replace(
                block,
                version=block.version + 1,
                entry_id=row.entry_id,
                text=row.text,
                size_bytes=len(row.text),
                line_count=1 + row.text.count("\n"),
                memory=row.note,
            )
            self._memory_blocks[row.id] = block
            blocks.append(block)
        return blocks

    def _grow(self, kind: Kind, text: str) -> list[ChatBlock]:
        closed: list[ChatBlock] = []
        if self._open is None or self._open.kind != kind:
            closed = self._close()
            self._part += 1
            block_id = f"{self._message_id}-{self._part}"
            self._open = self._new(kind, block_id, entry_id=self._message_id, is_live=True)
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

    def _finished(self, event: ToolFinished) -> list[ChatBlock]:
        state: ToolState = "failed" if event.is_error else "done"
        size = event.diff or event.output
        blocks = self._tool(event.call_id, state, event.output)
        blocks = [
            replace(
                block,
                # What never ran took no time at all.
                duration_seconds=event.duration_seconds or None,
                diff=event.diff,
                exit_code=event.exit_code,
                size_bytes=len(size),
                line_count=1 + size.count("\n"),
            )
            for block in blocks
        ]
        self._ended_calls += blocks
        return blocks

    def _tool(self, call_id: str, state: ToolState, text: str | None = None) -> list[ChatBlock]:
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
        entry_id: str | None = None,
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
            entry_id=entry_id,
            size_bytes=len(text),
            line_count=1 + text.count("\n"),
            has_gap=gap_between(self.last_kind, kind),
            text=text,
            tool_name=tool_name,
            subject=subject,
            state=state,
            is_live=is_live,
            is_error=is_error,
        )
        self.last_kind = kind
        return block
