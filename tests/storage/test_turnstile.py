"""Writers of one file wait for each other, not for ever, and never write to a file that was replaced."""

import errno
import fcntl
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.turnstile import LONGEST_WAIT_SECONDS, is_still, taking_turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def test_a_turn_makes_the_file_for_its_owner_only(path: Path) -> None:
    old = os.umask(0)
    try:
        with taking_turn(path) as descriptor:
            os.write(descriptor, b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"x"


def test_turns_do_not_overlap(path: Path) -> None:
    inside = threading.Event()
    overlaps: list[bool] = []

    def take_turns() -> None:
        for _ in range(50):
            with taking_turn(path):
                overlaps.append(inside.is_set())
                inside.set()
                time.sleep(0)
                inside.clear()

    threads = [threading.Thread(target=take_turns) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps == [False] * 150


def test_a_turn_that_does_not_come_is_not_waited_for_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    with taking_turn(path), pytest.raises(StorageError, match="locked for 5 seconds"), taking_turn(path):
        pass
    assert LONGEST_WAIT_SECONDS <= sum(pauses) <= LONGEST_WAIT_SECONDS + 0.01
    with taking_turn(path):
        pass


def test_a_file_replaced_while_waiting_is_not_written_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"old\n")
    holder = os.open(path, os.O_RDWR)
    fcntl.flock(holder, fcntl.LOCK_EX)

    def replace(seconds: float) -> None:
        new = path.with_name("new")
        new.write_bytes(b"new\n")
        new.replace(path)

    monkeypatch.setattr(time, "sleep", replace)
    with taking_turn(path) as descriptor:
        os.write(descriptor, b"mine\n")
    os.close(holder)
    assert path.read_bytes() == b"new\nmine\n"


def test_a_name_means_its_file_until_that_is_moved_or_removed(path: Path) -> None:
    with taking_turn(path) as descriptor:
        assert is_still(path, descriptor)
        path.rename(path.with_name("aside"))
        assert not is_still(path, descriptor)
        path.write_bytes(b"")
        assert not is_still(path, descriptor)


def test_a_turn_ends_also_for_a_child_that_holds_a_copy(path: Path) -> None:
    with taking_turn(path) as descriptor:
        copy = os.dup(descriptor)
    with taking_turn(path):
        pass
    os.close(copy)


@pytest.mark.parametrize("planted", ["link", "pipe", "folder"])
def test_only_a_plain_file_is_opened(planted: str, path: Path) -> None:
    match planted:
        case "link":
            path.symlink_to(path.with_name("precious"))
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    with pytest.raises(StorageError), taking_turn(path):
        pass
    assert not path.with_name("precious").exists()


def test_a_file_system_without_locks_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "made up")

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(StorageError, match="locking"), taking_turn(path):
        pass
