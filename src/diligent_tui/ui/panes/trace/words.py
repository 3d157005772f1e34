"""What a row of the trace says of a thing: what it is, what it is about, and what came of it."""

from dataclasses import dataclass
from typing import Literal, TypeVar, assert_never

from diligent_tui.agent.trace import TraceRecord
from diligent_tui.domain import events as ev
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.usage import Usage
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.things import Thing

Role = Literal["text", "dim", "memory", "error"]
EventT = TypeVar("EventT", bound=ev.Event)
UNITS = ((1_000_000, "MB"), (1_000, "kB"))


@dataclass(frozen=True, slots=True)
class Headline:
    """Words of one row; they may be anything and pass the gate when they are drawn."""

    title: str
    subject: str = ""
    effect: str = ""
    effect_role: Role = "dim"
    title_role: Role = "text"


def size_words(size_bytes: int) -> str:
    """A size in bytes: 900 B, 1.2 kB, 12 kB, 3.1 MB."""
    for size, unit in UNITS:
        if size_bytes >= size:
            value = size_bytes / size
            return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"
    return f"{size_bytes} B"


def newest(thing: Thing, kind: type[EventT]) -> EventT | None:
    """The last event of a kind in a thing."""
    return next((record.event for record in reversed(thing.records) if isinstance(record.event, kind)), None)


def streamed_chars(thing: Thing) -> int:
    """How much text came in pieces."""
    pieces = ev.TextDelta | ev.ThinkingDelta | ev.ToolCallDelta | ev.ToolOutput | ev.CompactionSummaryDelta
    return sum(record.chars for record in thing.records if isinstance(record.event, pieces))


def headline(thing: Thing) -> Headline:
    """The row of a thing."""
    event = thing.first
    match thing.kind:
        case "turn":
            return _turn(thing)
        case "request":
            return _request(thing)
        case "answer":
            return _answer(thing)
        case "tool":
            return _tool(thing)
        case "permission":
            return _permission(thing)
        case "compaction":
            return _compaction(thing)
        case "retry" | "context" | "note":
            return _fact(event, thing.records[0])
        case _:
            assert_never(thing.kind)


def usage_words(usage: Usage) -> str:
    """What went up and what came down."""
    return f"↑{fmt.tokens(usage.prompt_tokens)} ↓{fmt.tokens(usage.output_tokens)}"


def cache_words(usage: Usage) -> str:
    """How much of what was sent came from the cache."""
    share = 100 * usage.cache_read_tokens / usage.prompt_tokens if usage.prompt_tokens else None
    return f"cache {fmt.percent(share)}"


def saved_percent(before: int, after: int) -> str:
    """How much smaller it is."""
    return f"−{fmt.percent(100 * (before - after) / before)}" if before > after else "no smaller"


def _turn(thing: Thing) -> Headline:
    started, failed = newest(thing, ev.TurnStarted), newest(thing, ev.TurnFailed)
    subject = started.text if started else ""
    if failed:
        return Headline("turn", subject, failed.problem.message, "error")
    ended = newest(thing, ev.TurnFinished)
    if ended is None:
        return Headline("turn", subject)
    how = "" if ended.reason in ("done", "end_turn") else f"{ended.reason} · "
    return Headline("turn", subject, f"{how}{fmt.count(ended.steps, 'request')} · {fmt.money(ended.cost)}")


def _request(thing: Thing) -> Headline:
    step = newest(thing, ev.StepStarted)
    if step is None:
        return Headline("request")
    size = size_words(sum(size_bytes for _, size_bytes in step.sizes_bytes))
    model = step.model_id.rpartition("/")[2]
    if step.prefix_break:
        return Headline("request", f"{size} {model}", f"cache broke: {step.prefix_break}", "memory")
    return Headline("request", f"{size} {model}", "first" if thing.is_first else "goes on")


def _answer(thing: Thing) -> Headline:
    saved, counted = newest(thing, ev.MessageSaved), newest(thing, ev.UsageRecorded)
    calls = sum(isinstance(record.event, ev.ToolCallStarted) for record in thing.records)
    chars = f"{streamed_chars(thing):,} characters"
    if counted is None:
        subject = f"{chars}, {fmt.count(calls, 'call')}" if calls else chars
        reason = saved.stop_reason or "" if saved and thing.state == "failed" else ""
        return Headline("answer", subject, reason, "error")
    ended = saved.stop_reason if saved and saved.stop_reason not in (None, "end_turn", "tool_use") else ""
    subject = f"{usage_words(counted.usage)} {ended}".rstrip()
    return Headline("answer", subject, f"{cache_words(counted.usage)} · {fmt.money(counted.cost)}")


def _tool(thing: Thing) -> Headline:
    started, finished = newest(thing, ev.ToolStarted), newest(thing, ev.ToolFinished)
    name = started.name if started else finished.name if finished else "tool"
    subject = _first_words(started.input) if started else ""
    if finished is None:
        chars = streamed_chars(thing)
        return Headline(name, subject, f"{chars:,} characters so far" if chars else "")
    chars = next(record.chars for record in thing.records if isinstance(record.event, ev.ToolFinished))
    said = f"{fmt.count(chars, 'character')}" if chars else "no output"
    if not finished.is_error:
        return Headline(name, subject, said)
    return Headline(name, subject, f"exit {finished.exit_code}" if finished.exit_code else "failed", "error")


