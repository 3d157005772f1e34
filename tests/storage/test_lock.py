"""A second writer is told who is first, and a dead writer stands in nobody's way."""

import errno
import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from diligent_tui.domain.errors import SessionLocked, StorageError
from diligent_tui.storage import lock as module
from diligent_tui.storage.lock import FileLock

HOLD = """
import sys
from pathlib import Path
from diligent_tui.storage.lock import FileLock
lock = FileLock(Path(sys.argv[1]))
lock.take()
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session" / "lock"


@pytest.fixture
def holder(path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that holds the lock."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_a_second_process_is_told_who_holds_the_lock(path: Path, holder: "subprocess.Popen[bytes]") -> None:
    with pytest.raises(SessionLocked) as caught:
        FileLock(path).take()
    assert f"process {holder.pid} on {socket.gethostname()}" in caught.value.message
    assert "read-only" in caught.value.advice
    assert "fork" in caught.value.advice


def test_the_lock_of_a_killed_process_is_taken_over(path: Path, holder: "subprocess.Popen[bytes]") -> None:
    holder.kill()
    holder.wait()
    lock = FileLock(path)
    lock.take()
    assert f'"pid": {os.getpid()}' in path.read_text()
    lock.free()


def leave_behind(path: Path) -> int:
    """A lock that a process which is gone left to a child it was starting; returns the child's descriptor."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    path.parent.mkdir()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    path.write_text(json.dumps({"pid": process.pid, "host": socket.gethostname()}))
    return descriptor


def test_a_lock_left_behind_by_a_killed_process_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [leave_behind(path)]

    def end_the_child(seconds: float) -> None:
        os.close(left.pop())

    monkeypatch.setattr(time, "sleep", end_the_child)
    lock = FileLock(path)
    lock.take()
    assert not left
    lock.free()


def test_a_lock_left_behind_for_good_is_not_waited_for_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = leave_behind(path)
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    with pytest.raises(SessionLocked, match="left behind"):
        FileLock(path).take()
    os.close(left)
    assert sum(pauses) <= 2.001


def test_a_lock_that_is_removed_leaves_no_file_and_can_be_taken_again(path: Path) -> None:
    first, second = FileLock(path), FileLock(path)
    first.take()
    assert first.is_held
    first.remove()
    first.remove()
    assert not first.is_held
    assert not path.exists()
    second.take()
    first.remove()
    assert path.exists()
    second.free()


def test_a_lock_on_a_file_that_was_taken_away_meanwhile_is_taken_on_the_next_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = FileLock(path), FileLock(path)
    first.take()
    opened = module.open_private

    def open_before_it_is_removed(path: Path, flags: int) -> int:
        descriptor = opened(path, flags)
        first.remove()
        return descriptor

    monkeypatch.setattr(module, "open_private", open_before_it_is_removed)
    second.take()
    with pytest.raises(SessionLocked):
        FileLock(path).take()
    second.free()


def test_a_freed_lock_can_be_taken_again(path: Path) -> None:
    first, second = FileLock(path), FileLock(path)
    first.take()
    with pytest.raises(SessionLocked):
        second.take()
    first.free()
    first.free()
    second.take()
    second.free()


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"\x00\x00",
        b"[]",
        b'{"pid":"x","host":1}',
        b'{"pid":' + b"9" * 5000,
        b'{"pid":null}',
        b'{"pid":1e999}',
        b"[" * 4096,
    ],
)
def test_a_lock_whose_note_cannot_be_read_is_still_a_lock(note: bytes, path: Path) -> None:
    lock = FileLock(path)
    lock.take()
    path.write_bytes(note)
    with pytest.raises(SessionLocked, match="another process"):
        FileLock(path).take()
    lock.free()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_lock_is_held_also_when_the_note_cannot_be_written(
    number: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session must open on a full disk, and the note is a courtesy."""

    def fail(descriptor: int, data: bytes) -> None:
        raise OSError(number, "made up")

    lock = FileLock(path)
    with monkeypatch.context() as patch:
        patch.setattr(module, "write_all", fail)
        lock.take()
    with pytest.raises(SessionLocked, match="another process"):
        FileLock(path).take()
    lock.free()


def test_a_file_system_without_locks_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "made up")

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(StorageError, match="locking"):
        FileLock(path).take()


@pytest.mark.parametrize("planted", ["lock", "folder"])
def test_a_planted_link_is_not_followed(planted: str, path: Path) -> None:
    target = path.parent.parent / "target"
    if planted == "lock":
        path.parent.mkdir()
        target.write_bytes(b"precious")
        path.symlink_to(target)
    else:
        target.mkdir()
        path.parent.symlink_to(target)
    with pytest.raises(StorageError, match="link"):
        FileLock(path).take()
    assert target.read_bytes() == b"precious" if planted == "lock" else not list(target.iterdir())
