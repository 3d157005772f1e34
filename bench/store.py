"""The session store at size: appending, resuming, listing; with `--kills`, what kill -9 leaves of a busy session."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import CommandFailed, Measure, Probe, at_least, at_most, cpu_of, least
from bench.store_probe.projects import LAST_WORD, size_megabytes, write_long_session, write_sessions
from bench.tui_probe.terminal import Terminal
from diligent_tui.domain.entries import Entry, MessageEntry, SessionHeader
from diligent_tui.domain.messages import UserMessage
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import read_tail
from tests.faults.kills import kill_many

ROOT = Path(__file__).parent.parent
STAMP = "2026-01-02T03:04:05.678Z"
READY = "ctx "
TAIL_ENTRIES = 80
"""What the screen asks for first."""
SESSIONS_KEY = "\x1b[19~"
"""F8."""
FEW_SESSIONS = 20


@dataclass(frozen=True, slots=True)
class Stage:
    """A home of its own for the program."""

    home: Path

    def diligent(self, project: Path, *words: str) -> Terminal:
        """The program on the offline model, as it is installed."""
        self.home.mkdir(exist_ok=True)
        command = [str(Path(sys.executable).with_name("diligent")), "--model", "offline/rehearsal", "--trust", *words]
        return Terminal(command, {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.home)}, project)


def run(quick: bool) -> list[Measure]:
    """Measure appending, resuming and listing."""
    rounds = 2 if quick else 5
    with tempfile.TemporaryDirectory() as folder:
        return [
            *_appending(Path(folder), min(rounds, 2), entries=4_000 if quick else 20_000),
            *_resuming(Path(folder), rounds, entries=8_000 if quick else 50_000),
            *_listing(Path(folder), rounds, sessions=400 if quick else 2_000),
        ]


def run_kills(kills: int) -> list[Measure]:
    """Kill a busy session that often, and count what did not hold."""
    with tempfile.TemporaryDirectory() as folder:
        toll = asyncio.run(kill_many(Path(folder), kills, seed=kills))
    for flaw in toll.flaws:
        print(flaw, file=sys.stderr)
    return [
        at_most(f"acknowledged and lost, of {toll.seen['acknowledged']:,}", len(toll.lost), "entries", 0),
        at_most("sessions that do not open as they should", len(toll.unopened), "", 0),
        at_most("next prompts that do not work", len(toll.stuck), "", 0),
        at_least("next prompts that work", toll.seen["went on"], "", kills),
        at_least("kills that cut an answer off", toll.seen["cut off"], "", kills // 100),
        at_most("torn lines", toll.seen["torn"], "", kills * 4),
    ]


def _appending(folder: Path, rounds: int, entries: int) -> list[Measure]:
    few = 1_000
    numbers = iter(range(1 << 30))

    async def append(count: int) -> tuple[float, float]:
        """The CPU time of one entry, in the first and in the second half."""
        header = SessionHeader(id=f"appended-{next(numbers)}", timestamp=STAMP)
        store = SessionStore.create(folder / "appended" / ".diligent" / "sessions", header)
        talk = _talk(count)
        halves = [await _cost(store, half) / len(half) for half in (talk[: count // 2], talk[count // 2 :])]
        await store.close()
        return halves[0], halves[1]

    growths: list[float] = []

    def many() -> float:
        first_s, second_s = asyncio.run(append(entries))
        growths.append(second_s / first_s)
        return (first_s + second_s) / 2

    many_s, few_s = least([many, lambda: sum(asyncio.run(append(few))) / 2], rounds)
    return [
        at_most(f"appending {entries:,}: second half ÷ first", min(growths), "×", 1.3),
        at_most(f"appending an entry, {entries:,} ÷ {few:,}", many_s / few_s, "×", 1.5),
    ]


async def _cost(store: SessionStore, entries: Sequence[Entry]) -> float:
    """The CPU seconds of saving entries one by one, each synced, as a session does."""
    used_s = -_process_seconds()
    for entry in entries:
        await store.append(entry)
    return used_s + _process_seconds()


def _process_seconds() -> float:
    used = os.times()
    return used.user + used.system


def _talk(count: int) -> list[Entry]:
    return [
        MessageEntry(
            id=f"{number:08x}",
            parent_id=f"{number - 1:08x}" if number else None,
            timestamp=STAMP,
            message=UserMessage(content=f"What about part {number}? " * 8),
        )
        for number in range(count)
    ]


def _resuming(folder: Path, rounds: int, entries: int) -> list[Measure]:
    stage, few = Stage(folder / "home"), 50
    short, long = folder / "short", folder / "long"
    write_long_session(short, few)
    path = write_long_session(long, entries)

    def first_screen(project: Path) -> Probe:
        def cost() -> float:
            with stage.diligent(project, "-c") as terminal:
                terminal.read_until(LAST_WORD)
                return terminal.kill()

        return cost

    long_s, short_s, tail_s = least(
        [first_screen(long), first_screen(short), lambda: cpu_of(lambda: read_tail(path, TAIL_ENTRIES))], rounds
    )
    opened = _opened(path)
    with stage.diligent(long, "-c") as terminal:
        terminal.read_until(READY)
        terminal.rest()
        resumed_megabytes = terminal.rss_megabytes
    size = f"{entries:,} entries ({size_megabytes(path.parent):.0f} MB)"
    return [
        at_most(f"last screen of {size} ÷ (2 × of {few} + its tail)", long_s / (2 * short_s + tail_s), "×", 1),
        at_most(f"opening {entries:,} entries whole", opened["cpu_seconds"], "s", entries / 10_000),
        at_most("most memory while opening them whole", opened["peak_megabytes"], "MB", 250),
        at_most("memory of the program that resumed them", resumed_megabytes, "MB", 250),
    ]


def _opened(path: Path) -> dict[str, float]:
    """What opening costs in a process of its own."""
    command = [sys.executable, "-m", "bench.store_probe.opened", str(path)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        raise CommandFailed(told.stderr)
    found: dict[str, float] = json.loads(told.stdout)
    return found


def _listing(folder: Path, rounds: int, sessions: int) -> list[Measure]:
    stage = Stage(folder / "home")
    for name, count in (("few", FEW_SESSIONS), ("many", sessions)):
        write_sessions(folder / name, count)

    def first_page(project: Path, count: int) -> Probe:
        def cost() -> float:
            with stage.diligent(project) as terminal:
                terminal.read_until(READY)
                terminal.rest()
                before_s = terminal.cpu_seconds
                terminal.type(SESSIONS_KEY)
                terminal.read_until(f"session {count - 1}")
                return terminal.cpu_seconds - before_s

        return cost

    many_s, few_s = least([first_page(folder / "many", sessions), first_page(folder / "few", FEW_SESSIONS)], rounds)
    return [at_most(f"first page of {sessions:,} sessions ÷ of {FEW_SESSIONS}", many_s / few_s, "×", 1.5)]
