"""A shelf reads only what is asked for, finds sessions again, and loses none when it renames, deletes and restores."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diligent_tui.domain.entries import CompactionEntry, LeafEntry, MessageEntry, SessionInfoEntry, SteeringEntry
from diligent_tui.domain.errors import (
    SessionLocked,
    SessionNotFound,
    SessionReadOnly,
    StorageError,
    StorageReadOnly,
    UsageError,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock
from diligent_tui.domain.usage import Usage
from diligent_tui.session import catalog
from diligent_tui.session.preview import PreviewLine
from diligent_tui.session.shelf import Shelf
from diligent_tui.session.store import SessionStore
from diligent_tui.storage.jsonl import open_reading
from diligent_tui.storage.lock import FileLock
from tests.session.drafts import answered, conversation, piece, said
from tests.session.shelves import fill, note, put, session_id

HOSTILE = "\x1b]0;owned\x07 [/bold] \u202egnp.exe\u2066 a\tb"


def clock() -> datetime:
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    folder = tmp_path / ".diligent" / "sessions"
    folder.mkdir(parents=True, mode=0o700)
    return folder


@pytest.fixture
def shelf(sessions: Path) -> Shelf:
    return Shelf(sessions, clock)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were opened for their rows."""
    paths: list[Path] = []

    def counting(path: Path) -> int:
        paths.append(path)
        return open_reading(path)

    monkeypatch.setattr(catalog, "open_reading", counting)
    return paths


def titles(shelf: Shelf, words: str) -> list[str]:
    return [row.title for row in shelf.find(words)]


