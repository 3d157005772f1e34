"""The conversation as blocks to be shown, event by event while it goes on."""

from dataclasses import dataclass, field, replace

from diligent_tui.domain.events import (
    Event,
    MessageSaved,
    StepStarted,
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
from diligent_tui.ui.transcript import ENDINGS, ChatBlock, Kind, ToolState, gap_between, subject_of

MOST_LIVE_CHARS = 20_000
"""Of a running tool's output so much is shown, from its end; the whole comes when it has ended."""


@dataclass(slots=True)
class LiveTranscript:
    """Blocks in order; `take` returns those that an event made or changed."""

    last_kind: Kind | None = None
    """The kind of the newest block, also of one that was there before."""
    _calls: dict[str, ChatBlock] = field(default_factory=dict[str, ChatBlock])
    _open: ChatBlock | None = None
    _turn_id: str = ""
    _message_id: str = ""
    _part: int = 0

    def take(self, event: Event) -> list[ChatBlock]:
        """The blocks that an event made or changed."""
        match event:
            case TurnStarted():
                self._turn_id = event.turn_id
                return [self._new("prompt", event.turn_id, entry_id=event.turn_id, text=event.text)]
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
                return (
                    self._tool(event.call_id, "running", (known.text + event.text)[-MOST_LIVE_CHARS:]) if known else []
                )
            case ToolFinished():
                return self._finished(event)
            case MessageSaved(role="user") if event.entry_id != self._turn_id:
                return [*self._close(), self._new("prompt", event.entry_id, entry_id=event.entry_id, text=event.text)]
            case TurnFinished():
                closed = self._close()
                ending = ENDINGS.get(event.reason)
                return [*closed, self._new("notice", f"end-{event.turn_id}", text=ending)] if ending else closed
            case TurnFailed():
                closed = self._close()
                words = f"{event.problem.message} {event.problem.advice}"
                return [*closed, self._new("notice", f"failed-{event.turn_id}", text=words, is_error=True)]
            case _:
                return []

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
        return [
            replace(
                block,
                duration_seconds=event.duration_seconds,
                diff=event.diff,
                exit_code=event.exit_code,
                size_bytes=len(size),
                line_count=1 + size.count("\n"),
            )
            for block in blocks
        ]

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
            has_gap=self.last_kind is not None and gap_between(self.last_kind, kind),
            text=text,
            tool_name=tool_name,
            subject=subject,
            state=state,
            is_live=is_live,
            is_error=is_error,
        )
        self.last_kind = kind
        return block
