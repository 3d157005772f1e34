"""Replacing a file: every failure and every race leaves the old file whole."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools.paths import locate
from diligent_tui.tools.placing import FileState, look, put
from tests.tools.workbench import Bench

WISH: JsonObject = {"path": "sub/f", "content": "new\n"}


@pytest.fixture
def file(bench: Bench) -> Path:
    file = bench.root / "sub" / "f"
    file.parent.mkdir()
    file.write_text("old\n")
    return file


def names(bench: Bench) -> list[str]:
    return sorted(str(path.relative_to(bench.root)) for path in bench.root.rglob("*"))


@pytest.mark.parametrize("operation", ["open", "write", "fchmod", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EACCES])
async def test_a_failing_disk_leaves_the_old_file_whole(
    bench: Bench, file: Path, monkeypatch: pytest.MonkeyPatch, operation: str, code: int
) -> None:
    real = getattr(os, operation)

    def failing(*arguments: object, **named: object) -> object:
        is_reading = operation == "open" and len(arguments) > 1 and not int(str(arguments[1])) & os.O_CREAT
        if is_reading:
            return real(*arguments, **named)
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patching:
        patching.setattr(os, operation, failing)
        outcome = await bench.run("write", WISH)
    assert outcome.is_error
    assert os.strerror(code) in outcome.output
    assert file.read_text() == "old\n"
    assert names(bench) == ["sub", "sub/f"]


async def test_a_disk_that_fills_in_the_middle_leaves_nothing_behind(
    bench: Bench, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    room = [2]

    def filling(descriptor: int, data: bytes) -> int:
        if not room.pop():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        room.append(0)
        return real(descriptor, data[:2])

    with monkeypatch.context() as patching:
        patching.setattr(os, "write", filling)
        outcome = await bench.run("write", WISH)
    assert outcome.output == "sub/f could not be written: No space left on device. Nothing was changed."
    assert file.read_text() == "old\n"
    assert names(bench) == ["sub", "sub/f"]


async def test_folders_that_were_made_for_nothing_are_removed(bench: Bench) -> None:
    def refuse(_: Path) -> None:
        raise ToolError("The history is full.")

    refusing = replace(bench, workplace=replace(bench.workplace, keep_before=refuse))
    outcome = await refusing.run("write", {"path": "a/b/c", "content": "x"})
    assert outcome.output == "The history is full."
    assert names(bench) == []


def to_other_text(file: Path) -> None:
    file.write_text("changed by someone\n")


def to_other_file(file: Path) -> None:
    other = file.with_name("other")
    other.write_text("old\n")
    other.replace(file)


def to_link(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parent.parent.parent / "precious")


def to_linked_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name("moved"))
    outside = file.parent.parent.parent / "outside"
    file.parent.symlink_to(outside)


def to_nothing(file: Path) -> None:
    file.unlink()


def to_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def to_mine(file: Path) -> None:
    file.write_text("mine\n")


def racing_bench(bench: Bench, swap: Callable[[Path], None], file: Path) -> Bench:
    """A workspace in which the file is swapped when its old bytes have just been kept."""

    def keep(_: Path) -> None:
        swap(file)

    return replace(bench, workplace=replace(bench.workplace, keep_before=keep))


SWAPS = [to_other_text, to_other_file, to_link, to_linked_folder, to_nothing, to_pipe]


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("tool", ["write", "edit"])
async def test_a_file_swapped_between_question_and_answer_is_not_touched(
    bench: Bench, file: Path, swap: Callable[[Path], None], tool: str
) -> None:
    precious = bench.root.parent / "precious"
    precious.write_text("old\n")
    (bench.root.parent / "outside").mkdir()
    (bench.root.parent / "outside" / "f").write_text("old\n")
    wish: JsonObject = WISH if tool == "write" else {"path": "sub/f", "edits": [{"old": "old", "new": "new"}]}
    assert bench.judge(tool, wish).decision == "ask"
    swap(file)
    before = names(bench)
    outcome = await bench.run(tool, wish, approved=True)
    assert outcome.is_error
    assert names(bench) == before
    assert precious.read_text() == (bench.root.parent / "outside" / "f").read_text() == "old\n"


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("approved", [True, False])
async def test_a_file_swapped_in_the_last_moment_is_not_touched(
    bench: Bench, file: Path, swap: Callable[[Path], None], approved: bool
) -> None:
    precious = bench.root.parent / "precious"
    precious.write_text("old\n")
    (bench.root.parent / "outside").mkdir()
    (bench.root.parent / "outside" / "f").write_text("old\n")
    racing = racing_bench(bench, swap, file)
    outcome = await racing.run("write", WISH, approved=approved)
    assert precious.read_text() == (bench.root.parent / "outside" / "f").read_text() == "old\n"
    assert not any(name.endswith("diligent-new") for name in names(bench))
    if swap is not to_linked_folder:
        assert "changed or exchanged meanwhile; nothing was written" in outcome.output


@pytest.mark.parametrize("above", ["", "deep/", "very/deep/"])
def test_a_folder_swapped_for_a_link_after_it_was_located_is_not_entered(bench: Bench, above: str) -> None:
    outside = bench.root.parent / "outside"
    for top in (bench.root / "top", outside):
        (top / above).mkdir(parents=True)
        (top / above / "f").write_text("old\n")
    located, new = (locate(f"top/{above}{name}", bench.workplace) for name in ("f", "new"))
    state = look(located, bench.workplace, approved=True)
    (bench.root / "top").rename(bench.root / "moved")
    (bench.root / "top").symlink_to(outside)
    with pytest.raises(ToolError, match="exchanged meanwhile"):
        look(located, bench.workplace, approved=True)
    for place, found in ((located, state), (new, FileState())):
        with pytest.raises(ToolError, match=r"exchanged meanwhile|could not be written"):
            put(place, found, b"new\n", lambda _: None, lambda: False)
    assert [path.name for path in (outside / above).iterdir()] == ["f"]
    assert (outside / above / "f").read_text() == "old\n"


async def test_a_new_file_never_replaces_one_that_came_first(bench: Bench) -> None:
    file = bench.root / "f"
    racing = racing_bench(bench, to_mine, file)
    outcome = await racing.run("write", {"path": "f", "content": "new\n"})
    assert outcome.is_error
    assert file.read_text() == "mine\n"
    assert names(bench) == ["f"]


async def test_a_file_system_without_hard_links_works_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    assert not (await bench.run("write", {"path": "f", "content": "new\n"})).is_error
    assert (bench.root / "f").read_text() == "new\n"


def test_another_group_never_gets_what_the_old_one_had(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    file = bench.root / "f"
    file.write_text("old\n")
    file.chmod(0o664)
    found = file.stat()
    elsewhere = os.stat_result(
        (*found[:5], found.st_gid + 1, *found[6:]), {"st_mtime_ns": found.st_mtime_ns, "st_blocks": found.st_blocks}
    )
    monkeypatch.setattr(os, "fchown", refuse)
    put(locate("f", bench.workplace), FileState(b"old\n", elsewhere), b"new\n", lambda _: None, lambda: False)
    assert file.read_text() == "new\n"
    assert file.stat().st_mode & 0o777 == 0o604
