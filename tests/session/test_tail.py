"""The newest entries, read from the end, are the end of the path that a full reading finds."""

import asyncio
import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.domain.entries import Entry, LabelEntry, LeafEntry, MessageEntry, OtherEntry, SessionInfoEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import Tail, read_header, read_tail
from diligent_tui.storage import jsonl
from tests.session.drafts import HEADER, SESSION_ID, answered, conversation, draft, ids_of, line_of, piece, said


def tail_ids(path: Path, most_entries: int = 100) -> list[str]:
    return ids_of(read_tail(path, most_entries).entries)


def test_the_tail_ends_at_the_leaf_and_is_no_longer_than_asked_for(tmp_path: Path) -> None:
    entries = conversation(10)
    path = draft(tmp_path, *entries)
    assert read_tail(path, 7) == Tail(tuple(entries[-7:]), is_whole=False)
    assert read_tail(path, 40) == Tail(tuple(entries), is_whole=True)
    assert read_tail(path, 1000) == Tail(tuple(entries), is_whole=True)


@pytest.mark.parametrize("lines", [[], [b""], [b"\x00\n"], [b"{}\n"], [b'{"type":"message"}\n']])
def test_a_session_without_entries_has_an_empty_tail(lines: list[bytes], tmp_path: Path) -> None:
    assert read_tail(draft(tmp_path, *lines), 5).entries == ()


def test_the_tail_follows_a_moved_leaf(tmp_path: Path) -> None:
    lines: list[Entry] = [said("a", None), answered("b", "a"), said("c", "b"), LeafEntry(id="l", target_id="b")]
    assert tail_ids(draft(tmp_path, *lines)) == ["a", "b"]
    assert tail_ids(draft(tmp_path, *lines, said("d", "b"))) == ["a", "b", "d"]


def test_before_the_first_entry_there_is_nothing_and_nothing_is_searched_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nameless: JsonObject = {"type": "message", "message": {"role": "user", "content": "?"}}
    path = draft(tmp_path, nameless, *conversation(2000), LeafEntry(id="l", target_id=None))
    read: list[int] = []
    pread = os.pread

    def counting(descriptor: int, size: int, offset: int) -> bytes:
        read.append(size)
        return pread(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", counting)
    assert read_tail(path, 5) == Tail((), is_whole=True)
    assert sum(read) <= jsonl.TAIL_READ_BYTES


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x00" * 50 + b"\n",
        b"{}\n",
        b'{"type":"message","id":7}\n',
        b"[]\n",
        line_of(answered("z", "b"))[:40],
        line_of(HEADER),
    ],
)
def test_garbage_at_the_end_does_not_hide_the_leaf(garbage: bytes, tmp_path: Path) -> None:
    assert tail_ids(draft(tmp_path, said("a", None), answered("b", "a"), garbage)) == ["a", "b"]


def test_an_entry_glued_to_a_torn_one_is_in_the_tail(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), line_of(answered("z", "a"))[:40], answered("b", "a"), said("c", "b"))
    assert tail_ids(path) == ["a", "b", "c"]


