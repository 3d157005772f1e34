import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.errors import (
    AuthFailed,
    BadResponse,
    ContextOverflow,
    ModelUnknown,
    Overloaded,
    Passing,
    Problem,
    ProviderError,
    RateLimited,
    StreamCut,
    Unavailable,
)
from diligent_tui.domain.messages import TextBlock
from diligent_tui.providers.base import CallBegun, Failed, Finished, Piece, TextPiece, ThinkingPiece
from diligent_tui.providers.retry import Backoff, Retries, given_up, with_retries

DONE = Finished((TextBlock(text="hello"),), "end_turn", None)
MIDDLE = 0.5


@dataclass
class Scene:
    """Plays one script after another, on a clock that only waiting moves."""

    scripts: Sequence[Sequence[Piece | None]]
    now: float = 0.0
    attempts: int = 0
    closed: int = 0
    seconds_an_attempt: float = 0.0
    slept: list[float] = field(default_factory=list[float])
    told: list[tuple[int, float, str]] = field(default_factory=list[tuple[int, float, str]])
    retries: Retries = field(init=False)

    def __post_init__(self) -> None:
        self.retries = Retries(clock=lambda: self.now, chance=lambda: MIDDLE)

    async def attempt(self) -> AsyncIterator[Piece]:
        script = self.scripts[min(self.attempts, len(self.scripts) - 1)]
        self.attempts += 1
        self.now += self.seconds_an_attempt
        try:
            for piece in script:
                if piece is None:
                    return
                yield piece
        finally:
            self.closed += 1

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def schedule(self, attempt: int, delay_seconds: float, problem: Problem) -> None:
        self.told.append((attempt, delay_seconds, problem.kind))

    async def play(self) -> list[Piece]:
        return [piece async for piece in with_retries(self.attempt, self.retries, self.schedule, self.sleep)]


FINAL_ERRORS = [
    ContextOverflow("Too long."),
    AuthFailed("No key."),
    BadResponse("Not JSON."),
    ModelUnknown("Nobody."),
    ProviderError("400."),
]
PASSING_ERRORS = [RateLimited("Slow down."), Overloaded("Busy."), Unavailable("No route."), StreamCut("Cut.")]


@pytest.mark.parametrize("error", FINAL_ERRORS, ids=lambda error: error.kind)
async def test_what_will_not_pass_is_sent_once(error: ProviderError) -> None:
    scene = Scene([[Failed(error)]])
    assert await scene.play() == [Failed(error)]
    assert (scene.attempts, scene.slept) == (1, [])


@pytest.mark.parametrize("error", PASSING_ERRORS, ids=lambda error: error.kind)
async def test_what_may_pass_is_sent_again_and_told(error: ProviderError) -> None:
    scene = Scene([[Failed(error)], [TextPiece("hello"), DONE]])
    assert await scene.play() == [TextPiece("hello"), DONE]
    assert scene.told == [(2, 0.75, error.kind)]
    assert scene.slept == [0.75]
    assert scene.closed == 2


async def test_waits_double_and_the_fifth_try_is_the_last() -> None:
    error = Overloaded("Busy.")
    scene = Scene([[Failed(error)]])
    assert await scene.play() == [Failed(error)]
    assert scene.attempts == 5
    assert scene.slept == [0.75, 1.5, 3.0, 6.0]
    assert [attempt for attempt, _, _ in scene.told] == [2, 3, 4, 5]


ASKING = [kind("Not now.", retry_after_seconds=20) for kind in (RateLimited, Overloaded, Unavailable)]


@pytest.mark.parametrize("error", ASKING, ids=lambda error: error.kind)
async def test_what_a_provider_asks_for_is_honoured_and_never_cut_short(error: ProviderError) -> None:
    scene = Scene([[Failed(error)], [DONE]])
    assert await scene.play() == [DONE]
    assert scene.slept == [20.5]


@pytest.mark.parametrize("kind", [RateLimited, Overloaded, Unavailable])
async def test_a_wait_longer_than_ours_is_named_instead(kind: type[Passing]) -> None:
    scene = Scene([[Failed(kind("Not now.", retry_after_seconds=3_600))]])
    [last] = await scene.play()
    assert isinstance(last, Failed)
    assert type(last.error) is kind
    assert "60 minutes" in last.error.advice
    assert scene.attempts == 1


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -5.0])
async def test_a_senseless_wish_to_wait_is_not_followed(seconds: float) -> None:
    scene = Scene([[Failed(RateLimited("Slow down.", retry_after_seconds=seconds))], [DONE]])
    await scene.play()
    assert scene.slept == [0.75]


