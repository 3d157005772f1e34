"""Files of other times: old ones are continued in place, newer ones are read and never touched."""

import shutil
import stat
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diligent_tui.domain.entries import (
    CompactionEntry,
    LabelEntry,
    MessageEntry,
    ModeChangeEntry,
    ModelChangeEntry,
    OtherEntry,
    SteeringEntry,
)
from diligent_tui.domain.errors import SessionReadOnly
from diligent_tui.domain.messages import AssistantMessage, ThinkingBlock, ToolCallBlock, UserMessage
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.fork import fork_session
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import read_header, read_tail
from tests.session.drafts import HEADER, SESSION_ID, answered, draft, line_of, piece, said

FIXTURES = Path(__file__).parent / "fixtures"
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def fixture(name: str, folder: Path) -> Path:
    path = folder / ".diligent" / "sessions" / f"{name}.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copyfile(FIXTURES / f"{name}.jsonl", path)
    return path


def path_ids(store: SessionStore) -> list[str]:
    return [node.id for node in store.tree.path(store.tree.leaf_id)]


def state_of(folder: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Everything about a folder's content that writing would change."""
    found: dict[str, tuple[int, int, int, bytes]] = {}
    for path in sorted([folder, *folder.rglob("*")]):
        state = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(state.st_mode) else b""
        found[str(path)] = (state.st_mode, state.st_mtime_ns, state.st_size, data)
    return found


async def test_a_session_of_version_1_is_continued_in_place_and_its_bytes_stay(tmp_path: Path) -> None:
    path = fixture("version-1", tmp_path)
    before = path.read_bytes()
    store = SessionStore.open(path)
    assert (store.read_only_because, bool(store.content.damage)) == ("", False)
    assert store.content.name == "what a.py prints"
    assert store.tree.children["1f00aa04"] == ["1f00aa05", "1f00aa07"]
    assert [node.id for node in store.tree.path("1f00aa06")] == [f"1f00aa0{n}" for n in range(1, 7)]
    assert path_ids(store) == ["1f00aa01", "1f00aa02", "1f00aa03", "1f00aa04", "1f00aa07"]
    assert not any(isinstance(entry, OtherEntry) for entry in store.entries())
    assert isinstance(store.entry("1f00aa01"), ModelChangeEntry)
    answer = store.entry("1f00aa03")
    assert isinstance(answer, MessageEntry)
    assert isinstance(answer.message, AssistantMessage)
    assert [type(block) for block in answer.message.content][::2] == [ThinkingBlock, ToolCallBlock]
    assert answer.message.usage is not None
    assert answer.message.usage.cache_write_tokens == 512
    prompt = said(store.new_id(), store.tree.leaf_id, "and now?")
    await store.append(prompt)
    await store.close()
    assert path.read_bytes() == before + line_of(prompt)
    again = SessionStore.open(path)
    assert again.content.header.version == 1
    assert path_ids(again)[-2:] == ["1f00aa07", prompt.id]
    await again.close()


async def test_what_version_2_does_not_know_keeps_its_place_and_its_bytes(tmp_path: Path) -> None:
    path = fixture("version-2-unknown", tmp_path)
    before = path.read_bytes()
    store = SessionStore.open(path)
    assert (store.read_only_because, bool(store.content.damage)) == ("", False)
    assert path_ids(store) == ["2f00aa01", "2f00aa02", "2f00aa03", "2f00aa04", "2f00aa06"]
    assert [type(store.entry(f"2f00aa0{n}")) for n in (1, 3, 5, 6)] == [
        OtherEntry,
        OtherEntry,
        LabelEntry,
        CompactionEntry,
    ]
    assert (store.entry("2f00aa01").model_extra or {})["depth"] == {"z": [1, {"y": None}]}
    assert (store.entry("2f00aa02").model_extra or {})["mood"] == "curious"
    assert store.content.labels == {"2f00aa02": "the question"}
    assert (store.content.header.model_extra or {})["colour"] == "green"
    reply = answered(store.new_id(), store.tree.leaf_id)
    await store.append(reply)
    await store.close()
    assert path.read_bytes() == before + line_of(reply)
    assert read_tail(path, 100).entries[0].id == "2f00aa01"


@pytest.mark.parametrize("version", [3, 4])
async def test_versions_3_and_4_open_with_their_tree_for_reading_and_a_fork_continues_them(
    version: int, tmp_path: Path
) -> None:
    path = fixture(f"version-{version}", tmp_path)
    before = state_of(tmp_path)
    store = SessionStore.open(path)
    ids = [f"{version}f00aa0{n}" for n in range(1, 9)]
    assert list(store.tree.nodes) == ids
    assert store.tree.children[ids[2]] == [ids[3], ids[7]]
    assert path_ids(store) == [*ids[:3], ids[7]]
    assert isinstance(store.entry(ids[1]), ModeChangeEntry)
    steering = store.entry(ids[4])
    assert isinstance(steering, SteeringEntry)
    assert store.tree.nodes[steering.id].is_prompt
    assert f"file version {version}" in store.read_only_because
    with pytest.raises(SessionReadOnly, match=f"file version {version}") as caught:
        await store.append(said("b", ids[7]))
    assert "Fork" in caught.value.advice
    await store.settle()
    assert state_of(tmp_path) == before
    fork = SessionStore.open(fork_session(store, tmp_path / "mine" / "sessions", MOMENT))
    await store.close()
    assert list(fork.tree.nodes)[: len(ids)] == ids
    assert path_ids(fork) == [*ids[:3], ids[7]]
    await fork.append(said(fork.new_id(), fork.tree.leaf_id))
    await fork.close()
    assert state_of(path.parent) == {key: value for key, value in before.items() if key.startswith(str(path.parent))}


HEADERS: dict[str, tuple[JsonObject, str]] = {
    "2 as words": ({**HEADER, "version": "2"}, ""),
    "1 as a fraction": ({**HEADER, "version": 1.0}, ""),
    "none": ({key: value for key, value in HEADER.items() if key != "version"}, ""),
    "3 as words": ({**HEADER, "version": "3"}, "file version 3"),
    "99": ({**HEADER, "version": 99}, "file version 99"),
    "a large number": ({**HEADER, "version": 10**30}, f"file version {10**30}"),
    "words": ({**HEADER, "version": "next"}, "file version unknown"),
    "null": ({**HEADER, "version": None}, "file version unknown"),
    "a list": ({**HEADER, "version": [2]}, "file version unknown"),
    "a half": ({**HEADER, "version": 2.5}, "file version unknown"),
    "99 in another shape": ({"type": "session", "version": 99, "key": 7}, "file version 99"),
}


@pytest.mark.parametrize(("header", "because"), HEADERS.values(), ids=HEADERS.keys())
async def test_a_version_is_read_kindly_and_what_is_not_ours_is_not_touched(
    header: JsonObject, because: str, tmp_path: Path
) -> None:
    path = draft(tmp_path, said("a", None), piece("p", "a", "m", "half an ans"), header=header)
    before = state_of(tmp_path)
    store = SessionStore.open(path)
    assert because in store.read_only_because
    assert bool(store.read_only_because) == bool(because)
    assert path_ids(store) == ["a", "m"]
    assert store.content.header.id == SESSION_ID
    if because:
        await store.settle()
        with pytest.raises(SessionReadOnly):
            await store.append(said("b", "m"))
    else:
        await store.append(said("b", "m"))
    await store.close()
    assert path.read_bytes().startswith(before[str(path)][3])
    assert (state_of(tmp_path) == before) == bool(because)


async def test_a_whole_header_counts_before_a_broken_one(tmp_path: Path) -> None:
    path = draft(tmp_path, {"type": "session", "version": 99}, HEADER, said("a", None), header=None)
    store = SessionStore.open(path)
    assert store.read_only_because == ""
    assert (store.content.header.version, store.content.damage.lines) == (2, 1)
    header = read_header(path)
    assert header is not None
    assert header.version == 2
    await store.close()


@pytest.fixture
def closed_folder(tmp_path: Path) -> Generator[Path]:
    """A project that may be read and not written, also where the tests run as root."""
    path = draft(tmp_path / "project", said("a", None, "hello"), piece("p", "a", "m", "half"), b"torn")
    # What denies writing to root too is that the folder of the session, which the lock needs, cannot be made.
    (path.parent / SESSION_ID).write_bytes(b"")
    for each in (path, path.parent / SESSION_ID):
        each.chmod(0o400)
    path.parent.chmod(0o500)
    yield path
    path.parent.chmod(0o700)


async def test_reading_writes_nothing_in_a_folder_that_cannot_be_written(closed_folder: Path) -> None:
    before = state_of(closed_folder.parent)
    store = SessionStore.open(closed_folder, for_writing=False)
    entry = store.entry("a")
    assert isinstance(entry, MessageEntry)
    assert isinstance(entry.message, UserMessage)
    assert path_ids(store) == ["a", "m"]
    await store.settle()
    with pytest.raises(SessionReadOnly):
        store.append_partial(piece("q", "a", "m", "more"))
    assert len(read_tail(closed_folder, 5).entries) == 2
    await store.close()
    assert state_of(closed_folder.parent) == before


async def test_reading_while_another_writes_sees_what_was_saved_and_writes_nothing(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None))
    writer = SessionStore.open(path)
    await writer.append(answered("b", "a"))
    before = state_of(tmp_path)
    reader = SessionStore.open(path, for_writing=False)
    assert path_ids(reader) == ["a", "b"]
    await reader.settle()
    await reader.close()
    assert state_of(tmp_path) == before
    await writer.append(said("c", "b"))
    await writer.close()
