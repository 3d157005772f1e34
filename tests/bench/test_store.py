"""The projects that the store is measured on are what they say, and kills are counted truly."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import store as bench_store
from bench.store_probe.projects import LAST_WORD, size_megabytes, write_long_session, write_sessions
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.session.catalog import list_sessions
from diligent_tui.session.store import SessionStore
from tests.faults.kills import Toll

ROOT = Path(__file__).parents[2]


def test_a_long_session_is_whole_and_ends_with_the_last_word(tmp_path: Path) -> None:
    path = write_long_session(tmp_path, 500)
    store = SessionStore.open(path, for_writing=False)
    assert len(store.tree.path(store.tree.leaf_id)) == 500
    assert not store.content.damage
    last = store.entry(store.tree.leaf_id or "")
    assert isinstance(last, MessageEntry)
    assert isinstance(last.message, AssistantMessage)
    assert last.message.text.rstrip().endswith(LAST_WORD)
    assert size_megabytes(path.parent) > 3
    asyncio.run(store.close())


def test_many_sessions_are_listed_newest_first(tmp_path: Path) -> None:
    rows = list_sessions(write_sessions(tmp_path, 30))
    assert [row.title for row in rows] == [f"session {number}" for number in range(29, -1, -1)]


def test_what_opening_costs_is_told_by_a_process_of_its_own(tmp_path: Path) -> None:
    path = write_long_session(tmp_path, 40)
    command = [sys.executable, "-m", "bench.store_probe.opened", str(path)]
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    assert told["entries"] == 40
    assert told["cpu_seconds"] > 0
    assert told["peak_megabytes"] > 5


@pytest.mark.parametrize(
    ("toll", "missed"),
    [
        (Toll(), []),
        (Toll(lost=["a word"]), ["acknowledged and lost, of 900"]),
        (Toll(unopened=["a file"]), ["sessions that do not open as they should"]),
        (Toll(stuck=["a turn"]), ["next prompts that do not work"]),
    ],
)
def test_what_did_not_hold_after_a_kill_misses_its_target(
    toll: Toll, missed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    toll.seen.update({"acknowledged": 900, "went on": 100, "cut off": 9})

    async def kill_many(folder: Path, kills: int, seed: int) -> Toll:
        return toll

    monkeypatch.setattr(bench_store, "kill_many", kill_many)
    assert [each.name for each in bench_store.run_kills(100) if each.verdict == "missed"] == missed
