"""A fork is a session of its own with the same lines; the source is only read, and there is never half a fork."""

import errno
import os
import shutil
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, LabelEntry, LeafEntry, QueuedEntry, SessionInfoEntry
from diligent_tui.domain.errors import StorageError, StorageFull
from diligent_tui.domain.ids import SESSION_ID as SESSION_ID_SHAPE
from diligent_tui.domain.records import JsonObject
from diligent_tui.session import fork as module
from diligent_tui.session.catalog import list_sessions
from diligent_tui.session.fork import fork_session
from diligent_tui.session.store import SessionStore, folder_of
from diligent_tui.storage import private
from tests.session.drafts import HEADER, SESSION_ID, STAMP, answered, conversation, draft, line_of, piece, said

MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
SHA = "ab" * 32
STRANGE = b'{"type":"dream", "id":"00000009","parentId":"a1",  "deep":{"\xc3\xa9":[1, 2.50]},"timestamp":"t"}\n'
BRANCHES: tuple[Entry | bytes, ...] = (
    said("a0", None, "first"),
    answered("a1", "a0"),
    said("b0", "a1", "this way"),
    answered("b1", "b0"),
    LeafEntry(id="l0", parent_id="b1", timestamp=STAMP, target_id="a1"),
    said("c0", "a1", "that way"),
    answered("c1", "c0"),
    LabelEntry(id="l1", parent_id="c1", timestamp=STAMP, target_id="b0", label="the good one"),
    LabelEntry(id="l2", parent_id="c1", timestamp=STAMP, target_id="c0", label="the other"),
    STRANGE,
    LeafEntry(id="l3", parent_id="00000009", timestamp=STAMP, target_id="b1"),
    QueuedEntry(id="q0", parent_id="b1", timestamp=STAMP, text="and then"),
)


def opened(path: Path) -> SessionStore:
    return SessionStore.open(path, for_writing=False)


def forked(path: Path, entry_id: str | None = None, cwd: str | None = None) -> SessionStore:
    return opened(fork_session(opened(path), path.parent, MOMENT, entry_id, cwd))


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[1:-1]


def path_ids(store: SessionStore, leaf: str | None) -> list[str]:
    return [node.id for node in store.tree.path(leaf)]


def test_the_whole_tree_comes_along_byte_for_byte(tmp_path: Path) -> None:
    path = draft(tmp_path, *BRANCHES)
    before = path.read_bytes()
    fork = forked(path)
    assert lines_of(fork.path) == lines_of(path)
    assert path.read_bytes() == before
    source = opened(path)
    assert fork.tree.nodes == source.tree.nodes
    assert fork.tree.leaf_id == source.tree.leaf_id == "b1"
    assert fork.content.labels == {"b0": "the good one", "c0": "the other"}
    assert list(fork.content.queue) == ["q0"]
    assert not fork.content.damage


def test_the_header_names_the_parent_and_has_an_id_of_its_own(tmp_path: Path) -> None:
    fork = forked(draft(tmp_path, *BRANCHES), cwd="/elsewhere")
    header = fork.content.header
    assert SESSION_ID_SHAPE.fullmatch(header.id)
    assert header.id == fork.path.stem
    assert header.id.startswith("20260304050607-")
    assert (header.version, header.parent_session, header.cwd) == (2, SESSION_ID, "/elsewhere")
    assert header.timestamp == "2026-03-04T05:06:07.000Z"
    assert forked(draft(tmp_path, *BRANCHES)).content.header.cwd == HEADER["cwd"]


def test_a_path_comes_along_with_its_labels_and_without_other_branches_and_waiting_words(tmp_path: Path) -> None:
    path = draft(tmp_path, *BRANCHES)
    fork = forked(path, "b1")
    assert path_ids(fork, fork.tree.leaf_id) == ["a0", "a1", "b0", "b1"]
    assert lines_of(fork.path)[:4] == lines_of(path)[:4]
    assert fork.content.labels == {"b0": "the good one"}
    assert not fork.content.queue
    assert not fork.content.damage
    assert "c0" not in fork.tree.nodes


@pytest.mark.parametrize("entry_id", ["a0", "a1", "c0", "c1", "00000009"])
def test_a_fork_stands_at_its_entry(entry_id: str, tmp_path: Path) -> None:
    path = draft(tmp_path, *BRANCHES)
    fork = forked(path, entry_id)
    assert fork.tree.leaf_id == entry_id
    assert path_ids(fork, entry_id) == path_ids(opened(path), entry_id)


