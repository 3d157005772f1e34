"""The bars of the benchmark, as measures with targets."""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from bench.frame import Measure, at_least, at_most
from bench.survival.drift import drift_of
from bench.survival.estimates import SizeErrors
from bench.survival.measuring import OURS, Measured
from bench.survival.replay import Played

SMALL_WINDOW_TOKENS = 48_000
"""Up to here the bars of 32,000 hold, beyond it those of 64,000."""
SURVIVAL: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "files_modified": (98, 98),
        "files_read": (93, 93),
        "needed_path": (90, 90),
        "needed_ident": (65, 72),
        "user_rules": (95, 95),
        "errors": (75, 75),
    }
)
"""Percent, at the small and at the large window."""
MOST_COST = (0.35, 0.45)
LEAST_CACHE_HIT = 95.0
MOST_CALLS_OF_PI = 0.65
LEAST_RECALL = 65.0
LEAST_RECALL_GAIN = 10.0
MOST_RECALL_TOKENS = 900.0
MOST_DRIFT_POINTS = 2.0
MOST_SIZE_ERROR = 5.0
COUNTED_AGENTS = ("claude-code", "pi")
"""Agents whose every count can be held against; others' tell of the answer before."""


def bars_of(measured: Measured) -> Iterator[Measure]:
    """What is asked of the product at one window."""
    ours = measured.played.get(OURS)
    if ours is None or not ours.requests:
        return
    large = measured.window_tokens > SMALL_WINDOW_TOKENS
    at = f"{measured.window_tokens // 1000}k"
    yield at_most(f"{at} invalid requests", ours.invalid, "", 0)
    yield at_most(f"{at} requests over the window", ours.over_window, "", 0)
    for kind, targets in SURVIVAL.items():
        share = ours.tally.share(kind)
        if share is not None:
            yield at_least(f"{at} {kind}", 100 * share, "%", targets[large])
    yield at_least(f"{at} cache hit", 100 * ours.hit_tokens / ours.input_tokens, "%", LEAST_CACHE_HIT)
    none, pi = measured.played.get("none"), measured.played.get("pi")
    if none:
        yield at_most(f"{at} cost index", ours.cost / none.cost, "×", MOST_COST[large])
    if pi and pi.calls:
        yield at_most(f"{at} model calls ÷ pi", ours.calls / pi.calls, "×", MOST_CALLS_OF_PI)
    yield from _recall_bars(measured, at, large=large)
    yield from _drift_bars(ours, at)


def size_bars(errors: Sequence[SizeErrors]) -> Iterator[Measure]:
    """What is asked of the product's own measure of its requests."""
    if errors:
        yield at_most(
            "size: worst median of a session", 100 * max(each.median for each in errors), "%", MOST_SIZE_ERROR
        )
    counted = [each.p95 for each in errors if each.agent in COUNTED_AGENTS]
    if counted:
        yield at_most("size: worst p95, Claude Code and pi", 100 * max(counted), "%", MOST_SIZE_ERROR)


def _recall_bars(measured: Measured, at: str, *, large: bool) -> Iterator[Measure]:
    recalled = measured.recalled
    if recalled.ids:
        yield at_least(f"{at} recall by id", 100 * recalled.identical / recalled.ids, "%", 100)
    product, plain = recalled.product, recalled.plain
    if not product.asked:
        return
    found = 100 * product.among_five / product.asked
    if large:
        gain = found - 100 * plain.among_five / max(1, plain.asked)
        yield at_least(f"{at} recall by search over plain FTS5", gain, "points", LEAST_RECALL_GAIN)
    else:
        yield at_least(f"{at} recall by search, hit@5", found, "%", LEAST_RECALL)
    yield at_most(f"{at} recall, tokens per search", product.tokens / product.asked, "", MOST_RECALL_TOKENS)


def _drift_bars(ours: Played, at: str) -> Iterator[Measure]:
    drift = drift_of(ours.drift)
    if not math.isnan(drift.loss_points):
        yield at_most(f"{at} loss per further compaction", drift.loss_points, "points", MOST_DRIFT_POINTS)
