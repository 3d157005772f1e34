"""The unsent text of each window, kept through whatever ends the program."""

import errno
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diligent_tui.config.drafts import LARGEST_DRAFT_BYTES, MOST_ASIDE, DraftDrawer, Found, Unsent
from diligent_tui.config.prompt_history import project_key
from diligent_tui.domain.errors import StorageError

ROOT = Path("/projects/one")
KEY = project_key(ROOT)
WRITE = """
import sys
from pathlib import Path
from diligent_tui.config.drafts import DraftDrawer, Unsent
drawer = DraftDrawer(Path(sys.argv[1]), Path(sys.argv[2]))
drawer.begin()
drawer.save(Unsent(sys.argv[3], ("older", "newer")))
print("saved", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def opened() -> Iterator[list[DraftDrawer]]:
    """The windows that are open; they are closed at the end."""
    windows: list[DraftDrawer] = []
    yield windows
    for window in windows:
        window.leave()


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has none."""

    def refuse(descriptor: int, wish: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


def window(opened: list[DraftDrawer], folder: Path, text: str = "", root: Path = ROOT) -> Found:
    """Open a window, and write in it."""
    drawer = DraftDrawer(folder, root)
    opened.append(drawer)
    found = drawer.begin()
    if text:
        drawer.save(Unsent(text))
    return found


def begun(folder: Path, root: Path = ROOT) -> Unsent:
    """What a window begins with that is opened now and closed at once."""
    drawer = DraftDrawer(folder, root)
    found = drawer.begin()
    drawer.leave()
    return found.unsent


def leave_behind(folder: Path, *texts: str) -> None:
    """Windows that are gone, each with a text."""
    windows = [DraftDrawer(folder, ROOT) for _ in texts]
    for drawer, text in zip(windows, texts, strict=True):
        drawer.save(Unsent(text))
    for drawer in windows:
        drawer.leave()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "drafts").iterdir())


def test_a_window_in_which_nothing_is_written_leaves_nothing(tmp_path: Path) -> None:
    assert begun(tmp_path / "nowhere") == Unsent()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "two\nlines\r\n\tand a tab",
        "[/ \x1b[2J \x00",
        "你好 👩‍👩‍👧",
        "x" * 2_000_000,
        '{"type":"draft",',
        "a\u2028b",
    ],
)
@pytest.mark.parametrize("aside", [(), ("older", "newer\n")], ids=["alone", "with two aside"])
def test_what_was_not_sent_comes_back_as_it_was(tmp_path: Path, text: str, aside: tuple[str, ...]) -> None:
    drawer = DraftDrawer(tmp_path, ROOT)
    drawer.save(Unsent("an older one"))
    drawer.save(Unsent(text, aside))
    drawer.leave()
    assert begun(tmp_path) == Unsent(text, aside)


def test_a_form_is_kept_beside_an_empty_prompt_and_leaves_no_file_once_it_is_empty(tmp_path: Path) -> None:
    drawer = DraftDrawer(tmp_path, ROOT)
    drawer.save(Unsent(form={"content": "ducks \ud800"}))
    drawer.leave()
    assert begun(tmp_path) == Unsent(form={"content": "ducks \ufffd"})
    drawer = DraftDrawer(tmp_path, ROOT)
    drawer.begin()
    drawer.save(Unsent())
    assert names(tmp_path) == []


def test_what_was_put_aside_is_kept_beside_an_empty_prompt(tmp_path: Path) -> None:
    drawer = DraftDrawer(tmp_path, ROOT)
    drawer.save(Unsent("", ("put aside",)))
    drawer.leave()
    assert begun(tmp_path) == Unsent("", ("put aside",))


def test_a_lone_surrogate_is_marked(tmp_path: Path) -> None:
    drawer = DraftDrawer(tmp_path, ROOT)
    drawer.save(Unsent("a\ud800b", ("\udfff",)))
    drawer.leave()
    assert begun(tmp_path) == Unsent("a\ufffdb", ("\ufffd",))


