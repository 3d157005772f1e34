"""Remembers the newest events with their times and sizes; one more listener, nothing special.

What is kept is bounded: pieces of a stream are only counted, long texts lose their end, the oldest records are dropped.
"""

from collections import deque
from dataclasses import dataclass, replace
from datetime import datetime

from diligent_tui.agent.trace_size import length_chars, slimmed
from diligent_tui.domain.events import (
    CompactionSummaryDelta,
    ErrandDelta,
    Event,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
    TurnFailed,
    TurnFinished,
    UsageRecorded,
)
from diligent_tui.domain.times import Clock, now
from diligent_tui.domain.usage import Usage

MOST_RECORDS = 5_000
Piece = TextDelta | ThinkingDelta | ToolCallDelta | ToolOutput | CompactionSummaryDelta | ErrandDelta
Stream = tuple[type[Piece], str]


@dataclass(slots=True)
class TraceRecord:
    """An event and when it was told; the pieces of one stream are one record, which grows and keeps no text."""

    number: int
    """Its place among all events that were ever heard."""
    at: datetime
    event: Event
    chars: int = 0
    """How much text it brought, all pieces together."""
    repeats: int = 0
    """How many pieces came after the first."""
    until: datetime | None = None
    """When the last of them came."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request: its sizes by part, why it could not use the cache of the one before, and what it was counted as."""

    at: datetime
    message_id: str
    model_id: str
    sizes_bytes: tuple[tuple[str, int], ...]
    prefix_break: str
    """Empty where the request went on from the one before it."""
    usage: Usage | None = None


class TraceRecorder:
    """A bounded list of what happened."""

    def __init__(self, clock: Clock = now, most_records: int = MOST_RECORDS) -> None:
        """Begin with nothing."""
        self._clock = clock
        self._most_records = most_records
        self.records: deque[TraceRecord] = deque()
        self.heard = 0
        """How many records there ever were."""
        self._streams: dict[Stream, TraceRecord] = {}
        self._changed: dict[int, TraceRecord] = {}

    def __call__(self, event: Event) -> None:
        """Listen."""
        if isinstance(event, Piece):
            self._hear_piece(event)
            return
        if isinstance(event, StepStarted | TurnFinished | TurnFailed):
            self._streams.clear()
        self._add(TraceRecord(self.heard, self._clock(), slimmed(event), length_chars(event)))

    @property
    def dropped(self) -> int:
        """How many records are kept no more."""
        return self.heard - len(self.records)

    @property
    def requests(self) -> list[RequestRecord]:
        """The requests among the records, oldest first."""
        found: dict[str, RequestRecord] = {}
        for record in self.records:
            event = record.event
            if isinstance(event, StepStarted):
                found[event.message_id] = RequestRecord(
                    record.at, event.message_id, event.model_id, event.sizes_bytes, event.prefix_break
                )
            elif isinstance(event, UsageRecorded) and event.message_id in found:
                found[event.message_id] = replace(found[event.message_id], usage=event.usage)
        return list(found.values())

    def take_changes(self) -> list[TraceRecord]:
        """The records that came or grew since this was asked last."""
        changed, self._changed = self._changed, {}
        return list(changed.values())

    def _hear_piece(self, event: Piece) -> None:
        stream = (type(event), _stream_id(event))
        record = self._streams.get(stream)
        if record is None:
            record = TraceRecord(self.heard, self._clock(), replace(event, text=""), len(event.text))
            self._streams[stream] = record
            self._add(record)
        else:
            record.repeats += 1
            record.chars += len(event.text)
            record.until = self._clock()
            self._changed[record.number] = record

    def _add(self, record: TraceRecord) -> None:
        self.heard += 1
        self.records.append(record)
        self._changed[record.number] = record
        if len(self.records) > self._most_records:
            oldest = self.records.popleft()
            self._changed.pop(oldest.number, None)
            if isinstance(oldest.event, Piece):
                self._streams.pop((type(oldest.event), _stream_id(oldest.event)), None)


def _stream_id(event: Piece) -> str:
    match event:
        case TextDelta() | ThinkingDelta():
            return event.message_id
        case ToolCallDelta() | ToolOutput():
            return event.call_id
        case CompactionSummaryDelta():
            return event.compaction_id
        case ErrandDelta():
            return event.errand_id
