"""What an open row of the trace tells: its measures, then every event of it with its time and its fields."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TypeGuard

from diligent_tui.agent.trace import TraceRecord
from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import CONTENT_TYPES, CompactionEntry
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.session.store import SessionStore
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.words import (
    cache_words,
    duration_words,
    newest,
    saved_percent,
    size_words,
    usage_words,
)

Row = tuple[str, str]
"""A label and what is told."""
Kept = Callable[[str], int | None]
"""How many messages a compaction kept, by its id."""
WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")
DEEPEST = 6
SHORT_CHARS = 40
"""Longer values have a row of their own."""
WRITING_ENDS = (ev.CompactionChecking, ev.CompactionRejected, ev.CompactionFinished, ev.CompactionFailed)


def details(thing: Thing, kept: Kept) -> list[Row]:
    """All that is known of a thing, cleaned: its measures, then an entry for each event of it."""
    rows = list(_measures(thing, kept))
    known: set[Row] = set()
    for record in thing.records:
        fields = [field for field in _fields(record.event) if field not in known]
        # What an id was is told once.
        known.update(field for field in fields if field[0].endswith(" id"))
        short = " · ".join(f"{name} {value}" for name, value in fields if _is_short(value))
        rows.append((_offset(record, thing.began_at), clean_line(f"{_name(record)}  {short}".rstrip())))
        rows += [(f"  {clean_line(name)}", clean(value)) for name, value in fields if not _is_short(value)]
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
    """How long a model wrote at a compaction's summary, all tries together."""
    seconds, began = 0.0, None
    for record in thing.records:
        if isinstance(record.event, ev.CompactionSummarising):
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
        case _:
            pass


def _request_measures(thing: Thing) -> Iterator[Row]:
    if step := newest(thing, ev.StepStarted):
        parts = "  ".join(f"{name} {size_words(size_bytes)}" for name, size_bytes in step.sizes_bytes)
        yield "size", parts
        yield "cache", _cache_state(step.prefix_break, is_first=thing.is_first)
    if thing.ended_at is not None:
        yield "first word", f"after {duration_words((thing.ended_at - thing.began_at).total_seconds())}"


def _cache_state(prefix_break: str, *, is_first: bool) -> str:
    if prefix_break:
        return f"broke: {prefix_break}"
    return "the first request here: nothing to go on from" if is_first else "begins with the request before it"


def _answer_measures(thing: Thing) -> Iterator[Row]:
    if counted := newest(thing, ev.UsageRecorded):
        usage = counted.usage
        yield "tokens", f"{usage_words(usage)}  {cache_words(usage)}  {fmt.money(counted.cost)}"
        cached = f"{usage.cache_read_tokens:,} read from the cache, {usage.cache_write_tokens:,} written to it"
        yield "sent", f"{cached}, {usage.input_tokens:,} neither"


def _compaction_measures(thing: Thing, kept: Kept) -> Iterator[Row]:
    if done := newest(thing, ev.CompactionFinished):
        left = kept(done.compaction_id)
        yield "messages", f"{done.messages:,} cut, {'–' if left is None else f'{left:,}'} kept, {done.pruned:,} pruned"
        saved = saved_percent(done.tokens_before, done.tokens_after)
        yield "tokens", f"{done.tokens_before:,} → {done.tokens_after:,}  {saved}"
        yield "time", f"{duration_words(model_seconds(thing))} of {duration_words(done.duration_seconds)} by the model"
        yield "estimate", _estimate(done.tokens_after, thing)
    if counted := newest(thing, ev.UsageRecorded):
        yield "summary", f"{usage_words(counted.usage)}  {cache_words(counted.usage)}  {fmt.money(counted.cost)}"


def _estimate(tokens_after: int, thing: Thing) -> str:
    if thing.counted is None:
        return f"≈{tokens_after:,}; the next request will tell the real size"
    real = thing.counted.prompt_tokens
    off = 100 * (tokens_after - real) / real if real else 0.0
    return f"≈{tokens_after:,}, and the next request was {real:,} ({off:+.0f} %)".replace("-", "−")


def _offset(record: TraceRecord, began_at: datetime) -> str:
    return f"+{duration_words((record.at - began_at).total_seconds())}"


def _name(record: TraceRecord) -> str:
    name = ev.event_name(type(record.event)).replace("_", " ")
    if not record.chars:
        return name
    pieces = f" in {record.repeats + 1:,} pieces" if record.repeats else ""
    return f"{name}, {record.chars:,} characters{pieces}"


def _is_short(value: str) -> bool:
    return len(value) <= SHORT_CHARS and "\n" not in value


def _fields(event: ev.Event) -> Iterator[Row]:
    for name, value in ev.event_to_json(event).items():
        if name != "type" and value not in ("", None, [], {}):
            yield _plain_name(name), _words(value)


def _words(value: object, depth: int = 0) -> str:
    """A value as people write it; what is nested deeper than anybody reads is left out."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if depth > DEEPEST:
        return "…"
    if _is_dict(value):
        return ", ".join(f"{_plain_name(name)} {_words(item, depth + 1)}" for name, item in value.items())
    if _is_list(value):
        between = " " if depth else ", "
        return between.join(_words(item, depth + 1) for item in value)
    return str(value)


def _plain_name(name: str) -> str:
    return WORD_START.sub(" ", name).lower()


def _is_dict(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
