"""Says in plain words what happened at an event of a turn: what was asked, sent, answered, run and counted."""

from typing import assert_never

from diligent_tui.agent.trace import Piece, TraceRecord
from diligent_tui.domain import events as ev
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.telling_memory import MemoryEvent, tell_memory
from diligent_tui.ui.panes.trace.telling_session import SessionEvent, tell_session
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.told import Told, ending, input_words, why
from diligent_tui.ui.panes.trace.words import duration_words

NAMES_OF_ROLES = {"user": "the prompt", "assistant": "the answer", "tool_result": "its result"}


def tell(record: TraceRecord, thing: Thing) -> Told:
    """What happened; `thing` is what the record belongs to."""
    event = record.event
    if isinstance(event, Piece):
        return Told(_stream(record, event))
    if isinstance(event, MemoryEvent):
        return tell_memory(event)
    if isinstance(event, SessionEvent):
        return tell_session(event, thing.model_before)
    match event:
        case ev.TurnStarted():
            return Told("the turn began", (("prompt", event.text),))
        case ev.TurnFinished():
            how = ending(event.reason)
            ended = f"the turn ended after {fmt.count(event.steps, 'request')}, {fmt.money(event.cost)}"
            return Told(f"{ended}: {how}" if how else ended)
        case ev.TurnFailed():
            return Told("the turn failed", why(event.problem))
        case ev.StepStarted():
            return Told(f"request {event.number} of this turn went to {event.model_id}")
        case ev.RetryScheduled():
            waits = f"waits {duration_words(event.delay_seconds)}, then tries again"
            return Told(f"{waits} (retry {event.attempt})", why(event.problem))
        case ev.MessageSaved():
            how = ending(event.stop_reason or "")
            saved = f"{NAMES_OF_ROLES[event.role]} was saved"
            return Told(f"{saved}: {how}" if how else saved, (("text", event.text),))
        case ev.UsageRecorded():
            return Told(f"the tokens were counted by {event.model_id}")
        case _:
            return _tell_call(event, record.chars)


def _tell_call(
    event: ev.ToolCallStarted
    | ev.ToolCallReady
    | ev.ToolStarted
    | ev.ToolFinished
    | ev.PermissionRequested
    | ev.PermissionResolved,
    chars: int,
) -> Told:
    match event:
        case ev.ToolCallStarted():
            return Told(f"began to call {event.name}")
        case ev.ToolCallReady():
            return Told(f"the call of {event.name} was complete", (("input", input_words(event.input)),))
        case ev.ToolStarted():
            limit = event.timeout_seconds
            at_most = f", for {duration_words(limit)} at most" if limit else ""
            return Told(f"{event.name} began{at_most}", (("input", input_words(event.input)),))
        case ev.ToolFinished():
            rows = (("output", event.output), ("changes", event.diff), ("whole in", event.spill or ""))
            return Told(_finished(event, chars), rows)
        case ev.PermissionRequested():
            rows = (("to run", event.subject), ("why", event.reason), ("rule", event.rule), ("changes", event.diff))
            return Told(f"asked you about {event.name}", rows)
        case ev.PermissionResolved():
            return Told("allowed" if event.allowed else "refused", (("why", event.reason),))
        case _:
            assert_never(event)


def _finished(event: ev.ToolFinished, chars: int) -> str:
    ended = "failed" if event.is_error else "ended"
    code = "" if event.exit_code is None else f" with exit code {event.exit_code}"
    output = f", {fmt.count(chars, 'character')} of output" if chars else ", no output"
    return f"{ended} after {duration_words(event.duration_seconds)}{code}{output}"


def _stream(record: TraceRecord, event: Piece) -> str:
    pieces = f" in {record.repeats + 1:,} pieces" if record.repeats else ""
    lasted = (record.until - record.at).total_seconds() if record.until else 0.0
    over = f" over {duration_words(lasted)}" if lasted else ""
    return f"{fmt.count(record.chars, 'character')} of {_streamed(event)} came{pieces}{over}"


def _streamed(event: Piece) -> str:
    match event:
        case ev.TextDelta():
            return "text"
        case ev.ThinkingDelta():
            return "reasoning"
        case ev.ToolCallDelta():
            return "a call"
        case ev.ToolOutput():
            return "output"
        case ev.CompactionSummaryDelta():
            return "the summary"
        case ev.ErrandDelta():
            return "the answer"
        case _:
            assert_never(event)
