"""Candidates wait until somebody decides, are never lost by a damaged file, and are decided on once."""

import stat
from pathlib import Path

import pytest

from diligent_tui.domain.errors import StorageError
from diligent_tui.knowledge.inbox import INBOX_NAME, Inbox, InboxCandidate
from diligent_tui.storage.jsonl import parse_line
from tests.knowledge.facts import NOON, stamp


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".diligent" / INBOX_NAME


@pytest.fixture
def inbox(path: Path) -> Inbox:
    return Inbox(path, clock=lambda: NOON)


def draft(content: str = "Tests run with make test.") -> InboxCandidate:
    return InboxCandidate(type="pattern", content=content, session_id="s", entry_ids=("e1", "e2"), source="learn")


def test_reading_makes_nothing(inbox: Inbox, tmp_path: Path) -> None:
    assert inbox.refresh().waiting == ()
    assert list(tmp_path.iterdir()) == []


def test_a_candidate_waits_with_its_origin_in_a_private_file_that_git_ignores(inbox: Inbox, path: Path) -> None:
    made: list[Path] = []
    (one, two) = Inbox(path, clock=lambda: NOON, made_folder=made.append).put([draft(), draft("Dates are in UTC.")])
    assert inbox.refresh().waiting == (one, two)
    assert one.id != two.id
    assert (one.timestamp, one.session_id, one.entry_ids, one.source) == (stamp(), "s", ("e1", "e2"), "learn")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "*" in (path.parent / ".gitignore").read_text().splitlines()
    assert made == [path.parent]
    lines = [parse_line(line) or {} for line in path.read_bytes().splitlines()]
    assert [line["op"] for line in lines] == ["candidate", "candidate"]


def test_an_accepted_one_names_its_entry_and_waits_no_more(inbox: Inbox, path: Path) -> None:
    (one,) = inbox.put([draft()])
    seen: list[InboxCandidate] = []

    def save(candidate: InboxCandidate) -> str:
        seen.append(candidate)
        return "k1"

    inbox.accept(one.id, save)
    assert seen == [one]
    state = Inbox(path).refresh()
    assert (state.waiting, state.resolved[one.id].knowledge_id) == ((), "k1")
    with pytest.raises(StorageError, match="accepted already"):
        inbox.reject(one.id)


def test_one_whose_saving_fails_goes_on_waiting(inbox: Inbox) -> None:
    (one,) = inbox.put([draft()])

    def refuse(_: InboxCandidate) -> str:
        raise StorageError("No.")

    with pytest.raises(StorageError, match=r"No\."):
        inbox.accept(one.id, refuse)
    assert inbox.refresh().waiting == (one,)


def test_a_rejected_one_can_wait_again(inbox: Inbox) -> None:
    (one,) = inbox.put([draft()])
    inbox.reject(one.id)
    assert inbox.state.waiting == ()
    with pytest.raises(StorageError, match="rejected already"):
        inbox.accept(one.id, lambda _: "k")
    inbox.reopen(one.id)
    assert inbox.state.waiting == (one,)


def test_two_windows_decide_once(inbox: Inbox, path: Path) -> None:
    (one,) = inbox.put([draft()])
    other = Inbox(path)
    other.refresh()
    inbox.accept(one.id, lambda _: "k1")
    with pytest.raises(StorageError, match="accepted already"):
        other.accept(one.id, lambda _: "k2")
    assert other.state.resolved[one.id].knowledge_id == "k1"


def test_damage_is_counted_and_kept_and_the_next_line_stands_alone(inbox: Inbox, path: Path) -> None:
    (one,) = inbox.put([draft()])
    noise = b'\xff\n{"op":"candidate","id":"x"}\n{"op":"melt"}\n[1]\n{"op":"candidate","id":"a b","type":"pattern"'
    path.write_bytes(noise + b"\n" + path.read_bytes() + b'{"op":"candi')
    assert (inbox.refresh().waiting, inbox.state.damaged) == ((one,), 6)
    (two,) = inbox.put([draft("More.")])
    assert (inbox.refresh().waiting, inbox.state.damaged) == ((one, two), 6)
    assert path.read_bytes().startswith(noise)


def test_an_unknown_candidate_is_refused(inbox: Inbox) -> None:
    with pytest.raises(StorageError, match="no candidate"):
        inbox.reject("nobody")


def test_a_planted_link_is_not_followed(inbox: Inbox, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    (tmp_path / "mine").write_text("mine")
    path.symlink_to(tmp_path / "mine")
    with pytest.raises(StorageError):
        inbox.refresh()
    with pytest.raises(StorageError):
        inbox.put([draft()])
    assert (tmp_path / "mine").read_text() == "mine"
