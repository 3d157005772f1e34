"""Carries events from the core to the screen, in batches that are painted at most fifteen times a second."""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.totals import first_prompt
from diligent_tui.domain.events import (
    CompactionSummaryDelta,
    ErrandDelta,
    Event,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
)
from diligent_tui.session.reading import SessionContent
from diligent_tui.ui.state import ScreenState, reduce

PAINTS_PER_SECOND = 15
PORTION_CHARS = 2_000
"""So much text is told in one pass of the event loop; to lay out more at once would make a key wait."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What happened since the last paint, and the state it left."""

    events: tuple[Event, ...]
    state: ScreenState
    is_whole: bool = True
    """False if more follows at once, so that there is no need to paint yet."""


class Bridge:
    """Listens to one session; `run` is the one task that tells the screen."""

    def __init__(
        self,
        session: AgentSession,
        state: ScreenState,
        tell: Callable[[Batch], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to listen, in the state the screen is in."""
        self.state = state
        self._tell = tell
        self._clock = clock
        self._events: list[Event] = []
        self._is_telling = False
        self._wake = asyncio.Event()
        self._unsubscribe = session.hub.subscribe(self._hear)

    @property
    def has_news(self) -> bool:
        """True while something waits to be told."""
        return self._wake.is_set() or self._is_telling

    async def run(self) -> None:
        """Tell the screen what happened, at once after a pause, else at a steady pace, until cancelled."""
        told_at = 0.0
        try:
            while True:
                await self._wake.wait()
                wait_seconds = told_at + 1 / PAINTS_PER_SECOND - self._clock()
                if wait_seconds > 0:
                    await asyncio.sleep(wait_seconds)
                self._wake.clear()
                events, self._events = self._events, []
                told_at = self._clock()
                await self._tell_all(events)
        finally:
            self._unsubscribe()

    async def _tell_all(self, events: list[Event]) -> None:
        state = self.state
        self._is_telling = True
        *parts, last = portions(events)
        for part in parts:
            self._tell(Batch(part, state, is_whole=False))
            await asyncio.sleep(0)
        self._is_telling = False
        self._tell(Batch(last, state))

    def _hear(self, event: Event) -> None:
        self.state = reduce(self.state, event, self._clock())
        last = self._events[-1] if self._events else None
        merged = _merged(last, event)
        if merged is None:
            self._events.append(event)
        else:
            self._events[-1] = merged
        self._wake.set()


def first_state(session: AgentSession) -> ScreenState:
    """What the screen shows before anything happened; slow for a long session, so it is called in a thread."""
    content = session.store.content
    measured = session.measure()
    totals = content.totals
    return ScreenState(
        session_name=content.name,
        # A session that was killed before its first turn's end has no totals.
        first_prompt=(totals.first_prompt or "") if totals else first_prompt(session.conversation),
        branch=session.branch,
        read_only_because=session.store.read_only_because,
        model_id=session.model.id,
        thinking=session.thinking,
        mode=session.mode,
        sandbox=session.sandbox_word,
        phase="idle",
        tokens=measured.tokens,
        limit=measured.limit,
        is_estimated=measured.estimated,
        limit_is_assumed=measured.limit_assumed,
        parts=measured.parts,
        cost=_cost_of(content),
        queue=session.waiting.items,
        compactions=content.tree.compactions,
    )


def _cost_of(content: SessionContent) -> float | None:
    """What a session has cost: nothing before its first words; unknown if it was left before a turn's end."""
    if content.totals is not None:
        return content.totals.cost
    return None if content.tree.nodes else 0.0


def portions(events: Iterable[Event]) -> list[tuple[Event, ...]]:
    """The events in order, in lots of not much text; there is always one, and a long text is cut up."""
    lots: list[tuple[Event, ...]] = []
    lot: list[Event] = []
    chars = 0
    for event in events:
        for piece in _pieces(event):
            if chars >= PORTION_CHARS:
                lots.append(tuple(lot))
                lot, chars = [], 0
            lot.append(piece)
            chars += len(piece.text) if isinstance(piece, TextDelta | ThinkingDelta) else 0
    return [*lots, tuple(lot)]


def _pieces(event: Event) -> list[Event]:
    if not isinstance(event, TextDelta | ThinkingDelta) or len(event.text) <= PORTION_CHARS:
        return [event]
    starts = range(0, len(event.text), PORTION_CHARS)
    return [replace(event, text=event.text[start : start + PORTION_CHARS]) for start in starts]


def _merged(last: Event | None, event: Event) -> Event | None:
    """Two pieces of one stream as one; None if they are not, or if that would be a long one."""
    match last, event:
        case TextDelta() | ThinkingDelta(), _ if len(last.text) >= PORTION_CHARS:
            return None
        case TextDelta() | ThinkingDelta(), TextDelta() | ThinkingDelta() if (
            type(last) is type(event) and last.message_id == event.message_id
        ):
            return replace(last, text=last.text + event.text)
        case ToolCallDelta() | ToolOutput(), ToolCallDelta() | ToolOutput() if (
            type(last) is type(event) and last.call_id == event.call_id
        ):
            return replace(last, text=last.text + event.text)
        case CompactionSummaryDelta(), CompactionSummaryDelta() if last.compaction_id == event.compaction_id:
            return replace(last, text=last.text + event.text)
        case ErrandDelta(), ErrandDelta() if last.errand_id == event.errand_id:
            return replace(last, text=last.text + event.text)
        case _:
            return None