def _permission(thing: Thing) -> Headline:
    asked, answer = newest(thing, ev.PermissionRequested), newest(thing, ev.PermissionResolved)
    subject = f"{asked.name} {asked.subject}" if asked else answer.call_id if answer else ""
    if answer is None:
        return Headline("asked", subject, "waits for you", "memory")
    words = "allowed" if answer.allowed else "refused"
    reason = f": {answer.reason}" if answer.reason else ""
    return Headline("asked" if asked else words, subject, f"{words}{reason}", "dim" if answer.allowed else "error")


def _compaction(thing: Thing) -> Headline:
    title = "⟳ compaction"
    if failed := newest(thing, ev.CompactionFailed):
        return Headline(title, failed.problem.message, "failed", "error", "memory")
    if done := newest(thing, ev.CompactionFinished):
        change = f"{fmt.tokens(done.tokens_before)} → {fmt.tokens(done.tokens_after)}"
        what = fmt.count(done.messages, "message") if done.messages else fmt.count(done.pruned, "output")
        return Headline(
            title, f"{change}  {saved_percent(done.tokens_before, done.tokens_after)}", what, "dim", "memory"
        )
    newest_event = thing.records[-1].event
    match newest_event:
        case ev.CompactionPruned() if thing.state == "done":
            freed = f"−{fmt.tokens(newest_event.tokens_saved)}"
            return Headline("▒ pruned", fmt.count(newest_event.outputs, "output"), freed, "dim", "memory")
        case ev.CompactionPruned():
            return Headline(title, f"pruned {fmt.count(newest_event.outputs, 'output')}", title_role="memory")
        case ev.CompactionSummarising() | ev.CompactionSummaryDelta():
            return Headline(title, "summarising", f"{streamed_chars(thing):,} characters", "dim", "memory")
        case ev.CompactionChecking():
            return Headline(title, "checking the summary", title_role="memory")
        case ev.CompactionRejected():
            return Headline(title, f"rejected: {newest_event.why}", title_role="memory")
        case ev.UsageRecorded() if thing.state == "done":
            return Headline(
                "⟳ summary", usage_words(newest_event.usage), cache_words(newest_event.usage), "dim", "memory"
            )
        case _:
            return Headline(title, title_role="memory")


def _fact(event: ev.Event, record: TraceRecord) -> Headline:
    match event:
        case ev.RetryScheduled():
            wait = f"again in {fmt.duration(event.delay_seconds)}"
            return Headline(f"retry {event.attempt}", event.problem.message, wait)
        case ev.ContextMeasured():
            about = "≈" if event.estimated else ""
            size = f"{about}{fmt.tokens(event.tokens)} / {fmt.tokens(event.limit)}"
            return Headline("context", size, fmt.percent(event.percent))
        case ev.ContextOverflowed():
            size = f"{fmt.tokens(event.tokens)} / {fmt.tokens(event.limit)}"
            return Headline("too large", size, fmt.percent(event.percent), "error")
        case ev.StorageFailed():
            return Headline("not saved", event.problem.message, title_role="error")
        case ev.MessageSaved():
            return Headline("saved", event.text, f"{event.role.replace('_', ' ')} {event.entry_id}")
        case ev.ModelChanged():
            return Headline("model", event.model_id, event.thinking or "")
        case ev.ModeChanged():
            return Headline("mode", event.mode)
        case ev.LeafMoved():
            return Headline("moved", event.branch, event.entry_id or "before the first")
        case ev.Labelled():
            return Headline("label", event.label, event.entry_id)
        case ev.SessionRenamed():
            return Headline("name", event.name)
        case ev.SessionForked():
            return Headline("forked", event.session_id)
        case ev.QueueChanged():
            return Headline("queue", event.items[-1].text if event.items else "", f"{len(event.items)} wait")
        case ev.SandboxProbed():
            return Headline("sandbox", event.word)
        case ev.KnowledgeSaved() | ev.KnowledgeProposed() | ev.KnowledgeSuperseded():
            return Headline(_plain_name(event), event.content, chars_words(record))
        case ev.Pinned() | ev.Unpinned():
            return Headline(_plain_name(event), event.entry_id)
        case ev.CompactionReverted():
            return Headline("⟳ redone" if event.redone else "⟳ undone", event.compaction_id, title_role="memory")
        case ev.SummaryEdited():
            return Headline("⟳ edited", event.compaction_id, title_role="memory")
        case _:
            return Headline(_plain_name(event))


def chars_words(record: TraceRecord) -> str:
    """How much text a record brought."""
    return fmt.count(record.chars, "character") if record.chars else ""


def _plain_name(event: ev.Event) -> str:
    return ev.event_name(type(event)).replace("_", " ")


def _first_words(arguments: JsonObject) -> str:
    return next((value for value in arguments.values() if isinstance(value, str)), "")
