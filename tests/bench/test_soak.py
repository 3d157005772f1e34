"""A short life of the app leaves nothing over, and the soak's figures can tell one that does."""

from pathlib import Path

import pytest

from bench.soak import Found, measures_of, slope
from bench.soak_probe.long_life import OUTPUT_BYTES, WARM_UP_TURNS, Plan, is_due, live

HELD = {"rss_bytes": 90_000_000, "tasks": 80, "descriptors": 12, "widgets": 57}
FLAT = Found((90_000_000,) * 10, HELD, HELD, compactions=2, switches=4, output_bytes=10_000_000)


async def test_turns_compactions_and_branches_leave_nothing_over(tmp_path: Path) -> None:
    plan = Plan(turns=8, compactions=2, switches=4)
    life = await live(tmp_path, plan)
    assert (life.compactions, life.switches) == (2, 4)
    assert life.output_bytes >= (plan.turns + WARM_UP_TURNS) * OUTPUT_BYTES
    assert life.last.tasks <= life.first.tasks
    assert life.last.descriptors <= life.first.descriptors
    assert life.last.widgets <= life.first.widgets


def test_a_flat_life_is_within_the_bars() -> None:
    assert {measure.verdict for measure in measures_of(FLAT, turns=10, compactions=2, switches=4)} == {"ok"}


@pytest.mark.parametrize(
    ("found", "missed"),
    [
        (Found(tuple(range(0, 300_000, 30_000)), HELD, HELD, 2, 4, 10_000_000), "memory a turn after warm-up"),
        (Found(FLAT.rss_bytes, HELD, HELD | {"tasks": 81}, 2, 4, 10_000_000), "tasks left over"),
        (Found(FLAT.rss_bytes, HELD, HELD | {"descriptors": 13}, 2, 4, 10_000_000), "descriptors left over"),
        (Found(FLAT.rss_bytes, HELD, HELD | {"widgets": 58}, 2, 4, 10_000_000), "widgets left over"),
        (Found(FLAT.rss_bytes, HELD, HELD, 1, 4, 10_000_000), "compactions by hand"),
        (Found(FLAT.rss_bytes, HELD, HELD, 2, 4, 9_000_000), "output"),
    ],
)
def test_what_is_left_over_or_was_not_done_misses_its_bar(found: Found, missed: str) -> None:
    measures = measures_of(found, turns=10, compactions=2, switches=4)
    assert [measure.name for measure in measures if measure.verdict == "missed"] == [missed]


def test_memory_that_grows_by_so_much_a_turn_has_that_slope() -> None:
    assert slope([100, 120, 140, 160]) == pytest.approx(20)
    assert slope([100]) == 0


@pytest.mark.parametrize(("turns", "times"), [(500, 20), (500, 50), (12, 2), (7, 3), (5, 0)])
def test_deeds_are_spread_over_all_turns(turns: int, times: int) -> None:
    assert sum(is_due(turn, turns, times) for turn in range(1, turns + 1)) == times
