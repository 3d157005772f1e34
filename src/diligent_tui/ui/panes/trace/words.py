"""What a row of the trace says of a thing: what it is, what it is about, and what came of it."""

import re
from dataclasses import dataclass
from typing import Literal, TypeVar, assert_never

from diligent_tui.agent.trace import Piece
from diligent_tui.domain import events as ev
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.usage import Usage
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.told import ending

Role = Literal["text", "dim", "memory", "error"]
EventT = TypeVar("EventT", bound=ev.Event)
MESSAGE = re.compile(r"message \d+")
UNITS = ((1_000_000, "MB"), (1_000, "kB"))
MODEL_SWITCHED = "model switched"
"""As a request says it that could not use the cache for that."""
SHORT_BREAKS = {
    "tools changed": "tools",
    "system prompt changed": "system",
    "thinking level changed": "thinking",
    "compaction left out": "compaction",
    "compaction undone": "undone",
    "compaction redone": "redone",
    "moved to another place": "moved",
    "outputs pruned": "pruned",
    "summary edited": "summary",
    "pins changed": "pins",
}
"""The same reasons in a word."""
ENDED = {
    "max_tokens": "cut off",
    "refusal": "refused",
    "content_filter": "filtered",
    "context_window": "window full",
    "interrupted": "stopped",
    "error": "broke off",
    "pause_turn": "paused",
}
"""Why an answer ended, where it was not by its own word."""
ERRANDS: dict[ev.ErrandKind, str] = {"learn": "learning", "branch_summary": "branch"}
ANSWER_COLUMNS = len("↑31.5k ↓12.5k  cache 100 % · $0.012")
"""What an answer with long figures takes with all of them."""


@dataclass(frozen=True, slots=True)
class Headline:
    """Words of one row; they may be anything and pass the gate when they are drawn."""

    title: str
    subject: str = ""
    effects: tuple[str, ...] = ()
    """What came of it, the same in ever fewer words: the first that there is room for is said."""
    effect_role: Role = "dim"
    title_role: Role = "text"
    about: str = ""
    """More of the subject, said only where all of it fits."""
    full_columns: int = 0
    """Where less room is, the first effect is not said even if it fits: rows of a kind tell the same facts, or a fact
    that one of them leaves out would look like none."""


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
    return sum(record.chars for record in thing.records if isinstance(record.event, Piece))


def headline(thing: Thing) -> Headline:
    """The row of a thing."""
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
        case "errand":
            return _errand(thing)
        case "retry" | "context" | "note":
            return _fact(thing.first, thing.model_before)
        case _:
            assert_never(thing.kind)


def duration_words(seconds: float) -> str:
    """How long it took; what is quick in milliseconds."""
    return f"{seconds * 1_000:.0f} ms" if seconds < 1 else fmt.duration(seconds)


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


def brief_duration(seconds: float) -> str:
    """How long it took, in six cells at most: 800 ms, 4.3 s, 12 min, 2.5 h."""
    if seconds < fmt.MINUTE_SECONDS:
        return duration_words(seconds)
    if seconds < fmt.HOUR_SECONDS:
        return f"{seconds / fmt.MINUTE_SECONDS:.0f} min"
    return f"{seconds / fmt.HOUR_SECONDS:.1f} h"


def break_words(thing: Thing, step: ev.StepStarted) -> str:
    """Why a request could not use what was cached; of a switch from which model to which."""
    if step.prefix_break == MODEL_SWITCHED and thing.model_before:
        return _switch(thing.model_before, step.model_id)
    # Behind what was done stands from which message on it matters.
    return step.prefix_break.partition(": ")[0]


def short_break(thing: Thing, step: ev.StepStarted) -> str:
    """The same in a word or two."""
    if step.prefix_break == MODEL_SWITCHED:
        return f"now {_model_name(step.model_id)}" if thing.model_before else "model"
    newest_deed = step.prefix_break.partition(": ")[0].rpartition(", then ")[2]
    message = MESSAGE.match(newest_deed)
    return message[0] if message else SHORT_BREAKS.get(newest_deed, newest_deed)


def anew_words(step: ev.StepStarted) -> str:
    """What of a request is read anew after a break, as far as its reason tells it."""
    if step.prefix_break in (MODEL_SWITCHED, "tools changed"):
        return "all of it is read anew"
    if step.prefix_break == "system prompt changed":
        return "it is read anew from the system prompt on"
    message = MESSAGE.search(step.prefix_break)
    return f"it is read anew from {message[0]} on" if message else "its messages are read anew"


def _turn(thing: Thing) -> Headline:
    started, failed = newest(thing, ev.TurnStarted), newest(thing, ev.TurnFailed)
    subject = started.text if started else ""
    if failed:
        return Headline("turn", subject, (failed.problem.message, "failed"), "error")
    ended = newest(thing, ev.TurnFinished)
    if ended is None:
        return Headline("turn", subject)
    cost = fmt.money(ended.cost)
    if how := ending(ended.reason):
        return Headline("turn", subject, (f"{how} · {cost}", how, how.partition(":")[0]), "memory")
    return Headline("turn", subject, (f"{fmt.count(ended.steps, 'request')} · {cost}", cost))


