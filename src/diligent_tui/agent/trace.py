"""Remembers the newest events with their times; one more listener, nothing special."""

from collections import deque
from dataclasses import dataclass, replace
from datetime import datetime

from diligent_tui.domain.events import (
    Event,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
    UsageRecorded,
)
from diligent_tui.domain.times import Clock, now
from diligent_tui.domain.usage import Usage

MOST_RECORDS = 5_000


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """An event and when it was told; `repeats` counts further pieces of the same stream, which are not kept."""

    at: datetime
    event: Event
    repeats: int = 0


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
    """A bounded list of what happened; pieces of one stream count as one record."""

    def __init__(self, clock: Clock = now) -> None:
        """Begin with nothing."""
        self._clock = clock
        self.records: deque[TraceRecord] = deque(maxlen=MOST_RECORDS)

    def __call__(self, event: Event) -> None:
        """Listen."""
        if self.records and _is_piece(event) and type(self.records[-1].event) is type(event):
            last = self.records.pop()
            self.records.append(TraceRecord(last.at, last.event, last.repeats + 1))
        else:
            self.records.append(TraceRecord(self._clock(), event))

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


def _is_piece(event: Event) -> bool:
    return isinstance(event, TextDelta | ThinkingDelta | ToolCallDelta | ToolOutput)
