"""Remembers the newest events with their times; one more listener, nothing special."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime

from diligent_tui.domain.events import Event, TextDelta, ThinkingDelta, ToolCallDelta, ToolOutput
from diligent_tui.domain.times import Clock, now

MOST_RECORDS = 5_000


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """An event and when it was told; `repeats` counts further pieces of the same stream, which are not kept."""

    at: datetime
    event: Event
    repeats: int = 0


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


def _is_piece(event: Event) -> bool:
    return isinstance(event, TextDelta | ThinkingDelta | ToolCallDelta | ToolOutput)