def _request(thing: Thing) -> Headline:
    step = newest(thing, ev.StepStarted)
    if step is None:
        return Headline("request")
    size = size_words(sum(size_bytes for _, size_bytes in step.sizes_bytes))
    if step.prefix_break:
        why, is_switch = break_words(thing, step), step.prefix_break == MODEL_SWITCHED
        effects = (f"cache broke: {why}", f"broke: {why}", f"broke: {short_break(thing, step)}", "broke")
        about = "" if is_switch and thing.model_before else _model_name(step.model_id)
        return Headline("request", size, effects, "memory", about=about)
    kept = ("first request", "first") if thing.is_first else ("cache kept", "kept")
    return Headline("request", size, kept, about=_model_name(step.model_id))


def _answer(thing: Thing) -> Headline:
    saved, counted = newest(thing, ev.MessageSaved), newest(thing, ev.UsageRecorded)
    calls = sum(isinstance(record.event, ev.ToolCallStarted) for record in thing.records)
    called = fmt.count(calls, "call") if calls else ""
    ended = ENDED.get(saved.stop_reason or "", "") if saved else ""
    if counted is None:
        reason = (ended or "broke off",) if saved and thing.state == "failed" else ()
        return Headline("answer", chars_words(streamed_chars(thing)), reason, "error", about=called)
    cache = cache_words(counted.usage)
    effects = (f"{cache} · {fmt.money(counted.cost)}", cache, cache.removeprefix("cache "))
    usage = usage_words(counted.usage)
    return Headline("answer", usage, effects, about=ended or called, full_columns=ANSWER_COLUMNS)


def _tool(thing: Thing) -> Headline:
    started, finished = newest(thing, ev.ToolStarted), newest(thing, ev.ToolFinished)
    name = started.name if started else finished.name if finished else "tool"
    subject = _first_words(started.input) if started else ""
    if finished is None:
        chars = streamed_chars(thing)
        return Headline(name, subject, (chars_words(chars),) if chars else ())
    if finished.is_error:
        return Headline(name, subject, (f"exit {finished.exit_code}" if finished.exit_code else "failed",), "error")
    chars = next(record.chars for record in thing.records if isinstance(record.event, ev.ToolFinished))
    return Headline(name, subject, (chars_words(chars),) if chars else ("no output", "none"))


def _permission(thing: Thing) -> Headline:
    asked, answer = newest(thing, ev.PermissionRequested), newest(thing, ev.PermissionResolved)
    subject = f"{asked.name} {asked.subject}" if asked else f"call {answer.call_id}" if answer else ""
    if answer is None:
        return Headline("asked", subject, ("waits for you", "waits"), "memory")
    words = "allowed" if answer.allowed else "refused"
    effects = (f"{words}: {answer.reason}", words) if answer.reason and asked else (answer.reason or words, words)
    return Headline("asked" if asked else words, subject, effects, "dim" if answer.allowed else "error")


def _compaction(thing: Thing) -> Headline:
    if failed := newest(thing, ev.CompactionFailed):
        if thing.state == "stopped":
            return Headline("compaction", "no summary was saved", ("stopped",), title_role="memory")
        return Headline("compaction", failed.problem.message, ("failed",), "error", "memory")
    if done := newest(thing, ev.CompactionFinished):
        what = fmt.count(done.messages, "message") if done.messages else fmt.count(done.pruned, "output")
        saved = saved_percent(done.tokens_before, done.tokens_after)
        change = f"{fmt.tokens(done.tokens_before)} → {fmt.tokens(done.tokens_after)}"
        return Headline("compaction", change, (f"{saved} · {what}", saved), "memory", "memory")
    # How full the context is after it is told with it, and is no step of it.
    steps = [record.event for record in thing.records if not isinstance(record.event, ev.ContextMeasured)]
    event = steps[-1] if steps else None
    match event:
        case ev.CompactionPruned() if thing.state == "done":
            freed = f"−{fmt.tokens(event.tokens_saved)}"
            return Headline("pruned", fmt.count(event.outputs, "output"), (freed,), "memory", "memory")
        case ev.CompactionPruned():
            return Headline("compaction", f"pruned {fmt.count(event.outputs, 'output')}", title_role="memory")
        case ev.CompactionSummarising() | ev.CompactionSummaryDelta():
            chars = chars_words(streamed_chars(thing))
            return Headline("compaction", "summarising", (chars,), "dim", "memory")
        case ev.CompactionChecking():
            return Headline("compaction", "checking the summary", title_role="memory")
        case ev.CompactionRejected():
            return Headline("compaction", f"summary refused: {event.why}", title_role="memory")
        case ev.UsageRecorded() if thing.state == "done":
            return Headline("summary", usage_words(event.usage), (cache_words(event.usage),), "dim", "memory")
        case _:
            return Headline("compaction", title_role="memory")