def test_a_list_can_name_a_fork_before_its_first_turn(tmp_path: Path) -> None:
    long = said("a0", None, "first words " * 1000)
    named = SessionInfoEntry(id="n", parent_id="a0", timestamp=STAMP, name="a name")
    path = draft(tmp_path, long, named, answered("a1", "a0", "x" * 9000))
    fork = forked(path, "a1")
    row = next(row for row in list_sessions(path.parent) if row.id == fork.path.stem)
    assert row.name == "a name"
    assert (row.first_prompt or "").startswith("first words")


def test_an_entry_of_an_unknown_type_keeps_its_bytes(tmp_path: Path) -> None:
    fork = forked(draft(tmp_path, *BRANCHES), "00000009")
    assert STRANGE.rstrip(b"\n") in lines_of(fork.path)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_every_version_is_continued_by_a_fork(version: int, tmp_path: Path) -> None:
    steering: JsonObject = {"type": "steering", "id": "s0", "parentId": "i0", "timestamp": 1767322000, "message": "go"}
    mode: JsonObject = {"type": "mode_change", "id": "m0", "parentId": "s0", "timestamp": STAMP, "mode": "plan"}
    name = SessionInfoEntry(id="i0", parent_id="a0", timestamp=STAMP, name="an old one")
    path = draft(tmp_path, said("a0", None), name, steering, mode, header={**HEADER, "version": version})
    whole, part = forked(path), forked(path, "s0")
    for fork, ids in ((whole, ["a0", "i0", "s0", "m0"]), (part, ["a0", "i0", "s0"])):
        assert path_ids(fork, fork.tree.leaf_id) == ids
        assert fork.content.header.version == 2
        assert not fork.content.damage
    assert lines_of(whole.path) == lines_of(path)


async def test_a_fork_of_a_newer_version_can_be_written(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None), header={**HEADER, "version": 4})
    assert opened(path).read_only_because
    store = SessionStore.open(fork_session(opened(path), path.parent, MOMENT))
    await store.append(answered("a1", "a0"))
    await store.close()
    assert path_ids(opened(store.path), "a1") == ["a0", "a1"]


@pytest.mark.parametrize("entry_id", [None, "a2"])
def test_an_orphan_hangs_in_the_fork_where_it_hung_in_the_source(entry_id: str | None, tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None), b"{damaged\n", answered("a2", "gone", "still here"))
    fork = forked(path, entry_id)
    assert path_ids(fork, "a2") == ["a0", "a2"]
    assert not fork.content.damage
    assert fork.entry("a2") == opened(path).entry("a2").model_copy(update={"parent_id": "a0"})


@pytest.mark.parametrize("entry_id", [None, "cut"])
def test_an_answer_that_a_crash_cut_off_gets_its_own_line(entry_id: str | None, tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None), piece("p0", "a0", "cut", "half an "), piece("p1", "a0", "cut", "answer"))
    fork = forked(path, entry_id)
    assert not fork.content.unsaved
    assert fork.tree.leaf_id == "cut"
    assert fork.entry("cut") == opened(path).entry("cut")


def test_a_cut_off_answer_behind_which_the_talk_went_on_does_not_move_the_leaf(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None), piece("p0", "a0", "cut", "half"), said("a1", "a0", "anyway"))
    fork = forked(path)
    assert fork.tree.leaf_id == "a1"
    assert "cut" in fork.tree.nodes


def test_records_saved_from_a_damaged_line_get_lines_of_their_own(tmp_path: Path) -> None:
    glued = b'{"type":"message","id":"torn","par' + line_of(said("a1", "a0", "glued"))
    fork = forked(draft(tmp_path, said("a0", None), glued))
    assert fork.tree.leaf_id == "a1"
    assert not fork.content.damage


def test_whole_outputs_and_images_of_copied_entries_go_along(tmp_path: Path) -> None:
    image: JsonObject = {"role": "user", "content": [{"type": "image", "source": {"file": f"images/{SHA}"}}]}
    shown: JsonObject = {"type": "message", "id": "b0", "parentId": "a0", "timestamp": STAMP, "message": image}
    path = draft(tmp_path, said("a0", None), shown, answered("c0", "a0"))
    files = folder_of(path)
    (files / "images").mkdir(parents=True)
    for name in ("a0.txt", "c0.txt", "stranger.txt", f"images/{SHA}", "images/" + "cd" * 32, "lock"):
        (files / name).write_text(name)
        (files / name).chmod(0o600)
    (files / "b0.txt").symlink_to("/etc/passwd")
    assert brought(forked(path, "b0")) == {"a0.txt", f"images/{SHA}"}
    whole = forked(path)
    assert brought(whole) == {"a0.txt", "c0.txt", f"images/{SHA}"}
    assert (folder_of(whole.path) / "a0.txt").read_text() == "a0.txt"
    assert (files / "a0.txt").read_text() == "a0.txt"


