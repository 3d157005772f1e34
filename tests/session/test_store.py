"""A session's file is only ever appended to, by one writer, and comes back as it was left."""

import asyncio
import errno
import os
import stat
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from diligent_tui.domain.entries import (
    Entry,
    LeafEntry,
    MessageEntry,
    ModelChangeEntry,
    OtherEntry,
    QueuedEntry,
    SessionHeader,
    SessionInfoEntry,
)
from diligent_tui.domain.errors import SessionLocked, SessionReadOnly, StorageError, StorageFull
from diligent_tui.domain.messages import AssistantMessage, UserMessage
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.store import SessionStore, folder_of
from diligent_tui.storage import appender
from tests.session.drafts import HEADER, SESSION_ID, STAMP, answered, conversation, draft, ids_of, line_of, piece, said

VERSION_1: tuple[JsonObject, ...] = (
    {"type": "session", "version": 1, "id": SESSION_ID, "timestamp": STAMP, "cwd": "/tmp/project"},
    {"type": "model_change", "id": "00000001", "parentId": None, "timestamp": STAMP, "provider": "p", "modelId": "m"},
    {
        "type": "message",
        "id": "00000002",
        "parentId": "00000001",
        "timestamp": STAMP,
        "message": {"role": "user", "content": "read a.py", "timestamp": 1767322000000},
    },
    {
        "type": "message",
        "id": "00000003",
        "parentId": "00000002",
        "timestamp": STAMP,
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "Reading."},
                {"type": "tool_call", "id": "c1", "name": "read", "input": {"path": "a.py"}},
            ],
            "model": "m",
            "usage": {"inputTokens": 10, "outputTokens": 5, "cacheReadTokens": 0, "cacheWriteTokens": 0},
            "stopReason": "tool_use",
            "timestamp": 1767322001000,
        },
    },
    {
        "type": "message",
        "id": "00000004",
        "parentId": "00000003",
        "timestamp": STAMP,
        "message": {
            "role": "tool_result",
            "toolCallId": "c1",
            "toolName": "read",
            "output": "print(1)",
            "isError": False,
            "timestamp": 1767322002000,
        },
    },
    {"type": "session_info", "id": "00000005", "parentId": "00000004", "timestamp": STAMP, "name": "an old one"},
    {
        "type": "message",
        "id": "00000006",
        "parentId": "00000005",
        "timestamp": STAMP,
        "message": {"role": "assistant", "content": [{"type": "text", "text": "It prints 1."}]},
    },
)


def create(folder: Path) -> SessionStore:
    header = SessionHeader(id=SESSION_ID, timestamp=STAMP, cwd=str(folder))
    return SessionStore.create(folder / ".diligent" / "sessions", header)


def path_ids(store: SessionStore) -> list[str]:
    return [node.id for node in store.tree.path(store.tree.leaf_id)]


async def closed(store: SessionStore) -> SessionStore:
    await store.close()
    return store


async def test_a_new_session_touches_nothing_before_its_first_entry(tmp_path: Path) -> None:
    store = await closed(create(tmp_path))
    assert not list(tmp_path.iterdir())
    assert not store.tree.nodes


async def test_a_session_comes_back_as_it_was(tmp_path: Path) -> None:
    entries = conversation(4)
    store = create(tmp_path)
    for entry in entries:
        await store.append(entry)
    await store.close()
    again = SessionStore.open(store.path)
    assert list(again.entries()) == entries
    assert again.content.header == store.content.header
    assert path_ids(again) == path_ids(store)
    assert not again.content.damage
    await again.close()


