"""A list of sessions costs head and tail of each file, and no file in the folder can spoil it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, LabelEntry, SessionInfoEntry
from diligent_tui.session import catalog
from diligent_tui.session.catalog import HEAD_BYTES, TAIL_BYTES, SessionSummary, list_sessions
from diligent_tui.session.files import newest_session
from diligent_tui.storage.jsonl import open_reading
from tests.session.drafts import HEADER, answered, conversation, line_of, said


def write(folder: Path, name: str, *lines: Entry | bytes, age_seconds: int = 0) -> Path:
    path = folder / f"{name}.jsonl"
    data = [line if isinstance(line, bytes) else line_of(line) for line in lines]
    path.write_bytes(line_of({**HEADER, "id": name}) + b"".join(data))
    os.utime(path, (1_700_000_000 - age_seconds, 1_700_000_000 - age_seconds))
    return path


def only(folder: Path) -> SessionSummary:
    (row,) = list_sessions(folder)
    return row


def totals(tokens: int, first_prompt: str = "the first") -> SessionInfoEntry:
    return SessionInfoEntry(id="i", tokens=tokens, cost=0.25, compactions=2, first_prompt=first_prompt)


def test_a_row_tells_name_prompt_and_totals(tmp_path: Path) -> None:
    write(tmp_path, "one", said("a", None, "do it\nplease"), SessionInfoEntry(id="n", name="my name"), totals(1234))
    row = only(tmp_path)
    assert (row.id, row.name, row.first_prompt) == ("one", "my name", "do it\nplease")
    assert (row.tokens, row.cost, row.compactions) == (1234, 0.25, 2)
    assert row.title == "my name"
    assert row.changed.timestamp() == 1_700_000_000


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([said("a", None, "\n do it \nplease")], "do it"),
        ([answered("a", None)], "–"),
        ([], "–"),
        ([totals(1, "from the totals")], "from the totals"),
    ],
)
def test_a_session_without_a_name_is_titled_by_its_first_prompt(lines: list[Entry], title: str, tmp_path: Path) -> None:
    write(tmp_path, "one", *lines)
    assert only(tmp_path).title == title


def test_the_newest_change_comes_first(tmp_path: Path) -> None:
    for name, age in (("old", 100), ("new", 0), ("middle", 50)):
        write(tmp_path, name, age_seconds=age)
    assert [row.id for row in list_sessions(tmp_path)] == ["new", "middle", "old"]
    newest = newest_session(tmp_path)
    assert newest is not None
    assert newest.stem == "new"


def test_a_folder_without_sessions_lists_none(tmp_path: Path) -> None:
    assert list_sessions(tmp_path) == []
    assert list_sessions(tmp_path / "nowhere") == []
    assert newest_session(tmp_path) is None


@pytest.mark.parametrize("turns", [1, 3, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 40, 4000])
def test_head_and_tail_are_enough_and_no_more_is_read(
    turns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sizes go across the sum of head and tail, where both touch and a line lies on the seam."""
    write(tmp_path, "one", *conversation(turns), totals(77))
    read: list[int] = []
    pread = os.pread

    def counting(descriptor: int, size: int, offset: int) -> bytes:
        read.append(size)
        return pread(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", counting)
    row = only(tmp_path)
    assert (row.tokens, row.first_prompt) == (77, "prompt 0")
    assert sum(read) <= 8192


@pytest.mark.parametrize("seam", range(0, 300, 11))
def test_a_line_on_the_seam_of_head_and_tail_is_read(seam: int, tmp_path: Path) -> None:
    named = SessionInfoEntry(id="n", name="on the seam")
    head = line_of({**HEADER, "id": "one"})
    filler = b" " * (HEAD_BYTES - len(head) - seam - 1) + b"\n"
    write(tmp_path, "one", filler, named, totals(5), LabelEntry(id="l", target_id="a", label="x" * 200))
    assert HEAD_BYTES < (tmp_path / "one.jsonl").stat().st_size < HEAD_BYTES + TAIL_BYTES
    assert (only(tmp_path).name, only(tmp_path).tokens) == ("on the seam", 5)


def make_garbage(path: Path) -> None:
    path.write_bytes(os.urandom(20_000))


def make_nul(path: Path) -> None:
    path.write_bytes(b"\x00" * 100_000)


def make_empty(path: Path) -> None:
    path.write_bytes(b"")


def make_deep(path: Path) -> None:
    path.write_bytes(b"[" * 4000 + b"\n" + b'{"type":"message","message":' * 100 + b"\n")


def make_strange(path: Path) -> None:
    path.write_bytes(
        b'{"type":"session_info","tokens":"many"}\n{"type":"message","message":7}\n'
        b'{"type":"session_info","id":7,"name":["x"],"cost":{}}\n{"type":"message","id":[],"parentId":{}}\n'
    )


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_link(path: Path) -> None:
    target = path.with_name("target")
    target.write_bytes(line_of(HEADER))
    path.symlink_to(target)


def make_dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def make_circle(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize(
    "make",
    [
        make_garbage,
        make_nul,
        make_empty,
        make_deep,
        make_strange,
        make_folder,
        make_pipe,
        make_link,
        make_dangling,
        make_circle,
    ],
)
def test_a_strange_file_does_not_spoil_the_list(make: Callable[[Path], None], tmp_path: Path) -> None:
    write(tmp_path, "good", said("a", None, "fine"))
    make(tmp_path / "bad.jsonl")
    rows = {row.id: row for row in list_sessions(tmp_path)}
    assert rows["good"].first_prompt == "fine"
    expected = {"good"} if make in (make_folder, make_pipe, make_link, make_dangling, make_circle) else {"good", "bad"}
    assert set(rows) == expected


@pytest.mark.parametrize(
    ("make", "trouble"),
    [
        (make_garbage, "not a session"),
        (make_nul, "not a session"),
        (make_deep, "not a session"),
        (make_empty, "empty file"),
        (make_strange, "not a session"),
    ],
)
def test_a_strange_file_says_what_is_wrong_with_it(make: Callable[[Path], None], trouble: str, tmp_path: Path) -> None:
    make(tmp_path / "bad.jsonl")
    row = only(tmp_path)
    assert row.trouble == trouble
    assert (row.name, row.tokens, row.first_prompt) == (None, None, None)


@pytest.mark.parametrize(
    ("lines", "trouble"),
    [
        ((said("a", None), b"{torn\n", answered("b", "a")), "damaged"),
        ((said("a", None), b'{"type":"message","id":"b"'), ""),
        ((said("a", None, "x" * 20_000), answered("b", "a", "y" * 20_000)), ""),
        ((), ""),
    ],
)
def test_damage_is_told_and_a_line_cut_by_the_reading_is_none(
    lines: tuple[Entry | bytes, ...], trouble: str, tmp_path: Path
) -> None:
    write(tmp_path, "one", *lines)
    assert only(tmp_path).trouble == trouble


def test_a_session_without_its_header_is_damaged_and_still_tells_its_prompt(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(line_of(said("a", None, "still here")))
    assert (only(tmp_path).trouble, only(tmp_path).title) == ("damaged", "still here")


def test_totals_of_the_first_turns_are_not_taken_for_those_of_a_long_file(tmp_path: Path) -> None:
    write(tmp_path, "one", said("a", None, "begin"), totals(5), answered("b", "a", "y" * 20_000))
    assert (only(tmp_path).tokens, only(tmp_path).first_prompt) == (None, "begin")


def test_a_prompt_at_the_end_is_the_last_and_not_the_first(tmp_path: Path) -> None:
    write(tmp_path, "one", answered("a", None, "y" * 20_000), said("b", "a", "near the end"))
    row = only(tmp_path)
    assert (row.first_prompt, row.last_prompt, row.title) == (None, "near the end", "near the end")


def test_first_and_last_prompt_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, "one", *conversation(200))
    assert (only(tmp_path).first_prompt, only(tmp_path).last_prompt) == ("prompt 0", "prompt 199")


def test_version_and_origin_are_told(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(line_of({**HEADER, "version": 4, "parentSession": "before"}))
    assert (only(tmp_path).version, only(tmp_path).parent_session) == (4, "before")


def test_a_file_that_cannot_be_read_is_listed_without_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "one", said("a", None))

    def fail(*_: object) -> bytes:
        raise OSError(5, "made up")

    monkeypatch.setattr(os, "pread", fail)
    row = only(tmp_path)
    assert (row.id, row.title, row.tokens) == ("one", "cannot be read", None)


def test_a_file_that_vanishes_meanwhile_does_not_spoil_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "one", said("a", None))
    write(tmp_path, "two", said("a", None, "fine"), age_seconds=5)

    def vanish(path: Path) -> int:
        (tmp_path / "one.jsonl").unlink(missing_ok=True)
        return open_reading(path)

    monkeypatch.setattr(catalog, "open_reading", vanish)
    assert [row.title for row in list_sessions(tmp_path)] == ["cannot be read", "fine"]


def test_the_newest_session_of_a_beginning_is_found_without_reading_any(tmp_path: Path) -> None:
    for number, name in enumerate(("aa-1", "ab-2", "aa-3", "ba-4")):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"not a session\n")
        os.utime(path, (number, number))
    assert newest_session(tmp_path, "aa") == tmp_path / "aa-3.jsonl"
    assert newest_session(tmp_path, "c") is None
