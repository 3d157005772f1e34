"""What an open row of the trace tells: its measures, then what happened when, and the ids by which it is kept."""

from collections.abc import Callable, Iterator
from datetime import datetime

from diligent_tui.agent.trace import TraceRecord
from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import CONTENT_TYPES, CompactionEntry
from diligent_tui.domain.plain_text import clean, clean_line, clean_name
from diligent_tui.session.store import SessionStore
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.hiding import hide
from diligent_tui.ui.panes.trace.telling import tell
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.told import Row, pair_words
from diligent_tui.ui.panes.trace.words import (
    anew_words,
    break_words,
    cache_words,
    duration_words,
    newest,
    saved_percent,
    size_words,
)

Kept = Callable[[str], int | None]
"""How many messages a compaction kept, by its id."""
BELOW = "  "
"""Before a caption that belongs to the row above it."""
ID_ENDS = "Id"
WRITING_BEGINS = (ev.CompactionSummarising, ev.ErrandAsked)
WRITING_ENDS = (
    ev.CompactionChecking,
    ev.CompactionRejected,
    ev.CompactionFinished,
    ev.CompactionFailed,
    ev.ErrandFinished,
    ev.ErrandFailed,
)


def details(thing: Thing, kept: Kept) -> list[Row]:
    """All that is known of a thing, without secrets: its measures, then a sentence for each event, then its ids."""
    rows = [(caption, clean_line(words)) for caption, words in _measures(thing, kept)]
    said: set[str] = set()
    for record in thing.records:
        told = tell(record, thing)
        rows.append((_offset(record, thing.began_at), hide(clean_name(told.sentence))))
        # What was said once, as an output that is then saved, is not said again.
        new = [(caption, words) for caption, words in told.rows if words and words not in said]
        rows += [(f"{BELOW}{caption}", hide(clean(words))) for caption, words in new]
        said.update(words for _, words in new)
    if ids := _ids(thing):
        rows.append(("ids", clean_line(ids)))
    return rows


def source(thing: Thing, kept: Kept) -> str:
    """The same as text to copy."""
    return "\n".join(f"{label}  {words}" for label, words in details(thing, kept))


def exact_time(moment: datetime) -> str:
    """A moment to the millisecond, where the user is."""
    return f"{moment.astimezone():%H:%M:%S}.{moment.microsecond // 1000:03}"


def kept_messages(store: SessionStore, compaction_id: str) -> int | None:
    """How many messages a compaction left as they were; None if it is not in the log."""
    tree = store.tree
    if compaction_id not in tree.nodes:
        return None
    entry = store.entry(compaction_id)
    if not isinstance(entry, CompactionEntry):
        return None
    count = 0
    for node in tree.way_up(tree.nodes[compaction_id].parent_id):
        count += node.type in CONTENT_TYPES
        if node.id == entry.first_kept_entry_id:
            return count
    return None


def model_seconds(thing: Thing) -> float:
    """How long a model wrote beside the talk, all tries together."""
    seconds, began = 0.0, None
    for record in thing.records:
        if isinstance(record.event, WRITING_BEGINS):
            began = record.at
        elif began is not None and isinstance(record.event, WRITING_ENDS):
            seconds += (record.at - began).total_seconds()
            began = None
    return seconds


def _measures(thing: Thing, kept: Kept) -> Iterator[Row]:
    since = thing.turn_began_at
    offset = "" if since is None else f", {duration_words((thing.began_at - since).total_seconds())} into its turn"
    yield "at", f"{exact_time(thing.began_at)}{offset}"
    match thing.kind:
        case "request":
            yield from _request_measures(thing)
        case "answer":
            yield from _answer_measures(thing)
        case "compaction":
            yield from _compaction_measures(thing, kept)
        case "errand":
            yield from _errand_measures(thing)
        case _:
            pass


def _request_measures(thing: Thing) -> Iterator[Row]:
    if step := newest(thing, ev.StepStarted):
        parts = pair_words(tuple((name, size_words(size_bytes)) for name, size_bytes in step.sizes_bytes))
        yield "size", f"{size_words(sum(size_bytes for _, size_bytes in step.sizes_bytes))}: {parts}"
        yield "cache", _cache_state(thing, step)
    if thing.ended_at is not None:
        yield "first word", f"after {duration_words((thing.ended_at - thing.began_at).total_seconds())}"


def _cache_state(thing: Thing, step: ev.StepStarted) -> str:
    if step.prefix_break:
        return f"broke, so {anew_words(step)}: {break_words(thing, step)}"
    if thing.is_first:
        return "nothing is cached yet: this is the first request"
    return "goes on from the request before it"


def _answer_measures(thing: Thing) -> Iterator[Row]:
    if counted := newest(thing, ev.UsageRecorded):
        usage = counted.usage
        yield "tokens", f"{usage.prompt_tokens:,} sent, {usage.output_tokens:,} received"
        share = 100 * usage.cache_read_tokens / usage.prompt_tokens if usage.prompt_tokens else None
        parts = f"{usage.cache_read_tokens:,} read from it, {usage.cache_write_tokens:,} written to it"
        yield "cache", f"{fmt.percent(share)} of what was sent: {parts}, {usage.input_tokens:,} neither"
        yield "cost", fmt.money(counted.cost)


def _compaction_measures(thing: Thing, kept: Kept) -> Iterator[Row]:
    if done := newest(thing, ev.CompactionFinished):
        left = kept(done.compaction_id)
        left_words = "" if left is None else f", {left:,} kept"
        yield "messages", f"{done.messages:,} cut{left_words}; {fmt.count(done.pruned, 'output')} pruned"
        saved = saved_percent(done.tokens_before, done.tokens_after)
        yield "tokens", f"{done.tokens_before:,} → {done.tokens_after:,}, {saved}"
        yield "time", f"{duration_words(done.duration_seconds)}, {duration_words(model_seconds(thing))} by the model"
        yield "estimate", _estimate(done.tokens_after, thing)
    yield from _price("summary", thing)


def _errand_measures(thing: Thing) -> Iterator[Row]:
    if started := newest(thing, ev.ErrandStarted):
        yield "messages", f"{started.messages:,} read"
    if done := newest(thing, ev.ErrandFinished):
        yield "time", f"{duration_words(done.duration_seconds)}, {duration_words(model_seconds(thing))} by the model"
    yield from _price("answer", thing)


def _price(caption: str, thing: Thing) -> Iterator[Row]:
    if counted := newest(thing, ev.UsageRecorded):
        usage = counted.usage
        tokens = f"{usage.prompt_tokens:,} tokens sent for it, {usage.output_tokens:,} received"
        yield caption, f"{tokens}, {cache_words(usage)}, {fmt.money(counted.cost)}"


def _estimate(tokens_after: int, thing: Thing) -> str:
    if thing.counted is None:
        return f"≈{tokens_after:,}; the next request will tell the real size"
    real = thing.counted.prompt_tokens
    off = 100 * (tokens_after - real) / real if real else 0.0
    return f"≈{tokens_after:,}, and the next request was {real:,} ({off:+.0f} %)".replace("-", "−")


def _offset(record: TraceRecord, began_at: datetime) -> str:
    return f"+{duration_words((record.at - began_at).total_seconds())}"


def _ids(thing: Thing) -> str:
    """By which the log and an export know it; a model is named where it is told of."""
    found: dict[str, None] = {}
    for record in thing.records:
        for name, value in ev.event_to_json(record.event).items():
            if name.endswith(ID_ENDS) and name != "modelId" and value:
                found[f"{name.removesuffix(ID_ENDS).lower()} {value}"] = None
    return ", ".join(found)
