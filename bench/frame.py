"""What every benchmark stands on: measures with targets, CPU time, and rounds that mind a noisy machine.

Wall time on a shared machine says little, so everything here is CPU seconds, or a ratio of two of them taken in turns
within one run. The least of several rounds counts, since noise only ever adds.
"""

import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Bound = Literal["≤", "≥"]
Verdict = Literal["ok", "missed"]
Probe = Callable[[], float]

# Share of the whole machine that others may use before a round is taken again.
NOISE_MAX = 0.15
# A round is taken again at most this many times the rounds asked for, so that a busy machine gets an answer too.
REPEATS_MAX = 3
# Fewer rounds than this are never enough to tell that a least was met twice.
SETTLED_ROUNDS = 3
# /proc/stat counts in ticks, usually of 10 ms; less than this much work by others cannot be told from rounding.
NOISE_FLOOR_S = 0.03


class CommandFailed(Exception):
    """A measured command did not do its work, so that its time means nothing."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure with what is asked of it."""

    name: str
    value: float
    unit: str
    target: float
    bound: Bound = "≤"

    @property
    def verdict(self) -> Verdict:
        """Whether the target is met; a value that is no number meets none."""
        met = self.value <= self.target if self.bound == "≤" else self.value >= self.target
        return "ok" if met else "missed"


def at_most(name: str, value: float, unit: str, target: float) -> Measure:
    """A figure that should be small."""
    return Measure(name, value, unit, target, "≤")


def at_least(name: str, value: float, unit: str, target: float) -> Measure:
    """A figure that should be large."""
    return Measure(name, value, unit, target, "≥")


def table(measures: Sequence[Measure]) -> str:
    """One row per measure: name, value, target, verdict."""
    rows = [("measure", "value", "target", "verdict")]
    rows += [
        (each.name, f"{each.value:.4g} {each.unit}", f"{each.bound} {each.target:.4g} {each.unit}", each.verdict)
        for each in measures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def write_json(path: Path, bench: str, measures: Sequence[Measure], *, quick: bool) -> None:
    """Keep a run as data, for comparing with another."""
    rows = [
        {
            "name": each.name,
            "value": each.value,
            "unit": each.unit,
            "bound": each.bound,
            "target": each.target,
            "verdict": each.verdict,
        }
        for each in measures
    ]
    report = {"bench": bench, "quick": quick, "measures": rows}
    path.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def cpu_of(work: Callable[[], object]) -> float:
    """CPU seconds of this process, all threads, for one call."""
    begun_s = time.process_time()
    work()
    return time.process_time() - begun_s


def cpu_of_command(argv: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path | None = None) -> float:
    """CPU seconds, user and system, of one command and of the children it waited for."""
    with tempfile.TemporaryFile() as complaints:
        child = subprocess.Popen(
            argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints
        )
        _, status, used = os.wait4(child.pid, 0)
        # The child is already waited for; Popen must not wait again.
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip()
            raise CommandFailed(f"{' '.join(argv)} ended with {child.returncode}: {said}")
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class Load:
    """Counters at one moment: CPU seconds the machine was busy, those that were ours, and the time."""

    busy_s: float
    own_s: float
    wall_s: float
    cores: int


def read_load() -> Load | None:
    """The counters now, or nothing where the system does not tell them; then no round counts as noisy."""
    try:
        lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    # user nice system idle iowait irq softirq steal; guest time is in user already.
    ticks = [int(field) for field in lines[0].split()[1:9]]
    busy_ticks = sum(ticks) - ticks[3] - ticks[4]
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return Load(
        busy_s=busy_ticks / os.sysconf("SC_CLK_TCK"),
        own_s=sum(used.ru_utime + used.ru_stime for used in own),
        wall_s=time.monotonic(),
        cores=sum(1 for line in lines if line.startswith("cpu") and line[3:4].isdigit()),
    )


def noise(before: Load | None, after: Load | None) -> float:
    """The share of the machine that others used between two moments, 0 to 1."""
    if before is None or after is None:
        return 0.0
    others_s = (after.busy_s - before.busy_s) - (after.own_s - before.own_s)
    available_s = (after.wall_s - before.wall_s) * after.cores
    if others_s <= NOISE_FLOOR_S or available_s <= 0:
        return 0.0
    return min(1.0, others_s / available_s)


def least(
    probes: Sequence[Probe],
    rounds: int,
    load: Callable[[], Load | None] = read_load,
    *,
    settled_share: float = 0.0,
) -> list[float]:
    """The least of each probe over rounds that take them in turn; a noisy round is kept but taken again.

    With `settled_share` it ends early once the two least of every probe lie within that share of each other: noise only
    adds, so a least that was met twice is the cost itself.
    """
    if not probes or rounds < 1:
        raise ValueError("Give at least one probe and one round.")
    lowest: list[list[float]] = [[] for _ in probes]
    quiet_rounds = 0
    for taken in range(1, rounds * (1 + REPEATS_MAX) + 1):
        before = load()
        lowest = [sorted((*known, probe()))[:2] for known, probe in zip(lowest, probes, strict=True)]
        quiet_rounds += noise(before, load()) <= NOISE_MAX
        is_settled = taken >= SETTLED_ROUNDS and all(two[1] <= two[0] * (1 + settled_share) for two in lowest)
        if quiet_rounds == rounds or (settled_share and is_settled):
            break
    return [two[0] for two in lowest]


def ratio(measured: Probe, baseline: Probe, rounds: int, load: Callable[[], Load | None] = read_load) -> float:
    """How many times the baseline the measured one costs, least against least."""
    measured_s, baseline_s = least([measured, baseline], rounds, load)
    if baseline_s <= 0:
        raise ValueError("The baseline used no CPU time that can be measured; give it more to do.")
    return measured_s / baseline_s
