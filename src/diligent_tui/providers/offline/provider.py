"""Streams the rehearsal engine's answers at the pace asked for, and keeps count of what they would cost."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.messages import TextBlock
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import CallPiece, Failed, Finished, Piece, ServerWindow, TextPiece, ThinkingPiece
from diligent_tui.providers.offline.answers import Answer, pieces_of
from diligent_tui.providers.offline.counting import Measure, measure
from diligent_tui.providers.offline.directives import FaultDirective, StreamDirective, find_directive
from diligent_tui.providers.offline.engine import answer
from diligent_tui.providers.offline.faults import Scene, play
from diligent_tui.providers.offline.markdown import markdown
from diligent_tui.providers.offline.summary import summarise
from diligent_tui.providers.offline.talk import Talk, read_talk, texts_in

WINDOW_TOKENS = 32_000
TOKENS_BETWEEN_YIELDS = 32
"""At full speed the event loop gets its turn after so many tokens, some ten microseconds each."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A request as it was understood."""

    request: Request
    measured: Measure
    talk: Talk
    directive: StreamDirective | FaultDirective | None

    @classmethod
    def of(cls, request: Request) -> "_Read":
        """Read a request."""
        measured = measure(request)
        talk = read_talk(request, measured.mark)
        is_summary = request.purpose == "summary"
        return cls(request, measured, talk, _summary_fault(request) if is_summary else find_directive(talk.order))

    def decide(self, window_tokens: int, *, plays: bool) -> Answer:
        """The answer; `plays` if a fault that was ordered is due."""
        request, talk = self.request, self.talk
        match self.directive:
            case StreamDirective() as stream:
                text = markdown(stream.tokens, f"Q{stream.mark}9")
                return Answer((TextBlock(text=text),), tokens_per_second=stream.tokens_per_second)
            case FaultDirective() as fault if plays:
                return play(Scene(fault, request, talk, window_tokens))
            case _:
                return summarise(request) if request.purpose == "summary" else answer(request, talk)


class OfflineProvider:
    """A provider without a network; it remembers the last request, for its cache, and how often faults played."""

    def __init__(
        self,
        pace_tokens_per_second: float = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Stream at a pace, 0 being as fast as possible."""
        self._pace_tokens_per_second = pace_tokens_per_second
        self._sleep = sleep
        self._clock = clock
        self._before = Measure()
        self._played: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The provider's part of a model id."""
        return "offline"

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """All is in the table."""
        return None

    async def warm_up(self) -> None:
        """All is there already."""

    async def aclose(self) -> None:
        """Nothing is held, so nothing is freed."""

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        """Answer as `providers.base` promises."""
        # Both in a thread: a long request takes longer to read than a key may wait.
        read = await asyncio.to_thread(_Read.of, request)
        measured, window_tokens = read.measured, request.model.window_tokens or WINDOW_TOKENS
        if measured.tokens > window_tokens:
            message = f"The request is too long: {measured.tokens} tokens > {window_tokens} maximum."
            yield Failed(ContextOverflow(message, tokens=measured.tokens, limit=window_tokens))
            return
        plays = isinstance(read.directive, FaultDirective) and self._is_due(read.directive, request)
        decided = await asyncio.to_thread(read.decide, window_tokens, plays=plays)
        pace = self._pace_tokens_per_second if decided.tokens_per_second is None else decided.tokens_per_second
        begin_seconds = self._clock()
        output_tokens = 0
        for piece in pieces_of(decided):
            output_tokens += isinstance(piece, TextPiece | ThinkingPiece | CallPiece)
            await self._keep_pace(pace, begin_seconds, output_tokens)
            yield piece
        match decided.ending:
            case "no_end":
                return
            case "stall":
                await asyncio.Event().wait()
            case "finished":
                usage = measured.usage(self._before, output_tokens)
                self._before = measured
                yield Finished(decided.blocks, decided.stop_reason, usage)
            case error:
                yield Failed(error)

    def _is_due(self, fault: FaultDirective, request: Request) -> bool:
        if fault.on != request.purpose:
            return False
        self._played[fault.key] += 1
        return fault.times is None or self._played[fault.key] <= fault.times

    async def _keep_pace(self, pace_tokens_per_second: float, begin_seconds: float, tokens: int) -> None:
        """Wait until so many tokens are due since the beginning, so that small delays do not add up."""
        if pace_tokens_per_second > 0:
            wait_seconds = begin_seconds + tokens / pace_tokens_per_second - self._clock()
            if wait_seconds > 0:
                await self._sleep(wait_seconds)
                return
        if tokens % TOKENS_BETWEEN_YIELDS == 0:
            await asyncio.sleep(0)


def _summary_fault(request: Request) -> FaultDirective | None:
    """A fault for summaries may stand anywhere in the talk: nobody writes a prompt to a summariser."""
    for message in reversed(request.messages):
        for text in reversed(texts_in(message)):
            directive = find_directive(text)
            if isinstance(directive, FaultDirective) and directive.on == "summary":
                return directive
    return None
