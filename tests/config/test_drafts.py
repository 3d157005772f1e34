"""The unsent text, kept through whatever ends the program."""

import os
import stat
from pathlib import Path

import pytest

from diligent_tui.config.drafts import load_draft, save_draft
from diligent_tui.domain.errors import StorageError

ROOT = Path("/projects/one")


def test_without_a_file_there_is_no_draft(tmp_path: Path) -> None:
    assert load_draft(tmp_path / "nowhere", ROOT) == ""


@pytest.mark.parametrize(
    "text", ["plain", "two\nlines\r\n\tand a tab", "[/ \x1b[2J \x00", "你好 👩‍👩‍👧", "x" * 2_000_000]
)
def test_a_draft_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    save_draft(tmp_path, ROOT, "an older one")
    save_draft(tmp_path, ROOT, text)
    assert load_draft(tmp_path, ROOT) == text


def test_a_lone_surrogate_is_marked(tmp_path: Path) -> None:
    save_draft(tmp_path, ROOT, "a\ud800b")
    assert load_draft(tmp_path, ROOT) == "a\ufffdb"


def test_each_project_has_its_own_draft(tmp_path: Path) -> None:
    save_draft(tmp_path, ROOT, "mine")
    assert load_draft(tmp_path, Path("/projects/two")) == ""


def test_an_empty_text_leaves_no_file(tmp_path: Path) -> None:
    save_draft(tmp_path, ROOT, "text")
    save_draft(tmp_path, ROOT, "")
    assert load_draft(tmp_path, ROOT) == ""
    assert list((tmp_path / "drafts").iterdir()) == []
    save_draft(tmp_path, ROOT, "")


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    save_draft(tmp_path / "state", ROOT, "secret")
    (path,) = (tmp_path / "state" / "drafts").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("obstacle", ["pipe", "folder", "noise"])
def test_what_is_no_draft_does_no_harm(tmp_path: Path, obstacle: str) -> None:
    save_draft(tmp_path, ROOT, "text")
    (path,) = (tmp_path / "drafts").iterdir()
    path.unlink()
    if obstacle == "pipe":
        os.mkfifo(path)
    elif obstacle == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\xff")
    assert load_draft(tmp_path, ROOT) in ("", "\ufffd")


def test_a_failed_save_is_told_and_leaves_the_old_draft(tmp_path: Path) -> None:
    save_draft(tmp_path, ROOT, "old")
    (path,) = (tmp_path / "drafts").iterdir()
    other = path.rename(tmp_path / "elsewhere")
    path.symlink_to(other)
    with pytest.raises(StorageError):
        save_draft(tmp_path, ROOT, "new")
    assert other.read_text() == "old"
