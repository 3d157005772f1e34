"""Everything that a session makes is for its owner alone, and nothing is written through a planted link."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diligent_tui.domain.entries import SessionHeader
from diligent_tui.domain.errors import StorageError
from diligent_tui.session.fork import fork_session
from diligent_tui.session.store import SessionStore
from diligent_tui.tools.spill import Spill
from tests.session.drafts import SESSION_ID, STAMP, answered, draft, piece, said

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@contextmanager
def umask(mask: int) -> Generator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def create(project: Path) -> SessionStore:
    return SessionStore.create(project / ".diligent" / "sessions", SessionHeader(id=SESSION_ID, timestamp=STAMP))


def spill(store: SessionStore) -> str:
    """Keep a long output beside the session; returns what went wrong."""
    output = Spill(store.spill_folder / "0000000a.txt")
    output.write(b"a long output\n" * 1000)
    output.close()
    return output.problem


async def live(project: Path) -> None:
    """All ways in which the store makes files."""
    store = create(project)
    await store.append(said("0000000a", None))
    store.append_partial(piece("0000000b", "0000000a", "0000000c", "half"))
    assert spill(store) == ""
    await store.close()
    again = SessionStore.open(store.path)
    await again.append(answered("0000000d", again.tree.leaf_id))
    fork_session(again, store.path.parent, MOMENT)
    await again.close()


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o177, 0o777], ids=oct)
async def test_every_file_is_0600_and_every_folder_0700_under_any_umask(mask: int, tmp_path: Path) -> None:
    with umask(mask):
        await live(tmp_path)
    made = [tmp_path / ".diligent", *(tmp_path / ".diligent").rglob("*")]
    assert len(made) >= 9
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


async def test_a_session_that_was_open_to_others_is_closed_to_them_when_it_is_continued(tmp_path: Path) -> None:
    path = draft(tmp_path, said("0000000a", None))
    path.chmod(0o666)
    store = SessionStore.open(path)
    await store.append(answered("0000000b", "0000000a"))
    await store.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


TARGETS = {
    "the project's folder": ".diligent",
    "the folder of sessions": ".diligent/sessions",
    "the session": f".diligent/sessions/{SESSION_ID}.jsonl",
    "the session's folder": f".diligent/sessions/{SESSION_ID}",
    "the lock": f".diligent/sessions/{SESSION_ID}/lock",
}


def plant(project: Path, place: str, *, is_there: bool) -> Path:
    """Put a link where we write, to something of the user's or to nothing; returns where it leads."""
    link, target = project / place, project.parent / "target"
    link.parent.mkdir(parents=True)
    if is_there and link.suffix != ".jsonl" and link.name != "lock":
        target.mkdir()
        (target / "precious").write_bytes(b"precious")
    elif is_there:
        target.write_bytes(b"precious")
    link.symlink_to(target)
    return target


def is_untouched(target: Path, *, is_there: bool) -> bool:
    if not is_there:
        return not os.path.lexists(target)
    if target.is_dir():
        return [each.name for each in target.iterdir()] == ["precious"]
    return target.read_bytes() == b"precious"


@pytest.mark.parametrize("is_there", [True, False], ids=["to something", "to nothing"])
@pytest.mark.parametrize("place", TARGETS.values(), ids=TARGETS.keys())
async def test_a_first_prompt_is_not_written_through_a_planted_link(place: str, is_there: bool, tmp_path: Path) -> None:
    target = plant(tmp_path / "project", place, is_there=is_there)
    store = create(tmp_path / "project")
    with pytest.raises(StorageError, match="link") as caught:
        await store.append(said("0000000a", None))
    assert "remove it" in caught.value.advice
    await store.close()
    assert is_untouched(target, is_there=is_there)
    assert not store.tree.nodes


@pytest.mark.parametrize("name", ["the project's folder", "the folder of sessions", "the session"])
async def test_a_session_behind_a_planted_link_is_not_continued(name: str, tmp_path: Path) -> None:
    theirs = draft(tmp_path / "theirs", said("0000000a", None))
    before = theirs.read_bytes()
    link = tmp_path / "project" / TARGETS[name]
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "theirs" / TARGETS[name])
    with pytest.raises(StorageError, match="link"):
        SessionStore.open(tmp_path / "project" / TARGETS["the session"])
    assert theirs.read_bytes() == before
    assert list(theirs.parent.iterdir()) == [theirs]


@pytest.mark.parametrize("name", ["the session's folder", "the lock"])
async def test_a_session_is_not_locked_through_a_planted_link(name: str, tmp_path: Path) -> None:
    target = plant(tmp_path / "project", TARGETS[name], is_there=True)
    path = draft(tmp_path / "project", said("0000000a", None))
    with pytest.raises(StorageError, match="link"):
        SessionStore.open(path)
    assert is_untouched(target, is_there=True)


async def test_a_session_that_becomes_a_link_while_it_is_open_is_not_written_through(tmp_path: Path) -> None:
    path = draft(tmp_path, said("0000000a", None))
    store = SessionStore.open(path)
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    path.unlink()
    path.symlink_to(target)
    with pytest.raises(StorageError):
        await store.append(answered("0000000b", "0000000a"))
    await store.close()
    assert target.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["0000000a.txt", ""], ids=["the output", "its folder"])
async def test_a_long_output_is_not_written_through_a_planted_link(name: str, tmp_path: Path) -> None:
    store = create(tmp_path / "project")
    link, target = store.spill_folder / name, tmp_path / "target"
    link.parent.mkdir(parents=True)
    if name:
        target.write_bytes(b"precious")
    else:
        target.mkdir()
    link.symlink_to(target)
    assert spill(store)
    assert target.read_bytes() == b"precious" if name else not list(target.iterdir())
