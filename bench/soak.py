"""A long life: many turns with a megabyte of output each, compactions and branches, after which nothing is left over.

`python -m bench soak [--turns N]` goes through N turns instead of 500, with as many compactions and switches a turn.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import CommandFailed, Measure, at_least, at_most

ROOT = Path(__file__).parent.parent
TURNS, QUICK_TURNS = 500, 60
TURNS_A_COMPACTION, TURNS_A_SWITCH = 25, 10
WARM_UP_SHARE = 0.4
"""Caches fill first: 12 MiB of decoded entries take some 130 turns, the 5,000 records of the trace some 200."""
GROWTH_KILOBYTES = 20.0
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """What the probe told: figures for each turn, and what was held before and after."""

    rss_bytes: tuple[int, ...]
    before: Mapping[str, int]
    after: Mapping[str, int]
    compactions: int
    switches: int
    output_bytes: int


def run(quick: bool) -> list[Measure]:
    """Measure a life of the usual length."""
    return run_turns(QUICK_TURNS if quick else TURNS)


def run_turns(turns: int) -> list[Measure]:
    """Measure a life of so many turns."""
    compactions, switches = max(1, turns // TURNS_A_COMPACTION), max(1, turns // TURNS_A_SWITCH)
    words = [str(number) for number in (turns, compactions, switches)]
    command = [sys.executable, "-m", "bench.soak_probe.long_life", *words]
    environ = {"PATH": os.environ.get("PATH", os.defpath)}
    told = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        raise CommandFailed(told.stderr)
    life = json.loads(told.stdout)
    found = Found(
        tuple(held["rss_bytes"] for held in life["turns"]),
        life["first"],
        life["last"],
        life["compactions"],
        life["switches"],
        life["output_bytes"],
    )
    return measures_of(found, turns, compactions, switches)


def measures_of(found: Found, turns: int, compactions: int, switches: int) -> list[Measure]:
    """The figures with their bars; a life in which less happened than was meant proves nothing."""
    warm = found.rss_bytes[round(len(found.rss_bytes) * WARM_UP_SHARE) :]
    left = {name: found.after[name] - found.before[name] for name in ("tasks", "descriptors", "widgets")}
    return [
        at_least("output", found.output_bytes / MEGABYTE, "MB", turns),
        at_least("compactions by hand", found.compactions, "", compactions),
        at_least("switches of branch", found.switches, "", switches),
        at_most("memory a turn after warm-up", slope(warm) / 1_000, "KB", GROWTH_KILOBYTES),
        at_most("memory at the end", found.after["rss_bytes"] / MEGABYTE, "MB", 160),
        *(at_most(f"{name} left over", count, "", 0) for name, count in left.items()),
    ]


def slope(values: Sequence[int]) -> float:
    """How much is added by each step, along the straight line nearest to all; 0 for a single value."""
    if len(values) < 2:
        return 0.0
    return statistics.linear_regression(range(len(values)), values).slope
