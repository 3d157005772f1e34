"""A disk that refuses: the right sentence, nothing pretended, nothing changed in memory, and a retry that works."""

import errno
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, LabelEntry, QueuedEntry, SessionHeader, SessionInfoEntry
from diligent_tui.domain.errors import StorageError, StorageFull, StorageReadOnly
from diligent_tui.session.store import SessionStore
from tests.faults.disk import PLACES, Disk, on_disk, short_writes
from tests.session.drafts import SESSION_ID, STAMP, answered, draft, ids_of, line_of, piece, said

KINDS: dict[int, type[StorageError]] = {
    errno.ENOSPC: StorageFull,
    errno.EDQUOT: StorageFull,
    errno.EROFS: StorageReadOnly,
    errno.EACCES: StorageReadOnly,
    errno.EIO: StorageError,
    errno.EMFILE: StorageError,
}
FIRST = [said("0000000a", None, "the first prompt")]
THEN: list[Entry] = [
    answered("0000000b", "0000000a"),
    QueuedEntry(id="0000000c", parent_id="0000000b", timestamp=STAMP, text="later"),
    LabelEntry(id="0000000d", parent_id="0000000b", timestamp=STAMP, target_id="0000000a", label="here"),
    SessionInfoEntry(id="0000000e", parent_id="0000000b", timestamp=STAMP, name="a name"),
]
AFTER = [said("0000000f", "0000000b", "after a break")]
ALL: list[Entry] = [*FIRST, *THEN, *AFTER]
Step = Callable[[], Awaitable[None]]


@dataclass
class Story:
    """A session's life, in which every refused step is taken again once the disk is mended."""

    folder: Path
    disk: Disk
    refusals: list[StorageError] = field(default_factory=list[StorageError])

    async def tell(self) -> None:
        store = SessionStore.create(
            self.folder / ".diligent" / "sessions", SessionHeader(id=SESSION_ID, timestamp=STAMP)
        )
        for entry in [*FIRST, *THEN]:
            await self.save(store, entry)
            if entry.id == "0000000b":
                store.append_partial(piece("000000aa", "0000000b", "000000bb", "half a word"))
        await store.close()
        store = await self.open(store.path)
        await self.save(store, AFTER[0])
        await store.close()

    async def save(self, store: SessionStore, entry: Entry) -> None:
        async def step() -> None:
            await store.append(entry)

        before = memory_of(store)
        if await self.is_refused(step):
            assert memory_of(store) == before
            with pytest.raises(KeyError):
                store.entry(entry.id)
            await step()
        assert store.entry(entry.id) == entry

    async def open(self, path: Path) -> SessionStore:
        try:
            return SessionStore.open(path)
        except StorageError as error:
            self.note(error)
            return SessionStore.open(path)

    async def is_refused(self, step: Step) -> bool:
        try:
            await step()
        except StorageError as error:
            self.note(error)
            return True
        return False

    def note(self, error: StorageError) -> None:
        self.refusals.append(error)
        self.disk.mend()


def memory_of(store: SessionStore) -> object:
    """All that a session knows, as far as a failed write could spoil it. An interrupted answer may be settled."""
    content = store.content
    return (
        [each for each in content.tree.nodes if each != "000000bb"],
        content.tree.leaf_id,
        dict(content.queue),
        dict(content.labels),
        content.name,
        content.totals,
        [each for each in content.places if each != "000000bb"],
    )


def check_what_is_left(folder: Path) -> None:
    """Every entry is there once, whole, in order, and nothing of ours stands open to others."""
    path = folder / ".diligent" / "sessions" / f"{SESSION_ID}.jsonl"
    store = SessionStore.open(path, for_writing=False)
    kept = [each for each in store.tree.nodes if each in ids_of(ALL)]
    assert kept == ids_of(ALL)
    assert [store.entry(each.id) for each in ALL] == ALL
    assert not store.content.damage.header_is_missing
    assert store.content.damage.orphans == 0
    assert (store.content.labels, store.content.name, list(store.content.queue)) == (
        {"0000000a": "here"},
        "a name",
        ["0000000c"],
    )
    if os.geteuid() == 0:
        assert all(each.stat().st_mode & 0o077 == 0 for each in (folder / ".diligent").rglob("*"))


async def count_operations(folder: Path) -> dict[str, int]:
    disk = Disk()
    with on_disk(disk):
        await Story(folder, disk).tell()
    check_what_is_left(folder)
    return disk.seen