def _errand(thing: Thing) -> Headline:
    started, asked = newest(thing, ev.ErrandStarted), newest(thing, ev.ErrandAsked)
    failed, done = newest(thing, ev.ErrandFailed), newest(thing, ev.ErrandFinished)
    known = started or failed or done
    title = ERRANDS[known.kind] if known else "errand"
    about = fmt.count(started.messages, "message") if started else ""
    if failed:
        if thing.state == "stopped":
            return Headline(title, "nothing was changed", ("stopped",), title_role="memory")
        return Headline(title, failed.problem.message, ("failed",), "error", "memory")
    if done:
        brought = fmt.count(done.candidates, "candidate") if done.kind == "learn" else "summary saved"
        return Headline(title, brought, (f"of {about}", about) if about else (), "memory", "memory")
    if asked:
        return Headline(title, "writing", (chars_words(streamed_chars(thing)),), "dim", "memory", about=about)
    return Headline(title, f"reading {about}" if about else "", title_role="memory")


def _fact(event: ev.Event, model_before: str) -> Headline:
    match event:
        case ev.RetryScheduled():
            waits = f"waits {duration_words(event.delay_seconds)}"
            return Headline(f"retry {event.attempt}", event.problem.message, (waits,))
        case ev.ContextMeasured():
            about = "≈" if event.estimated else ""
            size = f"{about}{fmt.tokens(event.tokens)} of {fmt.tokens(event.limit)}"
            return Headline("context", size, (fmt.percent(event.percent),))
        case ev.ContextOverflowed():
            size = f"{fmt.tokens(event.tokens)} of {fmt.tokens(event.limit)}"
            return Headline("too large", size, (fmt.percent(event.percent),), "error")
        case ev.CompactionPlanned():
            change = f"{fmt.tokens(event.tokens_before)} → {fmt.tokens(event.tokens_after)}"
            return Headline("planned", change, (fmt.count(event.messages, "message"),), title_role="memory")
        case ev.CompactionReverted():
            done = "redone" if event.redone else "undone"
            return Headline("compaction", done, (event.compaction_id,), title_role="memory")
        case ev.SummaryEdited():
            return Headline("summary", "edited", (event.compaction_id,), title_role="memory")
        case ev.Pinned() | ev.Unpinned():
            return Headline("pinned" if isinstance(event, ev.Pinned) else "unpinned", f"message {event.entry_id}")
        case ev.StorageFailed():
            return Headline("not saved", event.problem.message, title_role="error")
        case ev.StorageRecovered():
            return Headline("saved", "what could not be saved before")
        case ev.MessageSaved():
            return Headline("saved", event.text, (event.role.replace("_", " "),))
        case ev.ToolCallReady():
            return Headline("call", f"{event.name} {_first_words(event.input)}")
        case ev.ModelChanged() if event.model_id == model_before:
            return Headline("thinking", event.thinking or "off")
        case ev.ModelChanged():
            change = _switch(model_before, event.model_id) if model_before else event.model_id
            thinking = event.thinking or ""
            return Headline("model", change, (f"thinking {thinking}", thinking) if thinking else ())
        case ev.ModeChanged():
            return Headline("mode", event.mode)
        case ev.SandboxProbed():
            # The row is called so already.
            word = event.word.removeprefix("sandbox ")
            return Headline("sandbox", "none" if word == "no sandbox" else word, about=event.sentence)
        case ev.LeafMoved():
            place = event.branch or (f"message {event.entry_id}" if event.entry_id else "before the first message")
            return Headline("moved to", place)
        case ev.Labelled():
            return Headline("label", event.label or "taken away", (f"message {event.entry_id}",))
        case ev.SessionRenamed():
            return Headline("renamed", event.name)
        case ev.SessionForked():
            return Headline("forked to", f"session {event.session_id}")
        case ev.QueueChanged(items=()):
            return Headline("queue", "empty")
        case ev.QueueChanged():
            count = len(event.items)
            return Headline("queue", event.items[-1].text, ("1 waits" if count == 1 else f"{count:,} wait",))
        case ev.KnowledgeSaved():
            return Headline("learnt", event.content)
        case ev.KnowledgeSuperseded():
            return Headline("replaced", event.content)
        case ev.KnowledgeProposed():
            return Headline("proposed", event.content)
        case ev.KnowledgeRetracted():
            return Headline("restored" if event.restored else "taken back", f"fact {event.knowledge_id}")
        case ev.KnowledgePinned():
            return Headline("pinned" if event.pinned else "unpinned", f"fact {event.knowledge_id}")
        case ev.CandidateResolved():
            return Headline("accepted" if event.accepted else "rejected", f"fact {event.candidate_id}")
        case _:
            return Headline(ev.event_name(type(event)).replace("_", " "))


def chars_words(chars: int) -> str:
    """How much text: 312 chars, 10.6k chars."""
    return f"{chars:,} chars" if chars < 10_000 else f"{chars / 1_000:.1f}k chars"


def _model_name(model_id: str) -> str:
    return model_id.rpartition("/")[2]


def _switch(before: str, after: str) -> str:
    return f"{_model_name(before)} → {_model_name(after)}"


def _first_words(arguments: JsonObject) -> str:
    return next((value for value in arguments.values() if isinstance(value, str)), "")
