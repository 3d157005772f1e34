"""Small files that may be hostile: only plain ones of a sensible size are ever opened."""

import os
from pathlib import Path

import pytest

from diligent_tui.config.reading import NotPlainFile, open_plain, read_plain


def test_a_plain_file_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"words")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert read_plain(tmp_path / "link") == b"words"


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_plain_file_is_not_even_opened(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> int:
        raise AssertionError("opened")

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/null")
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr("os.open", never)
    with pytest.raises(NotPlainFile):
        open_plain(tmp_path / kind)


def test_what_becomes_a_pipe_after_the_look_is_refused_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").write_bytes(b"words")
    os.mkfifo(tmp_path / "pipe")
    status = (tmp_path / "plain").stat()

    def as_it_was(_: Path) -> os.stat_result:
        return status

    monkeypatch.setattr(Path, "stat", as_it_was)
    with pytest.raises(NotPlainFile):
        read_plain(tmp_path / "pipe")


def test_a_giant_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 11)
    assert read_plain(tmp_path / "a", most_bytes=11) == b"x" * 11
    with pytest.raises(NotPlainFile):
        read_plain(tmp_path / "a", most_bytes=10)