async def test_everything_made_is_private_and_git_is_told(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = create(tmp_path)
        await store.append(said("a", None))
    finally:
        os.umask(before)
    await store.close()
    made = list((tmp_path / ".diligent").rglob("*"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / ".diligent", *made)}
    assert modes == {
        ".diligent": 0o700,
        ".gitignore": 0o600,
        "sessions": 0o700,
        SESSION_ID: 0o700,
        "lock": 0o600,
        f"{SESSION_ID}.jsonl": 0o600,
    }


async def test_the_one_who_asked_is_told_of_a_new_project_folder_once(tmp_path: Path) -> None:
    told: list[Path] = []
    header = SessionHeader(id=SESSION_ID, timestamp=STAMP)
    for name in ("one", "two"):
        other = header.model_copy(update={"id": name})
        store = SessionStore.create(tmp_path / ".diligent" / "sessions", other, told.append)
        await store.append(said("a", None))
        await store.append(answered("b", "a"))
        await store.close()
    assert told == [tmp_path / ".diligent"]


async def test_entries_saved_at_once_give_one_header_and_stand_in_order(tmp_path: Path) -> None:
    store = create(tmp_path)
    await asyncio.gather(*(store.append(QueuedEntry(id=f"q{n}", text=str(n))) for n in range(20)))
    await store.close()
    lines = store.path.read_bytes().splitlines()
    assert [b'"type":"session"' in line for line in lines] == [True] + [False] * 20
    again = SessionStore.open(store.path, for_writing=False)
    assert list(again.content.queue) == [f"q{n}" for n in range(20)]
    await again.close()


async def test_an_entry_is_read_again_after_it_left_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [said(f"{n}", f"{n - 1}" if n else None, "x" * 1_000_000) for n in range(20)]
    store = create(tmp_path)
    for entry in entries:
        await store.append(entry)
    read: list[str] = []

    def noting(entry_id: str) -> Entry:
        read.append(entry_id)
        return SessionStore.read(store, entry_id)

    monkeypatch.setattr(store, "read", noting)
    assert all(store.entry(entry.id) == entry for entry in entries[-2:])
    assert read == []
    assert all(store.entry(entry.id) == entry for entry in entries[:2])
    assert read == ["0", "1"]
    await store.close()


async def test_a_long_session_takes_little_memory(tmp_path: Path) -> None:
    store = create(tmp_path)
    tracemalloc.start()
    try:
        for n in range(30):
            await store.append(said(f"{n}", f"{n - 1}" if n else None, "x" * 1_000_000))
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    await store.close()
    assert held_bytes < 20_000_000


async def test_an_entry_that_was_never_saved_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        create(tmp_path).entry("a")


async def test_an_unknown_entry_is_shown_as_such_and_stays(tmp_path: Path) -> None:
    strange: JsonObject = {"type": "hologram", "id": "x", "parentId": "a", "timestamp": STAMP, "depth": [1, {"z": 2}]}
    path = draft(tmp_path, said("a", None), strange)
    before = path.read_bytes()
    store = SessionStore.open(path)
    shown = store.entry("x")
    assert isinstance(shown, OtherEntry)
    assert (shown.type, shown.model_extra) == ("hologram", {"depth": [1, {"z": 2}]})
    await store.append(said("b", store.tree.leaf_id))
    await store.close()
    assert path.read_bytes() == before + line_of(said("b", "x"))


async def test_a_session_of_the_first_version_is_continued_in_place(tmp_path: Path) -> None:
    path = draft(tmp_path, *VERSION_1, header=None)
    before = path.read_bytes()
    store = SessionStore.open(path)
    assert not store.read_only_because
    assert path_ids(store) == [f"0000000{n}" for n in range(1, 7)]
    assert not any(isinstance(entry, OtherEntry) for entry in store.entries())
    assert store.content.name == "an old one"
    assert isinstance(store.entry("00000001"), ModelChangeEntry)
    await store.append(said("00000007", store.tree.leaf_id, "and now?"))
    await store.close()
    assert path.read_bytes() == before + line_of(said("00000007", "00000006", "and now?"))
    again = SessionStore.open(path)
    assert (again.content.header.version, len(path_ids(again))) == (1, 7)
    await again.close()


@pytest.mark.parametrize("version", [3, 4, 99, 0, -1])
async def test_a_session_of_another_version_opens_for_reading_and_says_why(version: int, tmp_path: Path) -> None:
    path = draft(
        tmp_path,
        said("a", None),
        {"type": "steering", "id": "s", "parentId": "a", "timestamp": STAMP, "message": "left", "source": "user"},
        {"type": "mode_change", "id": "m", "parentId": "s", "timestamp": STAMP, "mode": "full", "changedBy": "user"},
        {"type": "hologram", "id": "h", "parentId": "m", "timestamp": STAMP},
        piece("p", "h", "z", "half"),
        header={**HEADER, "version": version},
    )
    before = path.read_bytes()
    store = SessionStore.open(path)
    assert path_ids(store) == ["a", "s", "m", "h", "z"]
    named = str(version) if version else "unknown"
    assert f"file version {named}" in store.read_only_because
    await store.settle()
    with pytest.raises(SessionReadOnly, match=f"file version {named}") as caught:
        await store.append(said("b", "h"))
    assert "Fork" in caught.value.advice
    with pytest.raises(SessionReadOnly):
        store.append_partial(piece("p2", "h", "z", "more"))
    await store.close()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


async def test_a_session_opened_for_reading_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None))
    writer = SessionStore.open(path)
    reader = SessionStore.open(path, for_writing=False)
    assert reader.entry("a") == said("a", None)
    with pytest.raises(SessionReadOnly):
        await reader.append(said("b", "a"))
    await reader.close()
    await writer.close()


