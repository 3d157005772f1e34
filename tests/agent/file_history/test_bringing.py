"""A fork has the history of the session it came from, and neither writes in the other's."""

import os
from pathlib import Path

import pytest

from diligent_tui.agent.file_history import FileHistory, bring_history
from tests.agent.file_history.stage import OWN_FILES, Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def brought(scene: Scene, tmp_path: Path) -> FileHistory:
    target = tmp_path / "fork" / "before"
    assert bring_history(scene.folder, target)
    return FileHistory(target, scene.root)


def test_what_was_changed_before_the_fork_can_be_put_back_in_it(scene: Scene, tmp_path: Path) -> None:
    scene.agent("a.py", b"changed\n")
    scene.agent("new.py", b"new\n")
    fork = brought(scene, tmp_path)
    fork.restore(fork.plan_restore(["t1"]))
    assert (scene.root / "a.py").read_bytes() == OWN_FILES["a.py"]
    assert not (scene.root / "new.py").exists()
    undo = fork.plan_undo()
    assert undo is not None
    fork.restore(undo)
    assert (scene.root / "a.py").read_bytes() == b"changed\n"


def test_what_the_other_session_did_since_is_somebody_elses(scene: Scene, tmp_path: Path) -> None:
    scene.agent("a.py", b"changed\n")
    fork = brought(scene, tmp_path)
    scene.agent("a.py", b"changed again\n", "t2")
    assert [turn.turn_id for turn in fork.turns()] == ["t1"]
    assert [file.name for file in fork.plan_restore(["t1"]).conflicts] == ["a.py"]


def test_a_session_that_only_made_files_has_no_old_bytes_and_still_a_history(scene: Scene, tmp_path: Path) -> None:
    scene.agent("new.py", b"new\n")
    fork = brought(scene, tmp_path)
    fork.restore(fork.plan_restore(["t1"]))
    assert not (scene.root / "new.py").exists()


def test_files_stay_private_and_a_line_that_is_not_whole_is_left(scene: Scene, tmp_path: Path) -> None:
    scene.agent("a.py", b"changed\n")
    with (scene.folder / "index.jsonl").open("ab") as index:
        index.write(b'{"half')
    fork = brought(scene, tmp_path)
    assert (len(fork.turns()), fork.damaged_lines) == (1, 0)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "fork").rglob("*")}
    assert modes == {0o700, 0o600}


@pytest.mark.parametrize("kind", ["nothing", "link", "pipe"])
def test_where_there_is_no_history_none_is_made(kind: str, scene: Scene, tmp_path: Path) -> None:
    scene.folder.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        (scene.folder / "index.jsonl").symlink_to("/etc/passwd")
    elif kind == "pipe":
        os.mkfifo(scene.folder / "index.jsonl")
    assert not bring_history(scene.folder, tmp_path / "fork" / "before")
    assert not (tmp_path / "fork" / "before").exists()