@pytest.mark.parametrize("text", ["half a thought", "two\nlines", "{not json", '{"type": "draft"}', "\x1b[2J"])
def test_a_draft_of_an_earlier_version_is_found_and_taken_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "drafts" / f"{KEY}.txt"
    path.parent.mkdir()
    path.write_text(text)
    drawer = DraftDrawer(tmp_path, ROOT)
    assert drawer.begin() == Found(Unsent(text))
    drawer.save(Unsent("written on"))
    drawer.leave()
    assert names(tmp_path) == [path.name]
    assert begun(tmp_path) == Unsent("written on")


def test_each_project_has_its_own_draft(tmp_path: Path) -> None:
    leave_behind(tmp_path, "mine")
    assert begun(tmp_path, Path("/projects/two")) == Unsent()


def test_two_windows_keep_a_draft_each(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path, "of the first")
    assert window(opened, tmp_path, "of the second") == Found()
    opened[0].save(Unsent("of the first, written on"))
    assert window(opened, tmp_path) == Found()
    for drawer in opened:
        drawer.leave()
    assert window(opened, tmp_path) == Found(Unsent("of the first, written on"), waiting=1)
    assert window(opened, tmp_path) == Found(Unsent("of the second"))
    assert window(opened, tmp_path) == Found()


def test_two_windows_that_were_both_opened_empty_keep_a_draft_each(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path)
    window(opened, tmp_path)
    opened[1].save(Unsent("of the second"))
    opened[0].save(Unsent("of the first"))
    for drawer in opened:
        drawer.leave()
    assert [window(opened, tmp_path).unsent.text for _ in range(2)] == ["of the second", "of the first"]