async def test_tries_that_take_long_use_up_the_time() -> None:
    scene = Scene([[Failed(Unavailable("Stalled."))]], seconds_an_attempt=60.0)
    await scene.play()
    # The first failure is at 60 s, the third at 182 s: no fourth fits into 120 s.
    assert scene.attempts == 3


@pytest.mark.parametrize(
    "shown", [TextPiece("hel"), ThinkingPiece("hm"), CallBegun("c1", "read")], ids=lambda piece: type(piece).__name__
)
async def test_an_answer_cut_off_after_a_part_was_shown_is_not_begun_anew(shown: Piece) -> None:
    error = StreamCut("Cut.")
    scene = Scene([[shown, Failed(error)], [TextPiece("hello"), DONE]])
    assert await scene.play() == [shown, Failed(error)]
    assert (scene.attempts, scene.told) == (1, [])


async def test_whoever_goes_on_after_a_cut_draws_on_the_same_tries() -> None:
    scene = Scene([[TextPiece("x"), Failed(StreamCut("Cut."))]])
    waits = 0
    while True:
        last = (await scene.play())[-1]
        assert isinstance(last, Failed)
        wait = scene.retries.next_wait(last.error)
        if wait is None:
            break
        waits += 1
        await scene.sleep(wait.delay_seconds)
    assert (scene.attempts, waits) == (5, 4)


async def test_a_finished_answer_gives_the_next_one_all_its_tries() -> None:
    scene = Scene([[Failed(Overloaded("Busy."))], [DONE], [Failed(Overloaded("Busy."))], [DONE]])
    assert await scene.play() == [DONE]
    assert await scene.play() == [DONE]
    assert scene.slept == [0.75, 0.75]


async def test_a_stream_that_just_ends_is_a_cut() -> None:
    scene = Scene([[None], [TextPiece("a"), None]])
    pieces = await scene.play()
    assert [type(piece) for piece in pieces] == [TextPiece, Failed]
    assert scene.told == [(2, 0.75, "stream_cut")]


async def test_empty_words_are_nothing_shown() -> None:
    scene = Scene([[TextPiece(""), Failed(Overloaded("Busy."))], [DONE]])
    assert (await scene.play())[-1] == DONE


async def test_cancelling_the_countdown_ends_it_at_once() -> None:
    scene = Scene([[Failed(Overloaded("Busy."))]])
    counting = asyncio.Event()

    async def sleep(_: float) -> None:
        counting.set()
        await asyncio.Event().wait()

    async def read() -> list[Piece]:
        return [piece async for piece in with_retries(scene.attempt, scene.retries, scene.schedule, sleep)]

    task = asyncio.create_task(read())
    await counting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (scene.attempts, scene.closed) == (1, 1)


async def test_leaving_the_stream_frees_what_it_holds() -> None:
    scene = Scene([[TextPiece("a"), TextPiece("b"), DONE]])
    stream = with_retries(scene.attempt, scene.retries, scene.schedule, scene.sleep)
    assert await anext(stream) == TextPiece("a")
    assert scene.closed == 0
    await stream.aclose()
    assert scene.closed == 1


@given(
    tries=st.integers(1, 10),
    elapsed=st.floats(0, 300),
    chance=st.floats(0, 1),
    asked=st.none() | st.floats(0, 300),
)
def test_a_delay_is_within_all_bounds(tries: int, elapsed: float, chance: float, asked: float | None) -> None:
    backoff = Backoff()
    delay = backoff.delay(tries, elapsed, RateLimited("Slow down.", retry_after_seconds=asked), chance)
    if delay is None:
        return
    assert tries < backoff.most_tries
    assert elapsed + delay <= backoff.most_seconds
    assert delay >= (asked or 0)
    assert asked is not None or backoff.first_delay_seconds / 2 <= delay <= backoff.longest_delay_seconds


def test_an_error_that_asks_for_little_stays_as_it_is() -> None:
    error = RateLimited("Slow down.", retry_after_seconds=5)
    assert given_up(error, Backoff()) is error
