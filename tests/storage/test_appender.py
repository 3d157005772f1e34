"""What is acknowledged is on disk, in order and whole; what failed is said to whoever waits."""

import asyncio
import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.domain.errors import StorageError, StorageFull, StorageReadOnly
from diligent_tui.storage import appender as module
from diligent_tui.storage.appender import Appender
from diligent_tui.storage.jsonl import open_reading, parse_line, read_lines
from diligent_tui.storage.private import write_all

FAILURES = {
    errno.ENOSPC: StorageFull,
    errno.EDQUOT: StorageFull,
    errno.EROFS: StorageReadOnly,
    errno.EACCES: StorageReadOnly,
    errno.EIO: StorageError,
    errno.EMFILE: StorageError,
}


def line_of(number: int) -> bytes:
    return b'{"n":%d}\n' % number


def numbers_in(path: Path) -> list[object]:
    """The numbers of the intact lines, in order."""
    descriptor = open_reading(path)
    try:
        values = [parse_line(line.data) for line in read_lines(descriptor)]
    finally:
        os.close(descriptor)
    return [value["n"] for value in values if value is not None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "s.jsonl"


async def test_lines_are_kept_in_order_with_their_offsets(path: Path) -> None:
    appender = Appender(path)
    offsets = await asyncio.gather(*(appender.append(line_of(n)) for n in range(200)))
    await appender.close()
    data = path.read_bytes()
    assert data == b"".join(line_of(n) for n in range(200))
    assert [data[offset:].startswith(line_of(n)) for n, offset in enumerate(offsets)] == [True] * 200


async def test_the_file_appears_with_the_first_line(path: Path) -> None:
    appender = Appender(path)
    await appender.drain()
    assert not path.exists()
    await appender.append(line_of(0))
    assert path.read_bytes() == line_of(0)
    await appender.close()


async def test_lines_that_wait_together_are_synced_together(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs: list[int] = []
    monkeypatch.setattr(module, "sync_data", syncs.append)
    appender = Appender(path)
    await asyncio.gather(*(appender.append(line_of(n)) for n in range(500)))
    await appender.close()
    assert 1 <= len(syncs) <= 2


async def test_a_line_is_acknowledged_only_after_its_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_sync = threading.Event()

    def sync_when_told(descriptor: int) -> None:
        may_sync.wait()

    monkeypatch.setattr(module, "sync_data", sync_when_told)
    appender = Appender(path)
    waiter = asyncio.create_task(appender.append(line_of(0)))
    while not path.exists() or not path.stat().st_size:
        await asyncio.sleep(0)
    assert not waiter.done()
    may_sync.set()
    assert await waiter == 0
    await appender.close()


@pytest.mark.parametrize("part", ["write", "half a write", "sync"])
@pytest.mark.parametrize(("number", "kind"), FAILURES.items(), ids=[errno.errorcode[number] for number in FAILURES])
async def test_a_failure_is_said_and_the_next_line_stands_alone(
    part: str, number: int, kind: type[StorageError], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appender = Appender(path)
    await appender.append(line_of(0))
    with monkeypatch.context() as patch:
        break_once(part, number, patch)
        with pytest.raises(StorageError) as caught:
            await appender.append(line_of(1))
    assert type(caught.value) is kind
    assert path.name in caught.value.message
    assert caught.value.advice
    offset = await appender.append(line_of(2))
    await appender.close()
    assert numbers_in(path) == ([0, 1, 2] if part == "sync" else [0, 2])
    assert path.read_bytes()[offset:] == line_of(2)


def break_once(part: str, number: int, patch: pytest.MonkeyPatch) -> None:
    def fail_to_write(descriptor: int, data: bytes) -> None:
        if part == "half a write":
            write_all(descriptor, data[: len(data) // 2])
        raise OSError(number, "made up")

    def fail_to_sync(descriptor: int) -> None:
        raise OSError(number, "made up")

    if part == "sync":
        patch.setattr(module, "sync_data", fail_to_sync)
    else:
        patch.setattr(module, "write_all", fail_to_write)


async def test_every_waiter_of_a_failed_group_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    appender = Appender(path)
    with monkeypatch.context() as patch:
        break_once("half a write", errno.ENOSPC, patch)
        outcomes = await asyncio.gather(*(appender.append(line_of(n)) for n in range(5)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StorageFull] * 5
    await appender.append(line_of(9))
    await appender.close()
    assert numbers_in(path)[-1] == 9


async def test_the_failure_of_lines_nobody_waits_for_is_told_once_and_kept_until_it_is_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[StorageError] = []
    appender = Appender(path, told.append)
    with monkeypatch.context() as patch:
        break_once("write", errno.ENOSPC, patch)
        for number in range(3):
            appender.append_soon(line_of(number))
            await appender.drain()
    assert [type(error) for error in told] == [StorageFull]
    await appender.close()


@pytest.mark.parametrize("part", ["write", "half a write", "sync"])
async def test_lines_nobody_waits_for_are_tried_again_with_the_next_in_their_order(
    part: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appender = Appender(path)
    appender.append_soon(line_of(0))
    await appender.drain()
    with monkeypatch.context() as patch:
        break_once(part, errno.ENOSPC, patch)
        for number in (1, 2):
            appender.append_soon(line_of(number))
            await appender.drain()
    assert await appender.append(line_of(3)) == path.stat().st_size - len(line_of(3))
    await appender.close()
    assert list(dict.fromkeys(numbers_in(path))) == [0, 1, 2, 3]


async def test_lines_that_nobody_waits_for_can_be_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that failed, those that are being written and fail, and those that wait."""
    may_write, writes = threading.Event(), threading.Event()

    def fail_when_told(descriptor: int, data: bytes) -> None:
        writes.set()
        may_write.wait()
        raise OSError(errno.ENOSPC, "made up")

    appender = Appender(path)
    with monkeypatch.context() as patch:
        break_once("write", errno.ENOSPC, patch)
        appender.append_soon(line_of(0))
        await appender.drain()
        patch.setattr(module, "write_all", fail_when_told)
        appender.append_soon(line_of(1))
        await asyncio.to_thread(writes.wait)
        appender.append_soon(line_of(2))
        appender.drop_soon()
        may_write.set()
        await appender.drain()
    await appender.append(line_of(3))
    await appender.close()
    assert numbers_in(path) == [3]


async def test_nobody_waits_for_ever_whatever_happens(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(descriptor: int, data: bytes) -> None:
        raise MemoryError

    appender = Appender(path)
    loop, surprises = asyncio.get_running_loop(), list[object]()
    loop.set_exception_handler(lambda _, context: surprises.append(context.get("exception")))
    with monkeypatch.context() as patch:
        patch.setattr(module, "write_all", run_out)
        with pytest.raises(asyncio.CancelledError):
            await appender.append(line_of(0))
    await appender.append(line_of(1))
    await appender.close()
    assert numbers_in(path) == [1]


async def test_a_file_that_could_not_be_opened_to_the_end_is_opened_by_the_next_try(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "made up")

    path.parent.mkdir()
    path.write_bytes(b"torn")
    held = sum(1 for _ in Path("/proc/self/fd").iterdir())
    appender = Appender(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", fail)
        with pytest.raises(StorageError):
            await appender.append(line_of(0))
    assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == held
    await appender.append(line_of(1))
    await appender.close()
    assert path.read_bytes() == b"torn\n" + line_of(1)


@pytest.mark.parametrize("torn", [b'{"n":', b"\x00\x00", b'{"n":7}'])
async def test_a_torn_tail_is_closed_and_not_rewritten(torn: bytes, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(line_of(0) + torn)
    appender = Appender(path)
    offset = await appender.append(line_of(1))
    await appender.close()
    assert path.read_bytes() == line_of(0) + torn + b"\n" + line_of(1)
    assert offset == len(line_of(0) + torn) + 1


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
async def test_a_file_that_went_away_is_noticed(fate: str, path: Path) -> None:
    appender = Appender(path)
    await appender.append(line_of(0))
    if fate == "deleted":
        path.unlink()
    else:
        other = path.with_name("other")
        other.write_bytes(b"")
        other.replace(path)
    with pytest.raises(StorageError, match="deleted"):
        await appender.append(line_of(1))
    await appender.close()


async def test_a_waiter_who_gave_up_does_not_stop_the_others(path: Path) -> None:
    appender = Appender(path)
    gone = asyncio.create_task(appender.append(line_of(0)))
    await asyncio.sleep(0)
    gone.cancel()
    await appender.append(line_of(1))
    await appender.close()
    assert gone.cancelled()
    assert numbers_in(path) == [0, 1]


def make_file(path: Path) -> None:
    path.parent.write_bytes(b"")


def make_folder(path: Path) -> None:
    path.mkdir(parents=True)


def make_link(path: Path) -> None:
    path.parent.mkdir()
    path.with_name("target").write_bytes(b"")
    path.symlink_to(path.with_name("target"))


def make_linked_folder(path: Path) -> None:
    path.parent.with_name("elsewhere").mkdir()
    path.parent.symlink_to(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("plant", [make_file, make_folder, make_link, make_linked_folder])
async def test_what_stands_in_the_way_is_said(plant: Callable[[Path], None], path: Path) -> None:
    plant(path)
    appender = Appender(path)
    with pytest.raises(StorageError):
        await appender.append(line_of(0))
    await appender.close()
    leftovers = [each for folder in ("elsewhere", "sessions") for each in path.parent.with_name(folder).glob("*")]
    assert all(each.is_dir() or each.read_bytes() == b"" for each in leftovers)


STEPS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["", "", "write", "half a write", "sync"])), max_size=12)


@settings(deadline=None, max_examples=150)
@given(STEPS, st.booleans())
def test_nothing_acknowledged_is_lost_whatever_fails(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]], reopens: bool
) -> None:
    path = tmp_path_factory.mktemp("run") / "s.jsonl"
    acknowledged = asyncio.run(work(path, steps, reopens=reopens))
    intact = numbers_in(path) if path.exists() else []
    assert [n for n in intact if n in acknowledged] == acknowledged
    assert len(intact) == len(set(intact))


def no_sync(descriptor: int) -> None:
    pass


async def work(path: Path, steps: list[tuple[int, str]], *, reopens: bool) -> list[object]:
    acknowledged: list[object] = []
    appender = Appender(path)
    number = 0
    for size, fault in steps:
        numbers = list(range(number, number + size))
        number += size
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "sync_data", no_sync)
            if fault:
                break_once(fault, errno.EIO, patch)
            outcomes = await asyncio.gather(*(appender.append(line_of(n)) for n in numbers), return_exceptions=True)
        acknowledged += [n for n, outcome in zip(numbers, outcomes, strict=True) if isinstance(outcome, int)]
        if reopens:
            await appender.close()
            appender = Appender(path)
    await appender.close()
    return acknowledged
