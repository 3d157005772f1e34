"""The benchmark of decoding reads whole answers on both sides, and tells the middle of its rounds."""

from collections.abc import Awaitable, Callable

import pytest

from bench import wire as bench_wire
from bench.__main__ import BENCHES
from bench.frame import CommandFailed
from bench.wire import CONTESTS, Contest, compare, reading
from diligent_tui.providers.registry import MAKERS

TOKENS = 40


def test_the_benchmark_is_known_by_name_and_has_every_provider_that_speaks_over_a_wire() -> None:
    assert BENCHES["wire"] == bench_wire.__name__
    assert {contest.model.provider for contest in CONTESTS} == MAKERS.keys() - {"offline"}


@pytest.mark.parametrize("contest", CONTESTS, ids=[contest.model.provider for contest in CONTESTS])
async def test_both_sides_read_every_token(contest: Contest) -> None:
    async with reading(contest, TOKENS) as (ours, plain):
        assert await ours() == TOKENS
        assert TOKENS <= await plain() <= TOKENS + 10


async def test_a_reading_that_lost_something_counts_for_nothing() -> None:
    with pytest.raises(CommandFailed, match="only 3"):
        await compare(reads(3), reads(TOKENS), 1, TOKENS)


async def test_the_middle_of_the_rounds_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Before and after each reading, ours and the plain one in turn; the first round is not counted.
    times_s = iter([0.0, 9.0, 0.0, 1.0, 0.0, 3.0, 0.0, 2.0, 0.0, 8.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0])
    monkeypatch.setattr(bench_wire.time, "thread_time", lambda: next(times_s))
    assert await compare(reads(TOKENS), reads(TOKENS), 3, TOKENS) == 1.5


def reads(tokens: int) -> Callable[[], Awaitable[int]]:
    async def read() -> int:
        return tokens

    return read