def tree_of(folder: Path) -> dict[str, bytes]:
    """Every file below, with its bytes; locks aside, which are written anew."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def test_a_page_of_two_thousand_sessions_opens_its_own_files_only(
    sessions: Path, shelf: Shelf, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = fill(sessions, 2_000)
    read: list[int] = []
    pread = os.pread

    def counting(descriptor: int, size: int, offset: int) -> bytes:
        read.append(size)
        return pread(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", counting)
    first = shelf.rows(0, 40)
    assert [row.path for row in first] == paths[:40]
    assert opened == paths[:40]
    second = shelf.rows(40, 40)
    assert [row.title for row in second] == [f"prompt number {number}" for number in range(40, 80)]
    assert opened == paths[:80]
    shelf.rows(0, 80)
    assert opened == paths[:80]
    assert sum(read) <= 80 * 8192

    assert len(shelf.find("number 19")) == sum("19" in str(number) for number in range(2_000))
    assert opened == paths
    opened.clear()
    assert [row.path for row in shelf.find("number 1999")] == [paths[1999]]
    assert opened == []


def test_a_file_that_changed_is_read_again(sessions: Path, shelf: Shelf, opened: list[Path]) -> None:
    fill(sessions, 3)
    shelf.rows()
    opened.clear()
    changed = put(sessions, session_id(1), said("a", None, "another prompt"))
    assert {row.title for row in shelf.rows()} == {"prompt number 0", "another prompt", "prompt number 2"}
    assert opened == [changed]


def test_a_session_is_found_by_its_id_before_others_are_by_their_words(sessions: Path, shelf: Shelf) -> None:
    put(sessions, "20260101000000-aaaaaa", said("a", None, "about 2025"), age_s=1)
    put(sessions, "20250101000000-bbbbbb", said("a", None, "old"), age_s=100)
    assert titles(shelf, "2025") == ["old", "about 2025"]
    assert titles(shelf, "20250101000000-bbbbbb") == ["old"]


@pytest.mark.parametrize(
    "words",
    [
        "größe",
        "GRÖSSE",
        "grosse",
        "GRÖẞE",
        "prufung grosse",
        "  Größe\tprüf ",
        "cafe",
        "CAFÉ",
        "cafe\u0301",
        "ﬁle",
        "file",
        "你好",
    ],
)
def test_case_accents_and_order_of_words_do_not_matter(words: str, sessions: Path, shelf: Shelf) -> None:
    put(sessions, "a", said("a", None, "Größe: Prüfung im Café, one ﬁle, 你好"))
    put(sessions, "b", said("a", None, "something else"))
    assert [row.id for row in shelf.find(words)] == ["a"]


def test_all_words_must_be_there_and_no_word_finds_everything(sessions: Path, shelf: Shelf) -> None:
    put(sessions, "x1", said("a", None, "red swan"), note(1, name="blue"))
    put(sessions, "x2", said("a", None, "red"), age_s=1)
    assert [row.id for row in shelf.find("swan blue")] == ["x1"]
    assert shelf.find("red green") == []
    assert [row.id for row in shelf.find(" ")] == ["x1", "x2"]


def test_a_search_in_what_is_known_touches_no_file(sessions: Path, shelf: Shelf, opened: list[Path]) -> None:
    fill(sessions, 5)
    files = shelf.files()
    assert shelf.find_known("number", files) == []
    shelf.summary(files[2])
    opened.clear()
    assert shelf.find_known("number", files) == [files[2]]
    assert opened == []


def test_a_preview_tells_the_end_in_few_words(sessions: Path, shelf: Shelf) -> None:
    path = put(
        sessions,
        "a",
        *conversation(2),
        CompactionEntry(id="c", parent_id="00000103", summary="s", first_kept_entry_id="00000000"),
        SteeringEntry(id="d", parent_id="c", message="also this"),
        note(1),
    )
    assert shelf.preview(path, 5) == (
        PreviewLine("user", "prompt 1"),
        PreviewLine("tools", "ls"),
        PreviewLine("assistant", "answer 1"),
        PreviewLine("note", "⟳ compacted"),
        PreviewLine("user", "also this"),
    )
    assert len(shelf.preview(path, 100)) == 8


def test_a_preview_is_clean_and_short(sessions: Path, shelf: Shelf) -> None:
    path = put(sessions, "a", said("a", None, HOSTILE), answered("b", "a", "word \x1b[2J" * 10_000))
    prompt, answer = shelf.preview(path, 2)
    assert "\x1b" not in prompt.text + answer.text
    assert "\u202e" not in prompt.text
    assert len(answer.text) < 2_000


def test_a_preview_shows_an_answer_that_a_crash_cut_off(sessions: Path, shelf: Shelf) -> None:
    path = put(sessions, "a", said("a", None, "go"), piece("p", "a", "m", "half an ans"))
    assert shelf.preview(path, 9)[-1] == PreviewLine("assistant", "half an ans")


def test_figures_that_the_ends_do_not_tell_come_from_the_whole_file(sessions: Path, shelf: Shelf) -> None:
    usage = Usage(input_tokens=10, output_tokens=5, cache_read_tokens=100)
    spoken = AssistantMessage(content=(TextBlock(text="y" * 20_000),), usage=usage)
    path = put(
        sessions,
        "a",
        said("a", None, "begin"),
        SessionInfoEntry(id="n", name="named early", tokens=1_000, cost=0.5),
        MessageEntry(id="b", parent_id="a", message=spoken),
        CompactionEntry(id="c", parent_id="b", summary="s" * 9_000, first_kept_entry_id="a"),
        said("d", "a", "another branch"),
        MessageEntry(id="e", parent_id="d", message=spoken),
    )
    (file,) = shelf.files()
    assert shelf.summary(file).tokens is None
    assert shelf.totals(path) is not None
    row = shelf.summary(file)
    assert (row.tokens, row.cost, row.compactions, row.branches) == (1_230, 0.5, 1, 2)
    assert (row.name, row.first_prompt, row.last_prompt) == ("named early", "begin", "another branch")
    assert shelf.is_scanned(file)
    assert [found.id for found in shelf.find("early")] == ["a"]


def test_a_scan_ends_as_soon_as_nobody_wants_it(sessions: Path, shelf: Shelf) -> None:
    path = put(sessions, "a", *conversation(50))
    asked: list[int] = []

    def is_wanted() -> bool:
        asked.append(1)
        return len(asked) < 3

    (file,) = shelf.files()
    shelf.summary(file)
    assert shelf.totals(path, is_wanted) is None
    assert len(asked) == 3
    assert not shelf.is_scanned(file)


def test_a_session_whose_usage_nobody_noted_has_unknown_tokens(sessions: Path, shelf: Shelf) -> None:
    totals = shelf.totals(put(sessions, "a", *conversation(3)))
    assert totals is not None
    assert (totals.tokens, totals.cost, totals.branches) == (None, None, 1)


async def test_a_renamed_session_keeps_its_lines_its_leaf_and_its_place(sessions: Path, shelf: Shelf) -> None:
    fill(sessions, 2)
    path = put(sessions, "b", *conversation(3), LeafEntry(id="l", target_id="00000103"), note(9), age_s=5_000)
    before = path.read_bytes()
    order = [row.id for row in shelf.rows()]
    await shelf.rename(path, "a good name")
    assert path.read_bytes().startswith(before)
    assert path.read_bytes().count(b"\n") == before.count(b"\n") + 1
    rows = shelf.rows()
    assert [row.id for row in rows] == order
    renamed = next(row for row in rows if row.id == "b")
    assert (renamed.title, renamed.tokens) == ("a good name", 9)
    assert SessionStore.open(path, for_writing=False).tree.leaf_id == "00000103"


async def test_an_answer_that_a_crash_cut_off_survives_a_rename(sessions: Path, shelf: Shelf) -> None:
    path = put(sessions, "a", said("a", None, "go"), piece("p", "a", "m", "half an ans"))
    await shelf.rename(path, "named")
    store = SessionStore.open(path, for_writing=False)
    assert (store.tree.leaf_id, store.content.name) == ("m", "named")
    assert shelf.preview(path, 1) == (PreviewLine("assistant", "half an ans"),)


async def test_a_hostile_name_is_cleaned_and_a_long_one_still_fits_the_list(sessions: Path, shelf: Shelf) -> None:
    (path, other) = fill(sessions, 2)
    await shelf.rename(path, HOSTILE)
    await shelf.rename(other, "🦢" * 5_000)
    names = [row.name or "" for row in shelf.rows()]
    assert "\x1b" not in names[0]
    assert "\u202e" not in names[0]
    assert names[1].startswith("🦢🦢🦢")
    assert [row.tokens for row in shelf.rows()] == [0, 1_000]


@pytest.mark.parametrize("name", ["", "  ", "\x1b[0m", "\u200b"])
async def test_an_empty_name_is_refused_and_nothing_written(name: str, sessions: Path, shelf: Shelf) -> None:
    (path,) = fill(sessions, 1)
    before = path.read_bytes()
    with pytest.raises(UsageError):
        await shelf.rename(path, name)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [3, 4, 99])
async def test_a_session_of_another_version_cannot_be_renamed(version: int, sessions: Path, shelf: Shelf) -> None:
    path = put(sessions, "a", said("a", None), header={"version": version})
    before = tree_of(sessions)
    with pytest.raises(SessionReadOnly, match=f"file version {version}"):
        await shelf.rename(path, "new")
    assert tree_of(sessions) == before
    assert not (sessions / "a").exists()


async def test_a_file_that_is_no_session_cannot_be_renamed(sessions: Path, shelf: Shelf) -> None:
    path = sessions / "notes.jsonl"
    path.write_bytes(b"my own notes\n")
    with pytest.raises(StorageError, match="not a session"):
        await shelf.rename(path, "new")
    assert path.read_bytes() == b"my own notes\n"


async def test_an_open_session_is_neither_renamed_nor_deleted(sessions: Path, shelf: Shelf) -> None:
    (path,) = fill(sessions, 1)
    lock = FileLock(path.with_suffix("") / "lock")
    lock.take()
    before = tree_of(sessions)
    with pytest.raises(SessionLocked, match="not renamed"):
        await shelf.rename(path, "new")
    with pytest.raises(SessionLocked, match="not deleted"):
        shelf.to_trash(path)
    assert tree_of(sessions) == before
    assert not shelf.trash.exists()
    lock.free()
    shelf.to_trash(path)
    assert shelf.rows() == []


def with_spills(sessions: Path, name: str = "a") -> Path:
    path = put(sessions, name, *conversation(2))
    images = sessions / name / "images"
    images.mkdir(parents=True, mode=0o700)
    (sessions / name / "0000000a.txt").write_bytes(b"long output\x00\xff")
    (images / "ab12").write_bytes(bytes(range(256)))
    return path


def test_a_deleted_session_comes_back_byte_for_byte(sessions: Path, shelf: Shelf) -> None:
    path = with_spills(sessions)
    before = tree_of(sessions)
    trashed = shelf.to_trash(path)
    assert tree_of(sessions) == {}
    assert [row.id for row in shelf.rows()] == []
    assert shelf.trash in trashed.parents
    assert tree_of(trashed.parent) == before
    assert shelf.deleted == [trashed]

    assert shelf.restore(trashed) == path
    assert tree_of(sessions) == before
    assert [row.id for row in shelf.rows()] == ["a"]
    assert shelf.deleted == []
    assert list(shelf.trash.iterdir()) == []


def test_the_trash_is_private_under_any_umask(sessions: Path, shelf: Shelf) -> None:
    path = with_spills(sessions)
    before = os.umask(0)
    try:
        trashed = shelf.to_trash(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(shelf.trash.stat().st_mode) == 0o700
    assert stat.S_IMODE(trashed.parent.stat().st_mode) == 0o700


def test_the_same_name_can_be_deleted_many_times(sessions: Path, shelf: Shelf) -> None:
    trashed = [shelf.to_trash(put(sessions, "a", said("a", None, f"number {number}"))) for number in range(5)]
    assert len(set(trashed)) == 5
    assert [path.read_bytes().count(b"number") for path in trashed] == [1] * 5
    shelf.restore(trashed[3])
    assert [row.title for row in shelf.rows()] == ["number 3"]


def test_nothing_is_overwritten_by_bringing_back(sessions: Path, shelf: Shelf) -> None:
    trashed = shelf.to_trash(with_spills(sessions))
    put(sessions, "a", said("a", None, "a new one"))
    with pytest.raises(StorageError, match="nothing was overwritten"):
        shelf.restore(trashed)
    assert [row.title for row in shelf.rows()] == ["a new one"]
    assert trashed.exists()
    (sessions / "a.jsonl").unlink()
    (sessions / "a" / "0000000b.txt").parent.mkdir()
    (sessions / "a" / "0000000b.txt").write_bytes(b"somebody's")
    with pytest.raises(StorageError, match="nothing was overwritten"):
        shelf.restore(trashed)
    assert (sessions / "a" / "0000000b.txt").read_bytes() == b"somebody's"
    assert (trashed.parent / "a" / "0000000a.txt").exists()


class Crashed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("moves_done", [0, 1])
def test_a_crash_in_the_middle_of_a_deletion_loses_nothing(
    moves_done: int, sessions: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_spills(sessions)
    before = tree_of(sessions)
    crash_after(moves_done, monkeypatch)
    with pytest.raises(Crashed):
        shelf.to_trash(path)
    monkeypatch.undo()
    later = Shelf(sessions, clock)
    found = [row.id for row in later.rows()]
    if not moves_done:
        assert found == ["a"]
        later.to_trash(path)
        later.restore(later.deleted[-1])
    else:
        assert found == []
        (trashed,) = shelf.trash.rglob("*.jsonl")
        later.restore(trashed)
    assert tree_of(sessions) == before
    assert [row.id for row in later.rows()] == ["a"]


@pytest.mark.parametrize("moves_done", [0, 1])
def test_a_crash_in_the_middle_of_bringing_back_loses_nothing(
    moves_done: int, sessions: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_spills(sessions)
    before = tree_of(sessions)
    trashed = shelf.to_trash(path)
    crash_after(moves_done, monkeypatch)
    with pytest.raises(Crashed):
        shelf.restore(trashed)
    monkeypatch.undo()
    assert [row.id for row in Shelf(sessions).rows()] == []
    assert Shelf(sessions).restore(trashed) == path
    assert tree_of(sessions) == before


def crash_after(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Path] = []
    rename = Path.rename

    def crashing(source: Path, target: Path) -> Path:
        if len(done) >= moves:
            raise Crashed
        done.append(source)
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", crashing)


def test_a_lock_left_behind_does_not_keep_a_session_in_the_trash(sessions: Path, shelf: Shelf) -> None:
    path = with_spills(sessions)
    before = tree_of(sessions)
    trashed = shelf.to_trash(path)
    lock = FileLock(sessions / "a" / "lock")
    lock.take()
    lock.free()
    shelf.restore(trashed)
    assert tree_of(sessions) == before


def test_a_deletion_that_fails_halfway_is_taken_back(
    sessions: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_spills(sessions)
    before = tree_of(sessions)
    rename = Path.rename

    def refusing(source: Path, target: Path) -> Path:
        if source.is_dir():
            raise PermissionError(13, "made up")
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", refusing)
    with pytest.raises(StorageReadOnly):
        shelf.to_trash(path)
    assert tree_of(sessions) == before
    assert list(shelf.trash.iterdir()) == []
    assert shelf.deleted == []


def link_the_file(sessions: Path, elsewhere: Path) -> None:
    (sessions / "a.jsonl").rename(elsewhere / "a.jsonl")
    (sessions / "a.jsonl").symlink_to(elsewhere / "a.jsonl")


def link_the_folder(sessions: Path, elsewhere: Path) -> None:
    (sessions / "a").rename(elsewhere / "a")
    (sessions / "a").symlink_to(elsewhere / "a")


def link_the_trash(sessions: Path, elsewhere: Path) -> None:
    (sessions.parent / "trash").symlink_to(elsewhere)


@pytest.mark.parametrize("plant", [link_the_file, link_the_folder, link_the_trash])
def test_planted_links_are_not_followed_into_the_trash(
    plant: object, sessions: Path, shelf: Shelf, tmp_path: Path
) -> None:
    assert callable(plant)
    path = with_spills(sessions)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    plant(sessions, elsewhere)
    before = (tree_of(sessions), tree_of(elsewhere))
    with pytest.raises(StorageError, match="symbolic link"):
        shelf.to_trash(path)
    assert (tree_of(sessions), tree_of(elsewhere)) == before


@pytest.mark.parametrize("name", ["a.jsonl", "a", "."])
def test_planted_links_are_not_brought_back(name: str, sessions: Path, shelf: Shelf, tmp_path: Path) -> None:
    trashed = shelf.to_trash(with_spills(sessions))
    planted = trashed.parent / name
    real = tmp_path / "real"
    planted.resolve().rename(real)
    Path(os.path.normpath(planted)).symlink_to(real)
    with pytest.raises(StorageError, match="symbolic link"):
        shelf.restore(trashed)
    assert tree_of(sessions) == {}


def test_only_what_is_on_the_shelf_is_deleted_or_brought_back(sessions: Path, shelf: Shelf, tmp_path: Path) -> None:
    outside = put(tmp_path / "other", "a")
    with pytest.raises(StorageError, match="not in sessions"):
        shelf.to_trash(outside)
    with pytest.raises(StorageError, match="not in trash"):
        shelf.restore(outside)
    assert outside.exists()
    with pytest.raises(SessionNotFound):
        shelf.to_trash(sessions / "gone.jsonl")
    with pytest.raises(SessionNotFound):
        shelf.restore(shelf.trash / "gone" / "gone.jsonl")
