"""Two processes on one session: the second is told who is first, goes on in a fork, and nobody loses a word."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from diligent_tui.domain.errors import SessionLocked, StorageReadOnly
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.session.store import SessionStore, folder_of
from diligent_tui.storage.jsonl import parse_line
from tests.session.drafts import conversation, draft, ids_of, line_of, said

TOP = Path(__file__).parents[2]
WRITES = 500
ENTRIES = conversation(5)
SAVED = TypeAdapter(list[str])


class Writer:
    """Another process that writes to a session."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def hear(self) -> JsonObject:
        assert self.process.stdout is not None
        value = parse_line(self.process.stdout.readline().strip())
        assert value is not None
        return value

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def saved(self, count: int) -> list[str]:
        found: list[str] = []
        while len(found) < count:
            found += SAVED.validate_python(self.hear()["saved"])
        return found


@contextmanager
def writer(path: Path, name: str, count: int = WRITES) -> Generator[Writer]:
    command = [sys.executable, "-m", "tests.faults.writer", str(path), name, str(count)]
    with subprocess.Popen(command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Writer(process)


def ids_in(path: Path) -> list[str]:
    return list(SessionStore.open(path, for_writing=False).tree.nodes)


def test_500_writes_each_land_where_they_belong_and_none_is_lost(tmp_path: Path) -> None:
    path = draft(tmp_path, *ENTRIES)
    with writer(path, "a") as first:
        assert first.hear() == {"told": "", "path": str(path)}
        with writer(path, "b") as second:
            answer = second.hear()
            told, fork = str(answer["told"]), Path(str(answer["path"]))
            assert f"process {first.process.pid} on {socket.gethostname()}" in told
            for each in (first, second):
                each.go()
            of_first, of_second = first.saved(WRITES), second.saved(WRITES)
            for each in (first, second):
                each.go()
    assert (first.process.returncode, second.process.returncode) == (0, 0)
    assert (len(of_first), len(of_second)) == (WRITES, WRITES)
    assert fork != path
    assert ids_in(path) == [*ids_of(ENTRIES), *of_first]
    assert [each for each in ids_in(fork) if each[0] != "b"][: len(ENTRIES)] == ids_of(ENTRIES)
    assert [each for each in ids_in(fork) if each[0] == "b"] == of_second
    header = SessionStore.open(fork, for_writing=False).content.header
    assert header.parent_session == path.stem
    assert not any(SessionStore.open(each, for_writing=False).content.damage for each in (path, fork))


async def test_the_lock_of_a_killed_writer_is_taken_over_and_nothing_it_saved_is_lost(tmp_path: Path) -> None:
    path = draft(tmp_path, *ENTRIES)
    with writer(path, "a") as first:
        first.hear()
        first.go()
        saved = first.saved(20)
        with pytest.raises(SessionLocked, match=f"process {first.process.pid} on"):
            SessionStore.open(path)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        store = SessionStore.open(path)
    assert set(saved) <= set(store.tree.nodes)
    await store.append(said("ffffffff", store.tree.leaf_id))
    await store.close()
    assert ids_in(path)[-1] == "ffffffff"
    assert json.loads((folder_of(path) / "lock").read_bytes())["pid"] == os.getpid()


NOTES = {
    "empty": b"",
    "garbage": b"\x00\xff" * 3000,
    "of a process that is gone": b'{"pid": 4194304, "host": "%s"}' % socket.gethostname().encode(),
    "of a pid that somebody else has now": b'{"pid": 1, "host": "%s"}' % socket.gethostname().encode(),
    "of another machine": b'{"pid": 1, "host": "elsewhere"}',
    "nested too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES.keys())
async def test_a_lock_file_that_nobody_holds_is_taken_whatever_it_says(note: bytes, tmp_path: Path) -> None:
    path = draft(tmp_path, *ENTRIES)
    folder_of(path).mkdir()
    (folder_of(path) / "lock").write_bytes(note)
    store = SessionStore.open(path)
    await store.append(said("ffffffff", store.tree.leaf_id))
    await store.close()
    assert path.read_bytes().endswith(line_of(said("ffffffff", ENTRIES[-1].id)))


@contextmanager
def as_nobody(folder: Path) -> Generator[None]:
    """Be a user whom modes bind: root is bound by none."""
    if os.geteuid() != 0:
        yield
        return
    for each in [folder, *folder.rglob("*")]:
        os.chown(each, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_tmp_path(tmp_path: Path) -> Generator[Path]:
    """A folder that another user can reach: those above it are opened for the while, to pass through only."""
    above = [each for each in tmp_path.parents if len(each.parts) > 2 and os.access(each, os.W_OK)]
    opened = {each: each.stat().st_mode & 0o7777 for each in above}
    for each, mode in opened.items():
        each.chmod(mode | 0o011)
    yield tmp_path
    for each, mode in opened.items():
        each.chmod(mode)


async def test_in_a_read_only_folder_the_lock_is_refused_and_reading_works(open_tmp_path: Path) -> None:
    path = draft(open_tmp_path, *ENTRIES)
    path.parent.chmod(0o500)
    with as_nobody(open_tmp_path):
        with pytest.raises(StorageReadOnly) as caught:
            SessionStore.open(path)
        assert "writable" in caught.value.advice
        reader = SessionStore.open(path, for_writing=False)
        assert list(reader.entries()) == ENTRIES
        await reader.close()
    path.parent.chmod(0o700)
    assert list(path.parent.iterdir()) == [path]


async def test_a_first_prompt_in_a_read_only_folder_is_refused_and_saved_once_it_is_writable(
    open_tmp_path: Path,
) -> None:
    project = open_tmp_path / "project"
    project.mkdir()
    project.chmod(0o500)
    header = SessionStore.open(draft(open_tmp_path), for_writing=False).content.header
    store = SessionStore.create(project / ".diligent" / "sessions", header)
    with as_nobody(open_tmp_path):
        with pytest.raises(StorageReadOnly):
            await store.append(said("a", None))
        assert not store.tree.nodes
        project.chmod(0o700)
        await store.append(said("a", None))
        await store.close()
    assert ids_in(store.path) == ["a"]
