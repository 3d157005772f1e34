"""The one retry layer: when a failed request is sent again, after how long, and when it is given up.

The rule. Nothing of an answer is shown or kept twice.

- A request that failed before any of its answer was given out is sent again here, unseen but for the countdown.
- One that failed after a part was given out is not begun anew: the part is given out as it is, then its failure.
  Whoever reads keeps the part, marks it as cut off, waits as `Retries.next_wait` says, and asks to go on from there.

Both draw on one budget of tries and seconds, which begins anew when an answer came to its end. Tools run only after
that end, so no retry can run one again. Waiting is plain sleep in the reader's task: cancelling the task ends it.
"""

import asyncio
import math
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import assert_never

from diligent_tui.domain.errors import Passing, Problem, ProviderError, StreamCut
from diligent_tui.providers.base import (
    CallBegun,
    CallPiece,
    CallReady,
    Failed,
    Finished,
    Piece,
    TextPiece,
    ThinkingPiece,
)

ENDED_WITHOUT_AN_END = "The provider ended the answer without saying that it was finished."

Attempt = Callable[[], AsyncIterator[Piece]]
Scheduled = Callable[[int, float, Problem], None]
"""Told of each wait: the number of the try to come, the seconds until then, and what failed."""
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how long to wait; pure."""

    most_tries: int = 5
    most_seconds: float = 120.0
    """From the first failure to the last try; what a provider asks for is honoured within this."""
    first_delay_seconds: float = 1.0
    longest_delay_seconds: float = 30.0

    def delay(self, tries: int, elapsed_seconds: float, error: ProviderError, chance: float) -> float | None:
        """Seconds to wait after so many tries, or None to give up; `chance` from 0 to 1 spreads the crowd."""
        if not error.may_retry or tries >= self.most_tries:
            return None
        asked = asked_seconds(error)
        if asked is None:
            whole = min(self.longest_delay_seconds, self.first_delay_seconds * 2 ** (tries - 1))
            seconds = whole * (1 + chance) / 2
        else:
            # Never earlier than asked, and not all at the same moment.
            seconds = asked + self.first_delay_seconds * chance
        return seconds if elapsed_seconds + seconds <= self.most_seconds else None


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause before the request is sent again; `attempt` is the number of the try to come."""

    attempt: int
    delay_seconds: float


@dataclass(slots=True)
class Retries:
    """The tries of one answer, over all the requests that it takes."""

    backoff: Backoff = Backoff()
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    _tries: int = 1
    _failed_at: float | None = None

    def next_wait(self, error: ProviderError) -> Wait | None:
        """The pause that this failure calls for; None if it is final."""
        now = self.clock()
        self._failed_at = now if self._failed_at is None else self._failed_at
        delay = self.backoff.delay(self._tries, now - self._failed_at, error, self.chance())
        if delay is None:
            return None
        self._tries += 1
        return Wait(self._tries, delay)

    def begin_anew(self) -> None:
        """An answer came to its end; the next one has all its tries."""
        self._tries = 1
        self._failed_at = None


async def with_retries(
    attempt: Attempt, retries: Retries, scheduled: Scheduled, sleep: Sleep = asyncio.sleep
) -> AsyncGenerator[Piece, None]:
    """The pieces of an answer, tried again where that shows nothing twice; ends with exactly one last piece."""
    while True:
        was_shown = False
        last: Finished | Failed = Failed(StreamCut(ENDED_WITHOUT_AN_END))
        stream = attempt()
        try:
            async for piece in stream:
                if isinstance(piece, Finished | Failed):
                    last = piece
                    break
                was_shown = was_shown or _is_something(piece)
                yield piece
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()
        if isinstance(last, Finished):
            retries.begin_anew()
            yield last
            return
        wait = None if was_shown else retries.next_wait(last.error)
        if wait is None:
            yield last if was_shown else Failed(given_up(last.error, retries.backoff))
            return
        scheduled(wait.attempt, wait.delay_seconds, last.error.problem)
        await sleep(wait.delay_seconds)


def given_up(error: ProviderError, backoff: Backoff) -> ProviderError:
    """The error to show when nothing more is tried; a wait longer than ours is named."""
    asked = asked_seconds(error)
    if not isinstance(error, Passing) or asked is None or asked <= backoff.most_seconds:
        return error
    advice = f"The provider asks to wait {_span(asked)}. Send the prompt again then, or switch the model."
    return type(error)(error.message, advice, asked)


def asked_seconds(error: ProviderError) -> float | None:
    """How long the provider asked to wait, if it said something sensible."""
    asked = error.retry_after_seconds if isinstance(error, Passing) else None
    return asked if asked is not None and math.isfinite(asked) and asked >= 0 else None


def _is_something(piece: TextPiece | ThinkingPiece | CallBegun | CallPiece | CallReady) -> bool:
    match piece:
        case TextPiece() | ThinkingPiece():
            return bool(piece.text)
        case CallBegun() | CallPiece() | CallReady():
            return True
        case _:
            assert_never(piece)


def _span(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{math.ceil(minutes / 60)} hours"