async def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    store = create(tmp_path)
    await store.append(said("a", None))
    with pytest.raises(SessionLocked, match=str(os.getpid())):
        SessionStore.open(store.path)
    await store.close()
    await SessionStore.open(store.path).close()


async def test_a_header_that_is_missing_does_not_stop_the_session(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), header=None)
    store = SessionStore.open(path)
    assert store.content.damage.header_is_missing
    await store.append(answered("b", "a"))
    await store.close()
    assert path.read_bytes() == line_of(said("a", None)) + line_of(answered("b", "a"))


async def test_a_torn_tail_is_closed_by_the_next_entry(tmp_path: Path) -> None:
    torn = line_of(answered("b", "a"))[:50]
    path = draft(tmp_path, said("a", None), torn)
    store = SessionStore.open(path)
    assert store.content.damage.lines == 1
    await store.append(answered("c", "a"))
    assert store.entry("c") == answered("c", "a")
    await store.close()
    again = SessionStore.open(path)
    assert path_ids(again) == ["a", "c"]
    assert again.content.damage.lines == 1
    assert again.entry("c") == answered("c", "a")
    await again.close()


async def test_an_orphan_is_shown_where_it_hangs_and_keeps_what_it_said(tmp_path: Path) -> None:
    store = SessionStore.open(draft(tmp_path, said("a", None), answered("c", "lost")))
    assert store.tree.nodes["c"].is_orphan
    assert path_ids(store) == ["a", "c"]
    assert store.entry("c") == answered("c", "lost")
    await store.close()


def interrupted(store: SessionStore, entry_id: str) -> str:
    """The words of an interrupted answer."""
    entry = store.entry(entry_id)
    assert isinstance(entry, MessageEntry)
    assert isinstance(entry.message, AssistantMessage)
    assert entry.message.stop_reason == "interrupted"
    return entry.message.text


async def test_an_answer_cut_off_by_a_crash_is_settled_once(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), piece("p1", "a", "m", "Hel"), piece("p2", "a", "m", "lo"))
    before = path.read_bytes()
    store = SessionStore.open(path)
    assert interrupted(store, "m") == "Hello"
    await store.settle()
    await store.settle()
    await store.append(said("b", store.tree.leaf_id))
    await store.close()
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.count(b'"id":"m"') == 1
    again = SessionStore.open(path)
    assert path_ids(again) == ["a", "m", "b"]
    assert interrupted(again, "m") == "Hello"
    assert not again.content.unsaved
    await again.settle()
    await again.close()
    assert path.read_bytes() == after


async def test_what_is_said_after_a_crash_hangs_on_the_interrupted_answer(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), piece("p1", "a", "m", "Hel"))
    store = SessionStore.open(path)
    await store.append(said("b", store.tree.leaf_id))
    await store.close()
    again = SessionStore.open(path)
    assert path_ids(again) == ["a", "m", "b"]
    assert not again.content.damage
    await again.close()


async def test_settling_does_not_move_the_leaf(tmp_path: Path) -> None:
    """An answer that could not be saved may have been followed by another prompt."""
    path = draft(tmp_path, said("a", None), piece("p", "a", "m", "Hel"), said("b", "a"), answered("c", "b"))
    store = SessionStore.open(path)
    assert path_ids(store) == ["a", "b", "c"]
    await store.settle()
    assert path_ids(store) == ["a", "b", "c"]
    await store.close()
    again = SessionStore.open(path)
    assert path_ids(again) == ["a", "b", "c"]
    assert interrupted(again, "m") == "Hel"
    assert set(again.tree.nodes) == set(store.tree.nodes)
    await again.close()


async def test_answers_cut_off_are_settled_once_whoever_asks_first(tmp_path: Path) -> None:
    pieces = [piece(f"p{n}", "a", f"m{n}", "Hel") for n in range(50)]
    path = draft(tmp_path, said("a", None), *pieces)
    store = SessionStore.open(path)
    leaf = store.tree.leaf_id
    await asyncio.gather(
        store.settle(), store.append(QueuedEntry(id="q", text="later")), store.settle(), store.append(said("b", leaf))
    )
    await store.close()
    again = SessionStore.open(path)
    assert (again.content.unsaved, again.content.damage.repeated) == ({}, 0)
    assert path_ids(again) == ["a", leaf, "b"]
    assert set(again.tree.nodes) == set(store.tree.nodes)
    await again.close()


