"""Stopping the agent in each of its phases: how soon it is idle, how soon nothing is left, and what a flood costs."""

import asyncio
import tempfile
import time
from pathlib import Path

from bench.frame import Measure, at_least, at_most
from tests.agent.phases import LONGEST_SECONDS, PHASES, Phase, Stopped, until_none_survives
from tests.tools.flood import growth_kb

TRIES = 100
QUICK_TRIES = 10
IDLE_MS = 500
GONE_MS = 2_000
GROWN_MB = 50


def run(quick: bool) -> list[Measure]:
    """Stop the agent so often in each phase."""
    tries = QUICK_TRIES if quick else TRIES
    stops = [measure for name, phase in PHASES.items() for measure in asyncio.run(_measure(name, phase, tries))]
    with tempfile.TemporaryDirectory() as folder:
        flood = "yes | head -c 100M" if quick else "yes | head -c 1G"
        grown_mb = growth_kb(Path(folder), flood) / 1_000
    return [*stops, at_most(f"memory grown by {flood}", grown_mb, "MB", GROWN_MB)]


async def _measure(name: str, phase: Phase, tries: int) -> list[Measure]:
    idle_ms: list[float] = []
    gone_ms: list[float] = []
    working = 0
    for _ in range(tries):
        with tempfile.TemporaryDirectory() as folder:
            stopped = Stopped(Path(folder), phase)
            await stopped.reach()
            begun = time.perf_counter()
            stopped.session.interrupt()
            await asyncio.wait_for(stopped.session.wait_idle(), LONGEST_SECONDS)
            idle_ms.append((time.perf_counter() - begun) * 1_000)
            await asyncio.wait_for(until_none_survives(stopped.folder), LONGEST_SECONDS)
            gone_ms.append((time.perf_counter() - begun) * 1_000)
            working += stopped.last_end == "interrupted" and await stopped.next_prompt_works()
            await stopped.session.close()
    return [
        at_most(f"{name}: idle, p95 of {tries}", _p95(idle_ms), "ms", IDLE_MS),
        at_most(f"{name}: nothing left, worst", max(gone_ms), "ms", GONE_MS),
        at_least(f"{name}: the next prompt works", working / tries, "", 1),
    ]


def _p95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, round(len(values) * 0.95))]