def test_drafts_of_windows_that_are_gone_come_back_in_their_order(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    leave_behind(tmp_path, *map(str, range(12)))
    found = [window(opened, tmp_path) for _ in range(13)]
    assert [each.unsent.text for each in found] == [*map(str, range(12)), ""]
    assert [each.waiting for each in found] == [*range(11, -1, -1), 0]


def test_a_window_opened_empty_does_not_write_over_a_draft_that_was_left_since(
    tmp_path: Path, opened: list[DraftDrawer]
) -> None:
    window(opened, tmp_path)
    leave_behind(tmp_path, "left since")
    opened[0].save(Unsent("mine"))
    assert window(opened, tmp_path) == Found(Unsent("left since"))


def test_a_killed_window_leaves_its_draft_to_the_next_and_a_living_one_does_not(
    tmp_path: Path, opened: list[DraftDrawer]
) -> None:
    command = [sys.executable, "-c", WRITE, str(tmp_path), str(ROOT), "of the killed"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"saved\n"
        assert window(opened, tmp_path, "mine") == Found()
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert window(opened, tmp_path) == Found(Unsent("of the killed", ("older", "newer")))
    assert window(opened, tmp_path) == Found()


def test_nothing_unsent_leaves_no_file_and_the_place_is_free_at_once(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path, "text")
    opened[0].save(Unsent(" \n"))
    assert names(tmp_path) == []
    opened[0].save(Unsent())
    window(opened, tmp_path, "of the second")
    opened[0].save(Unsent("of the first"))
    opened[0].leave()
    opened[1].leave()
    assert names(tmp_path) == [f"{KEY}.1.txt", f"{KEY}.txt"]
    assert begun(tmp_path) == Unsent("of the second")


def test_an_empty_file_of_an_earlier_version_is_taken_away(tmp_path: Path) -> None:
    leave_behind(tmp_path, "text", "next")
    (tmp_path / "drafts" / f"{KEY}.txt").write_text("\n")
    assert begun(tmp_path) == Unsent("next")
    assert names(tmp_path) == [f"{KEY}.1.txt"]


def test_what_a_killed_window_was_writing_does_not_pile_up(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    leave_behind(tmp_path, "whole")
    (tmp_path / "drafts" / f".{KEY}.txt.0a1b2c3d").write_text("hal")
    assert window(opened, tmp_path) == Found(Unsent("whole"))
    assert names(tmp_path) == [f"{KEY}.lock", f"{KEY}.txt"]


def test_only_the_owner_may_read_what_is_kept(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path / "state", "secret")
    folder = tmp_path / "state" / "drafts"
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def record(**fields: object) -> bytes:
    return json.dumps({"type": "draft", **fields}, separators=(",", ":")).encode()


UNREADABLE = {
    "not UTF-8": b"text \xff",
    "torn": record(text="a", aside=[])[:-2],
    "nested too deep": b'{"type":"draft",' + b'"a":' + b"[" * 100_000,
    "without a text": record(aside=[]),
    "a number for a text": record(text=7, aside=[]),
    "a text for what is aside": record(text="a", aside="b"),
    "numbers aside": record(text="a", aside=["b", 7]),
    "too much aside": record(text="a", aside=["b"] * (MOST_ASIDE + 1)),
    "a list for a form": record(text="a", aside=[], form=["b"]),
    "a number in a form": record(text="a", aside=[], form={"content": 7}),
    "huge": b"x" * (LARGEST_DRAFT_BYTES + 1),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_read_is_put_out_of_the_way_and_the_next_is_taken(tmp_path: Path, data: bytes) -> None:
    leave_behind(tmp_path, "bad", "good")
    path = tmp_path / "drafts" / f"{KEY}.txt"
    aside = path.with_name(f"{KEY}-1.unreadable")
    path.write_bytes(data)
    drawer = DraftDrawer(tmp_path, ROOT)
    assert drawer.begin() == Found(Unsent("good"), (aside,))
    assert aside.read_bytes() == data
    drawer.save(Unsent("good", ("and more",)))
    drawer.leave()
    assert begun(tmp_path) == Unsent("good", ("and more",))
    path.write_bytes(data)
    assert DraftDrawer(tmp_path, Path("/projects/two")).begin() == Found()
    drawer = DraftDrawer(tmp_path, ROOT)
    assert drawer.begin().unreadable == (path.with_name(f"{KEY}-2.unreadable"),)
    drawer.leave()


@pytest.mark.parametrize("obstacle", ["pipe", "folder", "link"])
def test_what_is_no_file_of_ours_does_no_harm(tmp_path: Path, obstacle: str) -> None:
    leave_behind(tmp_path, "text")
    path = tmp_path / "drafts" / f"{KEY}.txt"
    other = path.rename(tmp_path / "elsewhere")
    if obstacle == "pipe":
        os.mkfifo(path)
    elif obstacle == "folder":
        path.mkdir()
    else:
        path.symlink_to(other)
    kept = other.read_bytes()
    drawer = DraftDrawer(tmp_path, ROOT)
    assert drawer.begin().unsent == Unsent()
    drawer.save(Unsent("new"))
    drawer.leave()
    assert begun(tmp_path) == Unsent("new")
    assert other.read_bytes() == kept


def test_a_failed_save_is_told_and_leaves_the_old_draft(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path, "old")
    path = tmp_path / "drafts" / f"{KEY}.txt"
    other = path.rename(tmp_path / "elsewhere")
    path.symlink_to(other)
    kept = other.read_bytes()
    with pytest.raises(StorageError):
        opened[0].save(Unsent("new"))
    assert other.read_bytes() == kept


@pytest.mark.parametrize(
    "unsent",
    [Unsent("x" * LARGEST_DRAFT_BYTES), Unsent("", ("y",) * (MOST_ASIDE + 1))],
    ids=["too long", "too many"],
)
def test_what_is_too_much_to_be_kept_is_told_and_leaves_the_old_draft(
    tmp_path: Path, opened: list[DraftDrawer], unsent: Unsent
) -> None:
    window(opened, tmp_path, "old")
    with pytest.raises(StorageError, match="too much"):
        opened[0].save(unsent)
    opened[0].leave()
    assert begun(tmp_path) == Unsent("old")


@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_draft_is_kept_nevertheless(tmp_path: Path, opened: list[DraftDrawer]) -> None:
    window(opened, tmp_path, "text")
    assert window(opened, tmp_path) == Found(Unsent("text"))
    opened[1].save(Unsent())
    opened[0].save(Unsent("whoever writes last"))
    opened[0].leave()
    assert begun(tmp_path) == Unsent("whoever writes last")


def test_a_folder_that_may_not_be_made_hinders_no_start(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("in the way")
    drawer = DraftDrawer(tmp_path, ROOT)
    assert drawer.begin() == Found()
    with pytest.raises(StorageError):
        drawer.save(Unsent("text"))
    drawer.leave()
    assert (tmp_path / "drafts").read_text() == "in the way"
