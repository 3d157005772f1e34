"""kill -9 at any moment: what was acknowledged is there, the file opens, and the session goes on."""

from pathlib import Path

import pytest

from tests.faults.kills import Toll, kill_many

KILLS = 50
"""Four times this makes 200, in parts that can run side by side."""


def check(toll: Toll, kills: int) -> None:
    assert toll.flaws == []
    assert toll.seen["went on"] == toll.seen["kills"] == kills
    # Kills that always met a session at rest would prove nothing.
    assert toll.seen["acknowledged"] > 5 * kills


@pytest.mark.parametrize("seed", [20260102, 20260103, 20260104, 20260105])
async def test_nothing_acknowledged_is_lost_by_50_kills_and_the_next_prompt_works(seed: int, tmp_path: Path) -> None:
    check(await kill_many(tmp_path, KILLS, seed), KILLS)


@pytest.mark.soak
async def test_nothing_acknowledged_is_lost_by_1000_kills(tmp_path: Path) -> None:
    check(await kill_many(tmp_path, 1000, seed=20260106), 1000)