async def test_pieces_are_saved_without_waiting_and_a_failure_of_theirs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = create(tmp_path)
    told: list[StorageError] = []
    store.tell_failure = told.append
    await store.append(said("a", None))
    store.append_partial(piece("p1", "a", "m", "Hel"))
    await store.append(QueuedEntry(id="q", parent_id="a", text="later"))
    assert told == []
    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", no_space)
        store.append_partial(piece("p2", "a", "m", "lo"))
        with pytest.raises(StorageFull):
            await store.append(QueuedEntry(id="r", parent_id="a", text="never"))
    assert [type(error) for error in told] == [StorageFull]
    await store.close()
    again = SessionStore.open(store.path, for_writing=False)
    assert interrupted(again, "m") == "Hel"
    assert list(again.content.queue) == ["q"]
    await again.close()


def no_space(descriptor: int, data: bytes) -> None:
    raise OSError(errno.ENOSPC, "made up")


async def test_an_entry_that_was_not_saved_is_not_in_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = create(tmp_path)
    await store.append(said("a", None))
    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", no_space)
        with pytest.raises(StorageFull):
            await store.append(SessionInfoEntry(id="i", parent_id="a", name="lost"))
        with pytest.raises(StorageFull):
            await store.append(answered("b", "a"))
    assert (path_ids(store), store.content.name) == (["a"], "")
    await store.append(answered("b", "a"))
    await store.close()
    again = SessionStore.open(store.path, for_writing=False)
    assert list(again.entries()) == [said("a", None), answered("b", "a")]
    await again.close()


async def test_a_first_prompt_that_found_no_space_can_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = create(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(appender, "write_all", no_space)
        with pytest.raises(StorageFull):
            await store.append(said("a", None))
    await store.append(said("a", None))
    await store.close()
    again = SessionStore.open(store.path, for_writing=False)
    assert list(again.entries()) == [said("a", None)]
    assert not again.content.damage
    await again.close()


@pytest.mark.parametrize("text", ["\ud83d", "a\x00b", "x\u2028y", "🦊" * 1000, "\x1b[2J"])
async def test_any_words_can_be_saved_and_read(text: str, tmp_path: Path) -> None:
    store = create(tmp_path)
    await store.append(said("a", None, text))
    await store.close()
    again = SessionStore.open(store.path, for_writing=False)
    entry = again.entry("a")
    assert isinstance(entry, MessageEntry)
    assert entry.message == UserMessage(content=text.replace("\ud83d", "\ufffd"))
    await again.close()


def link_sessions(folder: Path, target: Path) -> None:
    (folder / ".diligent").mkdir()
    (folder / ".diligent" / "sessions").symlink_to(target)


def link_project(folder: Path, target: Path) -> None:
    (folder / ".diligent").symlink_to(target)


@pytest.mark.parametrize("plant", [link_sessions, link_project])
async def test_a_new_session_is_not_put_through_a_planted_link(
    plant: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    plant(tmp_path, target)
    store = create(tmp_path)
    with pytest.raises(StorageError, match="link"):
        await store.append(said("a", None))
    await store.close()
    assert not list(target.iterdir())


async def test_a_session_behind_a_planted_link_is_read_but_not_written(tmp_path: Path) -> None:
    path = draft(tmp_path / "theirs", said("a", None))
    sessions = tmp_path / ".diligent" / "sessions"
    sessions.parent.mkdir()
    sessions.symlink_to(path.parent)
    before = sorted(path.parent.iterdir())
    with pytest.raises(StorageError, match="link"):
        SessionStore.open(sessions / path.name)
    reader = SessionStore.open(sessions / path.name, for_writing=False)
    assert reader.entry("a") == said("a", None)
    await reader.close()
    assert sorted(path.parent.iterdir()) == before


def test_a_session_that_cannot_be_read_to_its_end_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = draft(tmp_path, said("a", None))

    def fail(descriptor: int, size: int, offset: int) -> bytes:
        raise OSError(errno.EIO, "made up")

    monkeypatch.setattr(os, "pread", fail)
    with pytest.raises(StorageError, match=path.name):
        SessionStore.open(path)


async def test_ids_are_new(tmp_path: Path) -> None:
    store = create(tmp_path)
    ids: set[str] = set()
    for _ in range(200):
        entry: Entry = LeafEntry(id=store.new_id())
        await store.append(entry)
        ids.add(entry.id)
    await store.close()
    assert len(ids) == 200
    assert ids_of(list(store.entries())) == list(store.tree.nodes)
    assert folder_of(store.path) == store.spill_folder
