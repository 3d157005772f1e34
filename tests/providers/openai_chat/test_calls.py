"""How servers cut calls into fragments, and what is made of them."""

import json
from itertools import count

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.providers.base import CallBegun, CallPiece, CallReady, Piece
from diligent_tui.providers.openai_chat.calls import Calls


def fragment(arguments: object = None, **more: object) -> JsonObject:
    function = {"name": more.pop("name", None), "arguments": arguments}
    return {**more, "function": {key: value for key, value in function.items() if value is not None}}


A, B = '{"path": "a"}', '{"path": "b"}'

CUTS: dict[str, list[JsonObject]] = {
    "as OpenAI does": [
        fragment("", index=0, id="x", name="read"),
        fragment('{"path":', index=0),
        fragment(' "a"}', index=0),
        fragment("", index=1, id="y", name="read"),
        fragment(B, index=1),
    ],
    "in one lump": [fragment(A, index=0, id="x", name="read"), fragment(B, index=1, id="y", name="read")],
    "all at index 0": [fragment(A, index=0, id="x", name="read"), fragment(B, index=0, id="y", name="read")],
    "all at index 0, without ids": [fragment(A, index=0, name="read"), fragment(B, index=0, name="read")],
    "without an index": [fragment(A, id="x", name="read"), fragment(B, id="y", name="read")],
    "without index and id": [fragment(A, name="read"), fragment(B, name="read")],
    "as objects": [
        fragment({"path": "a"}, index=0, id="x", name="read"),
        fragment({"path": "b"}, index=1, id="y", name="read"),
    ],
    "the id again and again": [
        fragment('{"path": ', index=0, id="x", name="read"),
        fragment('"a"}', index=0, id="x"),
        fragment(B, index=1, id="y", name="read"),
    ],
    "the name again and again": [
        fragment('{"path": ', index=0, id="x", name="read"),
        fragment('"a"}', index=0, id="x", name="read"),
        fragment(B, index=1, id="y", name="read"),
    ],
    "another id with each fragment": [
        fragment('{"path": ', index=0, id="x1", name="read"),
        fragment('"a"}', index=0, id="x2"),
        fragment(B, index=1, id="y1", name="read"),
    ],
    "empty names and ids": [
        fragment('{"path": ', index=0, id="x", name="read"),
        fragment('"a"}', index=0, id="", name=""),
        fragment(B, index=1, id="y", name="read"),
    ],
    "the name last": [
        fragment('{"path": ', index=0, id="x"),
        fragment('"a"}', index=0),
        fragment("", index=0, name="read"),
        fragment(B, index=1, id="y", name="read"),
    ],
    "mixed": [
        fragment('{"path": ', index=0, id="x", name="read"),
        fragment('{"path": ', index=1, id="y", name="read"),
        fragment('"b"}', index=1),
        fragment('"a"}', index=0),
    ],
}


@pytest.mark.parametrize("cut", CUTS)
def test_two_calls_come_out_however_they_were_cut(cut: str) -> None:
    numbers = count(1)
    calls = Calls(lambda: f"new_{next(numbers)}")
    pieces = [piece for each in CUTS[cut] for piece in calls.take(each)]
    pieces += calls.ready(is_cut=False)
    kept = [block for block in calls.blocks(is_cut=False) if isinstance(block, ToolCallBlock)]
    assert [(block.name, block.input) for block in kept] == [("read", {"path": "a"}), ("read", {"path": "b"})]
    assert len({block.id for block in kept}) == len(calls) == 2
    assert [piece.call_id for piece in pieces if isinstance(piece, CallBegun)] == [block.id for block in kept]
    assert [piece.input for piece in pieces if isinstance(piece, CallReady)] == [block.input for block in kept]
    for block in kept:
        assert json.loads(_told(pieces, block.id)) == block.input


def test_nothing_said_is_no_arguments_unless_the_answer_was_cut_off() -> None:
    calls = Calls()
    calls.take(fragment("", index=0, id="x", name="list"))
    assert [block.type for block in calls.blocks(is_cut=False)] == ["tool_call"]
    assert [block.type for block in calls.blocks(is_cut=True)] == ["unfinished_call"]
    assert calls.ready(is_cut=True) == []


def test_a_call_without_a_name_is_told_at_the_end() -> None:
    calls = Calls()
    assert calls.take(fragment(A, index=0, id="x")) == []
    assert calls.ready(is_cut=False) == [CallBegun("x", ""), CallPiece("x", A), CallReady("x", "", {"path": "a"})]


def test_a_call_is_kept_in_the_words_of_its_maker() -> None:
    calls = Calls()
    calls.take(fragment('{"path" :"a"}', index=0, id="x", name="read"))
    (block,) = calls.blocks(is_cut=False)
    assert isinstance(block, ToolCallBlock)
    assert block.raw == {
        "id": "x",
        "type": "function",
        "function": {"name": "read", "arguments": '{"path" :"a"}'},
    }


def test_odd_fragments_do_not_break_anything() -> None:
    calls = Calls()
    odd: list[JsonObject] = [{}, {"function": None}, {"index": True, "function": {"name": 7, "arguments": [1]}}]
    assert [piece for each in odd for piece in calls.take(each)] == []


def _told(pieces: list[Piece], call_id: str) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, CallPiece) and piece.call_id == call_id)
