"""Holds a summary against what it was written from: what it may name, and what became of each fact of the span."""

import json
from collections.abc import Iterator, Sequence

from diligent_tui.compaction.coverage import CoverageReport, coverage_of
from diligent_tui.compaction.extractors import findings_of
from diligent_tui.compaction.fitting import entry_ids
from diligent_tui.compaction.mentions import Mention
from diligent_tui.compaction.span import Span
from diligent_tui.compaction.validation import Source
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.effective import Item, Lookup, SummaryPair


def source_of(span: Span, items: Sequence[Item], lookup: Lookup, known: Sequence[str]) -> Source:
    """All that a summary of a span may name; `items` is the sequence it was made for, `known` what was told beside it.

    Slow for a long span, so it is called in a thread.
    """
    before = (span.previous.summary, span.previous.ledger) if span.previous else ()
    said = (text for entry in span.entries for text in _texts(entry))
    return Source(
        texts=(*before, span.prefix_summary, *said, *_quoted(items, lookup), *known),
        entry_ids=frozenset(entry_ids(items)) | span.ids,
    )


def told_in(compaction: CompactionEntry) -> str:
    """What a compaction says in words: its summary, and what it tells of a cut turn."""
    return "\n".join((compaction.summary, compaction.turn_prefix.summary if compaction.turn_prefix else ""))


def report_on(
    compaction: CompactionEntry,
    span: Span,
    knowledge: Sequence[str],
    invented: Sequence[Mention],
    tell: Tell = tell_nobody,
) -> CoverageReport:
    """What became of each fact of a span in its compaction; slow for a long span."""
    return coverage_of(findings_of(span.entries, tell), told_in(compaction), compaction.ledger, knowledge, invented)


def _quoted(items: Sequence[Item], lookup: Lookup) -> Iterator[str]:
    """The pinned entries that stand beside the earlier summary."""
    for item in items:
        if isinstance(item, SummaryPair):
            yield from (speech_of(lookup(pinned_id)).words for pinned_id in item.pinned_ids)


def _texts(entry: Entry) -> Iterator[str]:
    yield speech_of(entry).words
    if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
        for call in entry.message.tool_calls:
            yield f"{call.name} {json.dumps(call.input, ensure_ascii=False, default=str)}"
