"""Damage costs what was damaged: every intact entry is found, every mark of damage is counted."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.domain.entries import (
    ENTRY_CLASSES,
    Entry,
    LabelEntry,
    LeafEntry,
    MessageEntry,
    OtherEntry,
    QueuedEntry,
    SessionInfoEntry,
    UnqueuedEntry,
    decode_entry,
    encode_entry,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ThinkingBlock
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.reading import SessionContent, decode_line, read_session
from diligent_tui.storage.jsonl import encode_line, open_reading
from tests.session.drafts import HEADER, SESSION_ID, STAMP, answered, conversation, draft, ids_of, line_of, piece, said

SIXTY = conversation(15)


def read(path: Path) -> SessionContent:
    """The file as it is read, having checked that it was only read."""
    before = path.read_bytes()
    descriptor = open_reading(path)
    try:
        content = read_session(descriptor, path)
    finally:
        os.close(descriptor)
    assert path.read_bytes() == before
    return content


def path_ids(content: SessionContent) -> list[str]:
    return [node.id for node in content.tree.path(content.tree.leaf_id)]


def test_a_whole_session_is_read_without_damage(tmp_path: Path) -> None:
    content = read(draft(tmp_path, *SIXTY))
    assert path_ids(content) == ids_of(SIXTY)
    assert not content.damage
    assert content.header.cwd == "/tmp/project"


def test_each_place_is_that_of_its_line(tmp_path: Path) -> None:
    path = draft(tmp_path, *SIXTY[:3], b"damaged\n", *SIXTY[3:])
    content, data = read(path), path.read_bytes()
    for entry in SIXTY:
        place = content.places[entry.id]
        assert data[place.offset : place.offset + place.size] == line_of(entry)[:-1]


@pytest.mark.parametrize("gone", range(len(SIXTY)))
def test_any_line_may_be_missing(gone: int, tmp_path: Path) -> None:
    rest = SIXTY[:gone] + SIXTY[gone + 1 :]
    content = read(draft(tmp_path, *rest))
    assert path_ids(content) == ids_of(rest)
    # A first entry whose follower lost it, or a last one that nothing hangs on.
    assert content.damage.orphans == (0 if gone == len(SIXTY) - 1 else 1)
    assert bool(content.damage) == bool(content.damage.orphans)


GARBAGE = {
    "NUL": b"\x00" * 300 + b"\n",
    "prose": b"hello?\n",
    "torn": line_of(SIXTY[5])[:40] + b"\n",
    "an array": b"[]\n",
    "no entry": b"{}\n",
    "an id that is none": b'{"type":"message","id":7,"parentId":null}\n',
    "a broken header": b'{"type":"session","version":"new"}\n',
    "invalid UTF-8": b'{"type":"message","id":"\xff"}\n',
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
@pytest.mark.parametrize("at", range(0, len(SIXTY) + 1, 7))
def test_garbage_anywhere_costs_nothing_and_is_counted(garbage: bytes, at: int, tmp_path: Path) -> None:
    content = read(draft(tmp_path, *SIXTY[:at], garbage, *SIXTY[at:]))
    assert path_ids(content) == ids_of(SIXTY)
    assert content.damage.lines == 1
    assert content.damage.orphans == 0


@settings(deadline=None, max_examples=300)
@given(st.integers(0, len(SIXTY)), st.binary(max_size=60), st.integers(0, 200))
def test_bytes_put_anywhere_cost_at_most_the_line_they_fall_into(
    tmp_path_factory: pytest.TempPathFactory, at: int, garbage: bytes, within: int
) -> None:
    lines = [line_of(HEADER), *map(line_of, SIXTY)]
    hit = lines[at]
    lines[at] = hit[:within] + garbage + hit[within:]
    content = read(draft(tmp_path_factory.getbasetemp() / "drafts", b"".join(lines), header=None))
    intact = [entry.id for entry, line in zip([None, *SIXTY], lines, strict=True) if entry and line == line_of(entry)]
    assert set(intact) <= set(content.tree.nodes)
    assert all(content.tree.path(entry_id)[-1].id == entry_id for entry_id in intact)


@pytest.mark.parametrize("cut", [1, 20, 60, 100])
def test_an_entry_glued_to_a_torn_one_is_read(cut: int, tmp_path: Path) -> None:
    content = read(draft(tmp_path, *SIXTY[:5], line_of(SIXTY[5])[:cut], *SIXTY[6:]))
    assert path_ids(content) == ids_of(SIXTY[:5] + SIXTY[6:])
    assert (content.damage.lines, content.damage.orphans) == (1, 1)


def test_two_whole_entries_on_one_line_are_both_read(tmp_path: Path) -> None:
    content = read(draft(tmp_path, *SIXTY[:5], line_of(SIXTY[5])[:-1], *SIXTY[6:]))
    assert path_ids(content) == ids_of(SIXTY)
    assert (content.damage.lines, content.damage.orphans) == (1, 0)


def test_of_two_entries_with_one_id_the_first_counts(tmp_path: Path) -> None:
    content = read(draft(tmp_path, said("a", None, "first"), answered("b", "a"), said("a", "b", "second")))
    assert path_ids(content) == ["a", "b"]
    assert content.damage.repeated == 1
    assert not content.damage


@pytest.mark.parametrize("header", [b"", b"\x00\n", line_of(HEADER)[:30] + b"\n", b'{"type":"session"}\n'])
def test_a_missing_header_is_told_and_the_name_of_the_file_serves(header: bytes, tmp_path: Path) -> None:
    content = read(draft(tmp_path, header, *SIXTY, header=None))
    assert content.damage.header_is_missing
    assert content.damage
    assert content.header.id == SESSION_ID
    assert path_ids(content) == ids_of(SIXTY)


def test_of_two_headers_the_first_counts(tmp_path: Path) -> None:
    content = read(draft(tmp_path, {**HEADER, "version": 3, "id": "other"}))
    assert (content.header.id, content.header.version) == (SESSION_ID, 2)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\x00" * 100_000])
def test_a_file_with_nothing_in_it_is_an_empty_session(data: bytes, tmp_path: Path) -> None:
    content = read(draft(tmp_path, data, header=None))
    assert content.tree.leaf_id is None
    assert content.damage.header_is_missing


def test_the_leaf_stands_where_it_was_moved(tmp_path: Path) -> None:
    lines = [said("a", None), answered("b", "a"), LeafEntry(id="l", parent_id="b", target_id="a")]
    assert path_ids(read(draft(tmp_path, *lines))) == ["a"]
    assert path_ids(read(draft(tmp_path, *lines, said("c", "a")))) == ["a", "c"]
    assert path_ids(read(draft(tmp_path, *lines, LeafEntry(id="m", parent_id="a", target_id=None)))) == []
    assert path_ids(read(draft(tmp_path, *lines, LeafEntry(id="m", target_id="nowhere")))) == ["a"]


def test_what_waits_is_known_and_what_was_sent_waits_no_more(tmp_path: Path) -> None:
    content = read(
        draft(
            tmp_path,
            said("a", None),
            QueuedEntry(id="q1", parent_id="a", text="one"),
            QueuedEntry(id="q2", parent_id="a", text="two", kind="steer"),
            QueuedEntry(id="q3", parent_id="a", text="three"),
            UnqueuedEntry(id="u1", parent_id="a", target_id="q1"),
            UnqueuedEntry(id="u2", parent_id="a", target_id="nowhere"),
        )
    )
    assert [(entry.id, entry.text, entry.kind) for entry in content.queue.values()] == [
        ("q2", "two", "steer"),
        ("q3", "three", "queue"),
    ]


def test_labels_name_and_totals_are_those_written_last(tmp_path: Path) -> None:
    content = read(
        draft(
            tmp_path,
            said("a", None),
            LabelEntry(id="l1", parent_id="a", target_id="a", label="old"),
            LabelEntry(id="l2", parent_id="a", target_id="a", label="new"),
            LabelEntry(id="l3", parent_id="a", target_id="b", label="gone"),
            LabelEntry(id="l4", parent_id="a", target_id="b"),
            SessionInfoEntry(id="i1", parent_id="a", name="first"),
            SessionInfoEntry(id="i2", parent_id="a", tokens=10, cost=0.5, compactions=1),
            SessionInfoEntry(id="i3", parent_id="a", name="second"),
            SessionInfoEntry(id="i4", parent_id="a", tokens=20, cost=0.75, compactions=2),
        )
    )
    assert content.labels == {"a": "new"}
    assert content.name == "second"
    assert content.totals is not None
    assert (content.totals.tokens, content.totals.cost, content.totals.compactions) == (20, 0.75, 2)


def test_pieces_without_their_message_are_an_interrupted_answer(tmp_path: Path) -> None:
    content = read(
        draft(
            tmp_path,
            said("a", None),
            piece("p1", "a", "m", "I thi", "thinking"),
            piece("p2", "a", "m", "Hel"),
            piece("p3", "a", "m", "nk", "thinking"),
            piece("p4", "a", "m", "lo"),
        )
    )
    answer = content.unsaved["m"]
    assert isinstance(answer, MessageEntry)
    assert answer.message == AssistantMessage(
        content=(ThinkingBlock(thinking="I think"), TextBlock(text="Hello")), stop_reason="interrupted", timestamp=STAMP
    )
    assert path_ids(content) == ["a", "m"]
    assert content.tree.nodes["m"].role == "assistant"


@pytest.mark.parametrize("late", [False, True])
def test_a_message_replaces_its_pieces_wherever_they_stand(late: bool, tmp_path: Path) -> None:
    pieces = [piece("p1", "a", "m", "Hel"), piece("p2", "a", "m", "lo")]
    whole = answered("m", "a", "Hello, world")
    content = read(draft(tmp_path, said("a", None), *([whole, *pieces] if late else [*pieces, whole])))
    assert content.unsaved == {}
    assert path_ids(content) == ["a", "m"]
    assert "m" in content.places


def test_an_interrupted_answer_is_no_leaf_where_something_was_said_after_it(tmp_path: Path) -> None:
    content = read(draft(tmp_path, said("a", None), piece("p", "a", "m", "Hel"), said("b", "a"), answered("c", "b")))
    assert path_ids(content) == ["a", "b", "c"]
    assert content.tree.children["a"] == ["b", "m"]


STRANGE: list[JsonObject] = [
    {"type": "hologram", "id": "x", "parentId": "a", "timestamp": STAMP, "depth": {"z": [1, 2]}},
    {"type": "message", "id": "x", "parentId": "a", "timestamp": STAMP, "message": {"role": "oracle", "content": "?"}},
    {"type": "message", "id": "x", "parentId": "a", "timestamp": STAMP, "message": "words"},
    {"type": "compaction", "id": "x", "parentId": "a", "timestamp": STAMP, "summary": 7},
    {"type": "prune", "id": "x", "parentId": "a", "timestamp": STAMP, "items": "all"},
    {"type": "label", "id": "x", "parentId": "a", "timestamp": {"day": 1}, "label": []},
    {"type": "queued", "id": "x", "parentId": "a", "timestamp": STAMP, "text": None},
    {"type": "session_info", "id": "x", "parentId": "a", "timestamp": STAMP, "tokens": "many"},
]


@pytest.mark.parametrize("strange", STRANGE, ids=[str(each["type"]) for each in STRANGE])
def test_a_strange_entry_keeps_its_place_and_every_field(strange: JsonObject, tmp_path: Path) -> None:
    content = read(draft(tmp_path, said("a", None), strange, said("b", "x")))
    assert path_ids(content) == ["a", "x", "b"]
    assert not content.damage
    entry = decode_entry(strange)
    assert isinstance(entry, OtherEntry)
    assert (entry.type, entry.id, entry.parent_id) == (strange["type"], "x", "a")
    assert (entry.model_extra or {}).keys() == strange.keys() - {"type", "id", "parentId", "timestamp"}


@pytest.mark.parametrize("entry_type", ENTRY_CLASSES)
def test_unknown_fields_survive_a_round_trip(entry_type: str) -> None:
    line = SAMPLES[entry_type] | {
        "type": entry_type,
        "id": "x",
        "parentId": "a",
        "timestamp": STAMP,
        "newField": [1, None],
    }
    entry = decode_entry(line)
    assert isinstance(entry, ENTRY_CLASSES[entry_type])
    assert encode_entry(entry)["newField"] == [1, None]
    assert decode_entry(encode_entry(entry)) == entry


SAMPLES: dict[str, JsonObject] = {
    "message": {"message": {"role": "user", "content": [{"type": "text", "text": "hi", "colour": "red"}]}},
    "model_change": {"provider": "offline", "modelId": "rehearsal"},
    "session_info": {"name": "n"},
    "compaction": {"summary": "s", "firstKeptEntryId": "a"},
    "compaction_revert": {"targetId": "a"},
    "prune": {"items": [{"targetId": "a", "digest": "d"}]},
    "system_prompt": {"text": "t"},
    "pin": {"targetId": "a"},
    "unpin": {"targetId": "a"},
    "label": {"targetId": "a", "label": "l"},
    "branch_summary": {"fromId": "a", "summary": "s"},
    "leaf": {"targetId": "a"},
    "knowledge_note": {"text": "t"},
    "partial": {"messageId": "m", "delta": "d"},
    "queued": {"text": "t", "kind": "queue"},
    "unqueued": {"targetId": "q"},
    "mode_change": {"mode": "full"},
    "steering": {"message": "left", "source": "user"},
}


def test_broken_halves_of_characters_are_mended_while_reading(tmp_path: Path) -> None:
    line = b'{"type":"queued","id":"q","parentId":null,"timestamp":"","text":"\\ud83d\\ude00 \\ud83d x"}\n'
    content = read(draft(tmp_path, line))
    assert content.queue["q"].text == "😀 \ufffd x"


def test_a_salvaged_entry_is_mended_too(tmp_path: Path) -> None:
    line = b'torn{"type":"queued","id":"q","parentId":null,"timestamp":"","text":"\\ud83d x"}\n'
    assert read(draft(tmp_path, line)).queue["q"].text == "\ufffd x"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "message",
        "content",
        "role",
        "targetId",
        "target_id",
        "parent_id",
        "text",
        "kind",
        "items",
        "model_config",
        "delta",
    ]
) | st.text(max_size=5)


@settings(deadline=None, max_examples=400)
@given(
    st.sampled_from([*ENTRY_CLASSES, "hologram", "session", ""]),
    st.dictionaries(KEYS, JSON, max_size=6),
    st.dictionaries(st.sampled_from(["parentId", "timestamp", "messageId", "version"]), JSON, max_size=4),
)
def test_no_object_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, entry_type: str, fields: dict[str, object], odd: dict[str, object]
) -> None:
    line = encode_line({**fields, **odd, "type": entry_type, "id": "x"})
    content = read(draft(tmp_path_factory.getbasetemp() / "drafts", said("a", None), line, answered("b", "a")))
    assert {"a", "b"} <= set(content.tree.nodes)
    value = decode_line(line[:-1])
    assert value is not None
    entry: Entry = decode_entry(value)
    assert entry.id == "x"