def brought(store: SessionStore) -> set[str]:
    folder = folder_of(store.path)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def test_files_are_copied_where_links_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = draft(tmp_path, said("a0", None))
    folder_of(path).mkdir()
    (folder_of(path) / "a0.txt").write_text("whole")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EXDEV, "made up")

    monkeypatch.setattr(os, "link", refuse)
    copied = folder_of(forked(path).path) / "a0.txt"
    assert copied.read_text() == "whole"
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600


def test_a_fork_is_private_under_any_umask(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None))
    before = os.umask(0)
    try:
        fork = forked(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(fork.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder_of(fork.path).stat().st_mode) == 0o700


def fail_at(call: int, real: Callable[..., object]) -> Callable[..., object]:
    calls = [0]

    def failing(*given: object, **more: object) -> object:
        calls[0] += 1
        if calls[0] >= call:
            raise OSError(errno.ENOSPC, "made up")
        return real(*given, **more)

    return failing


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("name", ["os.fsync", "os.write", "os.rename", "os.link", "os.mkdir"])
def test_a_failure_leaves_no_half_session(
    name: str, call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WRITE_AT_BYTES", 100)
    path = draft(tmp_path, *conversation(20))
    folder_of(path).mkdir()
    for name_of_file in ("00000000.txt", "00000001.txt"):
        (folder_of(path) / name_of_file).write_text("whole")
    before = {each: each.read_bytes() if each.is_file() else b"" for each in sorted(tmp_path.rglob("*"))}
    function = name.removeprefix("os.")
    monkeypatch.setattr(os, function, fail_at(call, getattr(os, function)))
    source = opened(path)
    with pytest.raises(StorageFull):
        fork_session(source, path.parent, MOMENT)
    assert {each: each.read_bytes() if each.is_file() else b"" for each in sorted(tmp_path.rglob("*"))} == before


def test_what_a_kill_leaves_behind_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = draft(tmp_path, *conversation(3))

    class Killed(BaseException):
        """As if the process ended here."""

    def killed(*_: object, **__: object) -> None:
        raise Killed

    def tidy_nothing(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(Path, "rename", killed)
    monkeypatch.setattr(shutil, "rmtree", tidy_nothing)
    with pytest.raises(Killed):
        fork_session(opened(path), path.parent, MOMENT)
    assert len(list(path.parent.iterdir())) > 1
    assert [row.id for row in list_sessions(path.parent)] == [SESSION_ID]


async def test_a_session_whose_file_was_taken_away_is_kept_by_a_fork(tmp_path: Path) -> None:
    path = draft(tmp_path, *conversation(3))
    source = SessionStore.open(path)
    path.unlink()
    fork = opened(fork_session(source, path.parent, MOMENT))
    assert list(fork.entries()) == conversation(3)
    await source.close()


def test_a_file_that_was_replaced_meanwhile_is_not_taken_for_the_source(tmp_path: Path) -> None:
    path = draft(tmp_path, *conversation(3))
    source = opened(path)
    path.unlink()
    path.write_bytes(b"x" * 10_000)
    assert list(opened(fork_session(source, path.parent, MOMENT)).entries()) == conversation(3)


def test_a_session_that_another_process_holds_can_be_forked(tmp_path: Path) -> None:
    path = draft(tmp_path, *conversation(1))
    holder = SessionStore.open(path)
    assert len(forked(path).tree.nodes) == 4
    assert holder.path == path


@pytest.mark.parametrize("entry_id", [None, "nowhere"])
def test_what_is_not_there_cannot_be_forked(entry_id: str | None, tmp_path: Path) -> None:
    path = draft(tmp_path) if entry_id is None else draft(tmp_path, said("a0", None))
    with pytest.raises(StorageError, match="nothing" if entry_id is None else "no entry nowhere"):
        fork_session(opened(path), path.parent, MOMENT, entry_id)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_planted_link_for_the_sessions_folder_is_refused(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None))
    elsewhere = tmp_path / "other" / ".diligent"
    elsewhere.mkdir(parents=True)
    (elsewhere / "sessions").symlink_to(tmp_path)
    with pytest.raises(StorageError, match="symbolic link"):
        fork_session(opened(path), elsewhere / "sessions", MOMENT)


def test_a_fork_into_a_new_project_makes_its_folder(tmp_path: Path) -> None:
    path = draft(tmp_path / "old", said("a0", None))
    made = fork_session(opened(path), tmp_path / "new" / ".diligent" / "sessions", MOMENT)
    assert opened(made).tree.leaf_id == "a0"
    assert (tmp_path / "new" / ".diligent" / ".gitignore").read_bytes().startswith(b"#")
    assert stat.S_IMODE(made.parent.stat().st_mode) == private.PRIVATE_FOLDER
