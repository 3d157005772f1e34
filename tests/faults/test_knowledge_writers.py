"""Two processes on one knowledge file, and writers killed at any moment: nothing acknowledged is lost."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.storage.jsonl import parse_line
from tests.knowledge.facts import fact
from tests.knowledge.writers import Order

TOP = Path(__file__).parents[2]
WRITES = 500
ROUNDS = 50
DUELS = 40
KILLS = 20
MOST_ACKNOWLEDGEMENTS = 12
LONGEST_SPIN_SECONDS = 0.003
"""From the last acknowledgement to the kill: into the next write or the one after."""
LONGEST_SILENCE_SECONDS = 60
"""Only a hang takes so long; it is a failure, not a measure."""


@dataclass
class Writer:
    """A writing process, and the lines that came from it."""

    process: "subprocess.Popen[bytes]"
    path: Path
    buffer: bytes = b""

    def order(self, order: Order) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({**order, "path": str(self.path)}).encode() + b"\n")

    def hear(self) -> JsonObject:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([descriptor], [], [], LONGEST_SILENCE_SECONDS)
            assert ready, "the writer hangs"
            heard = os.read(descriptor, 65536)
            assert heard, "the writer is gone"
            self.buffer += heard
        line, self.buffer = self.buffer.split(b"\n", 1)
        value = parse_line(line)
        assert value is not None
        return value

    def added(self) -> list[object]:
        """The ids of a finished `add`."""
        ids = self.hear()["added"]
        assert isinstance(ids, list)
        return [*ids]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl"


@pytest.fixture
def writers(path: Path) -> Iterator[tuple[Writer, Writer]]:
    """Two processes, already running."""
    command = [sys.executable, "-m", "tests.knowledge.writers"]
    with ExitStack() as stack:
        first, second = (
            Writer(
                stack.enter_context(
                    subprocess.Popen(command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
                ),
                path,
            )
            for _ in range(2)
        )
        for each in (first, second):
            each.order({"do": "add", "count": 0})
            assert each.added() == []
        yield first, second


def test_two_processes_write_500_facts_each_and_none_is_lost(writers: tuple[Writer, Writer], path: Path) -> None:
    acknowledged: tuple[list[object], list[object]] = ([], [])
    # In rounds that both begin at once: writers that took turns as wholes would prove nothing.
    for number in range(ROUNDS):
        for name, writer in zip("ab", writers, strict=True):
            writer.order({"do": "add", "name": f"{name}{number}", "count": WRITES // ROUNDS})
        for ids, writer in zip(acknowledged, writers, strict=True):
            ids.extend(writer.added())
    state = KnowledgeStore(path).refresh()
    assert state.damaged == 0
    assert len(state.live) == len(path.read_bytes().splitlines()) == 2 * WRITES
    for name, ids in zip("ab", acknowledged, strict=True):
        mine = [entry for entry in state.live if entry.content.startswith(name)]
        assert [entry.id for entry in mine] == ids
        written = [f"{name}{number} {each}" for number in range(ROUNDS) for each in range(WRITES // ROUNDS)]
        assert [entry.content for entry in mine] == written
    order = [entry.content[0] for entry in state.live]
    assert sum(left != right for left, right in pairwise(order)) >= ROUNDS


def test_of_two_that_supersede_one_entry_exactly_one_wins(writers: tuple[Writer, Writer], path: Path) -> None:
    store = KnowledgeStore(path)
    for number in range(DUELS):
        target = store.add(fact(content=f"target {number}"))
        for name, writer in zip("ab", writers, strict=True):
            writer.order({"do": "supersede", "target": target.id, "name": f"{name} {number}"})
        said = [writer.hear() for writer in writers]
        won = [each["won"] for each in said if "won" in each]
        lost_to = [each["lost_to"] for each in said if "lost_to" in each]
        assert len(won) == 1
        assert lost_to == won
        assert store.refresh().superseded_by[target.id] == tuple(won)
    assert len(store.state.entries) == 2 * DUELS


def test_nothing_acknowledged_is_lost_by_kills_amid_another_writer(writers: tuple[Writer, Writer], path: Path) -> None:
    victim, bystander = writers
    dice = random.Random(20260102)
    acknowledged: list[JsonObject] = []
    unsettled: set[object] = set()
    others: list[object] = []
    for number in range(KILLS):
        bystander.order({"do": "add", "name": f"bystander {number}", "count": 10})
        victim.order({"do": "busy", "seed": dice.randrange(1 << 30)})
        pid = victim.hear()["pid"]
        assert isinstance(pid, int)
        life = [victim.hear() for _ in range(dice.randrange(MOST_ACKNOWLEDGEMENTS))]
        wait_idly(dice.random() * LONGEST_SPIN_SECONDS)
        os.kill(pid, signal.SIGKILL)
        victim.order({"do": "reap"})
        while "ended" not in (heard := victim.hear()):
            life.append(heard)
        assert heard["ended"] == -signal.SIGKILL
        acknowledged += life
        # A change to what was last spoken of may be on disk without having been acknowledged.
        unsettled |= {each.get("target", each.get("entry")) for each in life[-1:]}
        others += bystander.added()
        check(path, acknowledged, unsettled, others)
        assert KnowledgeStore(path).refresh().damaged <= number + 1
    assert len(acknowledged) > 3 * KILLS
    kept = KnowledgeStore(path).add(fact(content="still writable"))
    assert KnowledgeStore(path).refresh().is_live(kept.id)


def wait_idly(seconds: float) -> None:
    """Spin, for a sleep this short ends when it likes."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        pass


def check(path: Path, acknowledged: list[JsonObject], unsettled: set[object], others: list[object]) -> None:
    state = KnowledgeStore(path).refresh()
    for each in acknowledged:
        match each:
            case {"entry": str(entry_id), "content": content}:
                entry = state.entries[entry_id]
                assert (entry.content, entry.supersedes) == (content, each.get("supersedes"))
            case {"target": str(target), "pinned": bool()}:
                assert target in state.changed_at
            case _:
                raise AssertionError(f"an acknowledgement of no known kind: {each}")
    last_pins = {each["target"]: each["pinned"] for each in acknowledged if "target" in each}
    for target, is_pinned in last_pins.items():
        assert target in unsettled or (target in state.pinned) == is_pinned
    assert state.entries.keys() >= set(others)