@pytest.mark.parametrize("lasts", [False, True], ids=["once", "until mended"])
@pytest.mark.parametrize("kind", PLACES)
async def test_whichever_operation_fails_a_retry_saves_everything_once(kind: str, lasts: bool, tmp_path: Path) -> None:
    """Every operation of the story fails in turn; the six errors take turns too, and each kind of failure is told."""
    operations = (await count_operations(tmp_path / "counted"))[kind]
    # A lock that is held elsewhere is told by EACCES on some systems.
    numbers = [number for number in KINDS if (kind, number) != ("lock", errno.EACCES)]
    told = 0
    for first in range(1, operations + 1):
        for number in numbers if operations < 8 else [numbers[first % len(numbers)]]:
            folder = tmp_path / f"{first}-{number}"
            disk = Disk(kind, number, first, lasts)
            with on_disk(disk):
                story = Story(folder, disk)
                await story.tell()
            assert disk.failures
            for error in story.refusals:
                assert type(error) is KINDS[number], error
                assert error.message.endswith(".")
                assert error.advice
            told += len(story.refusals)
            check_what_is_left(folder)
    # Only the note in a lock is a courtesy that may fail unsaid.
    assert told or kind == "truncate"


@pytest.mark.parametrize("number", KINDS, ids=[errno.errorcode[number] for number in KINDS])
async def test_a_write_that_fails_in_the_middle_leaves_no_glued_line(number: int, tmp_path: Path) -> None:
    for most in (1, 7, 60):
        for first in range(1, 40, 5):
            folder = tmp_path / f"{most}-{first}"
            disk = Disk("write", number, first, lasts=True)
            with short_writes(most), on_disk(disk):
                story = Story(folder, disk)
                await story.tell()
            check_what_is_left(folder)
            path = folder / ".diligent" / "sessions" / f"{SESSION_ID}.jsonl"
            whole = path.read_bytes().split(b"\n")
            assert [line_of(entry)[:-1] in whole for entry in ALL] == [True] * len(ALL)


async def test_pieces_that_fail_are_told_at_once_and_leave_no_hole(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None))
    store = SessionStore.open(path)
    told: list[StorageError] = []
    store.tell_failure = told.append
    pieces = [piece(f"p{n}", "a", "m", f"word {n} ") for n in range(6)]
    store.append_partial(pieces[0])
    with on_disk(Disk("write", errno.ENOSPC, lasts=True)):
        for each in pieces[1:4]:
            store.append_partial(each)
            with pytest.raises(StorageFull):
                await store.append(QueuedEntry(id="q", parent_id="a", timestamp=STAMP, text="later"))
    assert [type(error) for error in told] == [StorageFull]
    store.append_partial(pieces[4])
    await store.close()
    again = SessionStore.open(path, for_writing=False)
    assert again.content.unsaved["m"] == store_of(tmp_path / "plain", pieces[:5]).content.unsaved["m"]


def store_of(folder: Path, pieces: Sequence[Entry]) -> SessionStore:
    return SessionStore.open(draft(folder, said("a", None), *pieces), for_writing=False)


async def test_an_answer_replaces_the_pieces_that_failed(tmp_path: Path) -> None:
    """A disk that is nearly full must not be filled with what the answer says anyhow."""
    path = draft(tmp_path, said("a", None))
    before = path.read_bytes()
    store = SessionStore.open(path)
    with on_disk(Disk("write", errno.ENOSPC, lasts=True)):
        store.append_partial(piece("p", "a", "m", "half"))
        with pytest.raises(StorageFull):
            await store.append(answered("m", "a", "half and half"))
    await store.append(answered("m", "a", "half and half"))
    await store.close()
    assert path.read_bytes().replace(b"\n\n", b"\n") == before + line_of(answered("m", "a", "half and half"))


async def test_what_is_said_at_the_same_time_is_refused_together_and_saved_by_a_retry(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), piece("p", "a", "m", "half"))
    store = SessionStore.open(path)
    with on_disk(Disk("sync", errno.EIO, lasts=True)):
        for entry in (said("b", "m"), said("c", "m")):
            with pytest.raises(StorageError, match=path.name):
                await store.append(entry)
    assert list(store.content.unsaved) == ["m"]
    await store.append(said("b", "m"))
    await store.append(said("c", "b"))
    await store.close()
    again = SessionStore.open(path)
    assert list(again.tree.nodes) == ["a", "m", "b", "c"]
    assert again.content.unsaved == {}
    assert again.content.damage.orphans == 0
    await again.close()


async def test_a_closed_session_takes_no_late_words(tmp_path: Path) -> None:
    """Its lock is free, and another process may write already."""
    path = draft(tmp_path, said("a", None))
    store = SessionStore.open(path)
    await store.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="closed"):
        await store.append(said("b", "a"))
    with pytest.raises(StorageError, match="closed"):
        store.append_partial(piece("p", "a", "m", "late"))
    assert path.read_bytes() == before