def test_an_answer_cut_off_by_a_crash_is_in_the_tail(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a", None), piece("p1", "a", "m", "Hel"), piece("p2", "a", "m", "lo"))
    *_, last = read_tail(path, 5).entries
    assert isinstance(last, MessageEntry)
    assert last == SessionStore.open(path, for_writing=False).entry("m")
    assert tail_ids(path) == ["a", "m"]
    assert tail_ids(draft(tmp_path, path.read_bytes(), answered("m", "a"), header=None)) == ["a", "m"]


def test_side_notes_are_passed_over_and_strangers_are_not(tmp_path: Path) -> None:
    stranger: JsonObject = {"type": "hologram", "id": "x", "parentId": "a"}
    label = LabelEntry(id="l", parent_id="x", target_id="a", label="n")
    tail = read_tail(draft(tmp_path, said("a", None), stranger, label, SessionInfoEntry(id="i", tokens=1)), 5)
    assert ids_of(tail.entries) == ["a", "x"]
    assert isinstance(tail.entries[1], OtherEntry)


BROKEN: dict[str, list[Entry | bytes]] = {
    "a parent is lost": [said("a", None), answered("c", "lost"), said("d", "c")],
    "the leaf is lost": [said("a", None), answered("b", "a"), LeafEntry(id="l", target_id="lost")],
    "the line of the leaf is damaged": [
        said("a", None),
        line_of(answered("b", "a")).replace(b'"id"', b'"\xff"'),
        said("c", "a"),
        LeafEntry(id="l", target_id="b"),
    ],
    "the leaf is moved to a later entry": [said("a", None), LeafEntry(id="l", target_id="b"), said("b", "a")],
    "the leaf is moved twice, then lost": [
        said("a", None),
        said("b", "a"),
        LeafEntry(id="l", target_id="a"),
        LeafEntry(id="m", target_id="lost"),
    ],
    "the parent comes later": [said("a", None), said("c", "b"), said("b", "a"), said("d", "c")],
    "the parent of the pieces is lost": [said("a", None), piece("p1", "b", "m", "Hel"), piece("p2", "b", "m", "lo")],
    "all that is left is pieces": [piece("p1", "b", "m", "Hel"), piece("p2", "b", "m", "lo")],
    "a piece stands there twice": [said("a", None), piece("p1", "a", "m", "Hel"), piece("p1", "a", "m", "Hel")],
}


@pytest.mark.parametrize("lines", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("most_entries", [1, 2, 100])
def test_where_the_path_is_broken_the_tail_is_still_the_end_of_the_full_path(
    lines: list[Entry | bytes], most_entries: int, tmp_path: Path
) -> None:
    path = draft(tmp_path, *lines)
    store = SessionStore.open(path, for_writing=False)
    full = [store.entry(node.id) for node in store.tree.path(store.tree.leaf_id)]
    assert full
    tail = read_tail(path, most_entries)
    assert list(tail.entries) == full[-most_entries:]
    assert tail.is_whole == (len(full) <= most_entries)


def test_a_tail_that_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = draft(tmp_path, said("a", None))

    def fail(descriptor: int, size: int, offset: int) -> bytes:
        raise OSError(errno.EIO, "made up")

    monkeypatch.setattr(os, "pread", fail)
    for read in (lambda: read_tail(path, 5), lambda: read_header(path)):
        with pytest.raises(StorageError, match=path.name):
            read()


SHAPES = st.lists(
    st.tuples(
        st.sampled_from(["entry", "entry", "entry", "leaf", "side", "stranger", "garbage", "root"]), st.integers(0, 40)
    ),
    max_size=40,
)


def lines_of(shape: list[tuple[str, int]], *, cut_off: bool) -> list[Entry | JsonObject | bytes]:
    """A session with branches, moves and noise; entries hang on the leaf or on any earlier one."""
    lines: list[Entry | JsonObject | bytes] = []
    known: list[str] = []
    leaf: str | None = None
    for number, (kind, pick) in enumerate(shape):
        new_id = f"{number:08x}"
        some = known[pick % len(known)] if known else None
        match kind:
            case "entry":
                parent = leaf if pick % 3 else some
                lines.append(said(new_id, parent))
                leaf = new_id
                known.append(new_id)
            case "stranger":
                lines.append({"type": "hologram", "id": new_id, "parentId": leaf})
                leaf = new_id
                known.append(new_id)
            case "root":
                lines.append(said(new_id, None))
                leaf = new_id
                known.append(new_id)
            case "leaf":
                leaf = some if pick % 5 else None
                lines.append(LeafEntry(id=new_id, parent_id=leaf, target_id=leaf))
            case "side":
                lines.append(LabelEntry(id=new_id, parent_id=leaf, target_id=some or "?", label="x"))
                known.append(new_id)
            case _:
                lines.append([b"\x00\n", b"{}\n", b"torn", b"\n"][pick % 4])
    if cut_off:
        lines += [b"\n", piece("p0000001", leaf, "m0000000", "Hel"), piece("p0000002", leaf, "m0000000", "lo")]
    return lines


@settings(deadline=None, max_examples=400)
@given(SHAPES, st.integers(1, 12), st.booleans(), st.integers(1, 300))
def test_the_tail_is_the_end_of_the_full_path(
    tmp_path_factory: pytest.TempPathFactory,
    shape: list[tuple[str, int]],
    most_entries: int,
    cut_off: bool,
    chunk: int,
) -> None:
    path = draft(tmp_path_factory.getbasetemp() / "drafts", *lines_of(shape, cut_off=cut_off))
    store = SessionStore.open(path, for_writing=False)
    full = [store.entry(node.id) for node in store.tree.path(store.tree.leaf_id)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "TAIL_READ_BYTES", chunk)
        tail = read_tail(path, most_entries)
    assert list(tail.entries) == full[-most_entries:]
    assert tail.is_whole == (len(full) <= most_entries)
    asyncio.run(store.close())


@pytest.mark.parametrize("before", [b"", b"\x00\n", b"torn", b'{"type":"session","version":[]}\n'])
def test_the_header_is_the_first_that_is_whole(before: bytes, tmp_path: Path) -> None:
    header = read_header(draft(tmp_path, before, HEADER, {**HEADER, "id": "other"}, said("a", None), header=None))
    assert header is not None
    assert header.id == SESSION_ID


@pytest.mark.parametrize("data", [b"", b"\x00\n", b"{}\n", b"[]\n", line_of(said("a", None)), b'{"type":"session"}\n'])
def test_a_session_may_have_no_header(data: bytes, tmp_path: Path) -> None:
    assert read_header(draft(tmp_path, data, header=None)) is None
