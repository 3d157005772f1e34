"""What repeated compaction loses of what was there at the beginning: points per further compaction, and half-life."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bench.survival.survival import Tally

EARLY_SHARE = 0.10
"""What was there in so much of the session is followed."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How one policy drifts: the share held after each number of compactions, and what one more of them loses."""

    held: tuple[tuple[int, float], ...] = ()
    loss_points: float = math.nan
    """Per further compaction, over all sessions with two or more."""
    half_life: float = math.inf
    """After so many further compactions half of it is left."""


def drift_of(sessions: Sequence[dict[int, Tally]]) -> Drift:
    """The drift over sessions; each step from one compaction to the next counts by what it could lose."""
    by_number: dict[int, Tally] = {}
    lost = steps = 0.0
    for session in sessions:
        numbers = sorted(session)
        for number in numbers:
            by_number.setdefault(number, Tally()).add(session[number])
        for earlier, later in pairwise(numbers):
            asked = _total(session[earlier].asked)
            lost += _total(session[earlier].held) - _total(session[later].held)
            steps += asked * (later - earlier)
    held = tuple((number, _share(tally)) for number, tally in sorted(by_number.items()))
    if not steps:
        return Drift(held)
    loss = lost / steps
    return Drift(held, 100 * loss, _half_life(loss))


def _half_life(loss: float) -> float:
    return math.log(0.5) / math.log(1 - loss) if 0 < loss < 1 else math.inf


def _share(tally: Tally) -> float:
    return _total(tally.held) / max(1, _total(tally.asked))


def _total(counts: dict[str, int]) -> int:
    # The lenient reading of rules asks for the same things once more.
    return sum(count for kind, count in counts.items() if kind != "user_lenient")
