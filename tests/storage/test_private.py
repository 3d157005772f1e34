"""Files are for their owner alone, replaced as a whole, and never reached through a planted link."""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from diligent_tui.domain.errors import StorageError, StorageFull, StorageReadOnly
from diligent_tui.storage import private
from diligent_tui.storage.private import make_private_folder, open_private, write_private
from diligent_tui.storage.project import GITIGNORE, make_project_folder

UMASKS = [0o000, 0o022, 0o077, 0o277, 0o777]


@contextmanager
def umask(mask: int) -> Generator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", UMASKS, ids=oct)
def test_modes_are_private_under_any_umask(mask: int, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with umask(mask):
        assert make_private_folder(folder)
        os.close(open_private(folder / "opened", os.O_RDWR))
        write_private(folder / "written", b"x")
    assert (mode_of(folder), mode_of(folder.parent)) == (0o700, 0o700)
    assert (mode_of(folder / "opened"), mode_of(folder / "written")) == (0o600, 0o600)


def test_a_file_that_was_open_to_all_is_closed_when_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"")
    path.chmod(0o666)
    os.close(open_private(path, os.O_RDWR))
    assert mode_of(path) == 0o600


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert not make_private_folder(tmp_path)
    assert mode_of(tmp_path) == 0o755


def plant_file(path: Path, target: Path) -> None:
    target.write_bytes(b"precious")
    path.symlink_to(target)


def plant_dangling(path: Path, target: Path) -> None:
    path.symlink_to(target)


def plant_folder(path: Path, target: Path) -> None:
    target.mkdir()
    path.parent.rmdir()
    path.parent.symlink_to(target)


def plant_temporary(path: Path, target: Path) -> None:
    target.write_bytes(b"precious")
    path.with_name(f".{path.name}.0").symlink_to(target)


@pytest.mark.parametrize("plant", [plant_file, plant_dangling, plant_folder, plant_temporary])
def test_a_planted_link_is_refused(
    plant: Callable[[Path, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def guessed(size_bytes: int) -> str:
        return "0" if size_bytes else ""

    monkeypatch.setattr(secrets, "token_hex", guessed)
    path, target = tmp_path / "folder" / "file", tmp_path / "target"
    path.parent.mkdir()
    plant(path, target)
    with pytest.raises(StorageError):
        write_private(path, b"secret")
    if target.is_file():
        assert target.read_bytes() == b"precious"
    elif target.is_dir():
        assert not list(target.iterdir())
    else:
        assert not target.exists()


@pytest.mark.parametrize("plant", [plant_file, plant_dangling])
def test_a_planted_link_is_not_opened(plant: Callable[[Path, Path], None], tmp_path: Path) -> None:
    path, target = tmp_path / "file", tmp_path / "target"
    plant(path, target)
    with pytest.raises(StorageError, match="link"):
        open_private(path, os.O_RDWR)
    assert not target.exists() or target.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, StorageFull), (errno.EROFS, StorageReadOnly), (errno.EIO, StorageError)],
)
@pytest.mark.parametrize("broken", ["write_all", "fsync", "replace"])
def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(
    broken: str, number: int, kind: type[StorageError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_private(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(number, "made up")

    with monkeypatch.context() as patch:
        owner = {"write_all": private, "fsync": os, "replace": Path}[broken]
        patch.setattr(owner, broken, fail)
        with pytest.raises(kind, match="file"):
            write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_keeps_the_old_file_whole_while_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_private(path, b"old" * 1000)
    with path.open("rb") as reader:
        write_private(path, b"new")
        assert reader.read() == b"old" * 1000
    assert path.read_bytes() == b"new"


def test_short_writes_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def write_little(descriptor: int, data: memoryview) -> int:
        return write(descriptor, data[:3])

    monkeypatch.setattr(os, "write", write_little)
    write_private(tmp_path / "file", b"0123456789")
    assert (tmp_path / "file").read_bytes() == b"0123456789"


def test_a_file_where_a_folder_is_needed_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(StorageError, match="a is a file"):
        make_private_folder(tmp_path / "a")


def test_a_new_project_folder_keeps_sessions_out_of_git_and_says_that_it_is_new(tmp_path: Path) -> None:
    folder = tmp_path / ".diligent"
    assert make_project_folder(folder)
    assert (folder / ".gitignore").read_bytes() == GITIGNORE
    assert (mode_of(folder), mode_of(folder / ".gitignore")) == (0o700, 0o600)


def test_a_folder_with_sessions_is_not_new(tmp_path: Path) -> None:
    folder = tmp_path / ".diligent"
    (folder / "sessions").mkdir(parents=True)
    assert not make_project_folder(folder)
    assert not (folder / ".gitignore").exists()


def test_a_folder_that_git_brought_with_knowledge_only_gets_sessions_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / ".diligent"
    (folder / "knowledge").mkdir(parents=True)
    (folder / ".gitignore").write_bytes(b"theirs")
    assert make_project_folder(folder)
    assert (folder / ".gitignore").read_bytes() == b"theirs"


def test_a_project_folder_that_could_not_be_finished_is_finished_by_the_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "made up")

    folder = tmp_path / ".diligent"
    with monkeypatch.context() as patch:
        patch.setattr(private, "write_all", fail)
        with pytest.raises(StorageFull):
            make_project_folder(folder)
    assert make_project_folder(folder)
    assert (folder / ".gitignore").read_bytes() == GITIGNORE


@pytest.mark.parametrize("planted", [".diligent", ".diligent/sessions"])
def test_a_planted_link_in_the_project_is_not_taken_for_our_own(planted: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    link = tmp_path / planted
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    if planted == ".diligent":
        with pytest.raises(StorageError, match="link"):
            make_project_folder(tmp_path / ".diligent")
    else:
        assert not make_project_folder(tmp_path / ".diligent")
    assert not list(target.iterdir())
