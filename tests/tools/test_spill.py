"""The file for long outputs: bounded, private, and honest about what is missing."""

from pathlib import Path

import pytest

from diligent_tui.tools import spill as module
from diligent_tui.tools.spill import Spill


def test_the_size_is_bounded_and_the_rest_is_said_to_be_dropped(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "deep" / "a.txt", limit_bytes=10)
    for _ in range(5):
        spill.write(b"1234")
    spill.close()
    assert spill.path.read_bytes() == b"1234123412"
    assert spill.saved_bytes == 10
    assert spill.problem == "It ends after 10 bytes; the rest was dropped."


def test_exactly_the_limit_is_not_a_problem(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "a.txt", limit_bytes=8)
    spill.write(b"12345678")
    spill.close()
    assert spill.problem == ""


def test_nothing_is_made_before_the_first_byte(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "folder" / "a.txt")
    spill.close()
    assert not (tmp_path / "folder").exists()


def test_a_full_disk_is_named_once_and_does_not_raise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    spill = Spill(tmp_path / "a.txt")
    spill.write(b"first")
    monkeypatch.setattr(module, "write_all", full)
    spill.write(b"second")
    spill.write(b"third")
    spill.close()
    assert "disk is full" in spill.problem
    assert spill.saved_bytes == 5


def test_a_write_that_comes_after_the_end_is_passed_over(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "a.txt")
    spill.write(b"first")
    spill.close()
    spill.write(b"late")
    assert spill.path.read_bytes() == b"first"


def test_it_is_on_the_disk_with_its_name_before_a_result_tells_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def note(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)

    spill = Spill(tmp_path / "folder" / "a.txt")
    spill.write(b"first")
    monkeypatch.setattr("os.fsync", note)
    spill.finish()
    assert synced == ["a.txt", "folder"]
    spill.write(b"late")
    assert (spill.path.read_bytes(), spill.problem) == (b"first", "")


def test_what_could_not_be_brought_to_the_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    spill = Spill(tmp_path / "a.txt")
    spill.write(b"first")
    monkeypatch.setattr("os.fsync", fail)
    spill.finish()
    assert "saving a.txt" in spill.problem


def test_to_finish_nothing_is_nothing(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "folder" / "a.txt")
    spill.finish()
    assert (spill.problem, (tmp_path / "folder").exists()) == ("", False)
