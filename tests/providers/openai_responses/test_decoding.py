"""What the events of OpenAI's Responses become, event by event, without a server."""

import json

import pytest

from diligent_tui.domain.errors import BadResponse, StreamCut
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import OtherBlock, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.providers.base import (
    CallBegun,
    CallPiece,
    CallReady,
    Failed,
    Finished,
    Piece,
    TextPiece,
    ThinkingPiece,
)
from diligent_tui.providers.openai_responses.decoding import ResponsesDecoder
from diligent_tui.providers.sse import EventReader
from tests.wire.format import event

SAID: JsonObject = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hello.", "annotations": []}],
}
CALLED: JsonObject = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "read",
    "arguments": '{"path" : "a.py"}',
    "status": "completed",
}
REASONED: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
COMPLETED: JsonObject = {"type": "response.completed", "response": {"status": "completed"}}


def heard(*events: JsonObject, names: bool = False) -> tuple[list[Piece], Finished | Failed]:
    decoder, reader, pieces = ResponsesDecoder(), EventReader(), list[Piece]()
    for data in events:
        sent = {key: value for key, value in data.items() if key != "type"} if names else data
        for each in reader.feed(event(json.dumps(sent), str(data["type"]))):
            pieces += decoder.take(each)
    return pieces, decoder.last or decoder.cut()


def finished(*events: JsonObject) -> tuple[list[Piece], Finished]:
    pieces, last = heard(*events)
    assert isinstance(last, Finished), last
    return pieces, last


def failed(*events: JsonObject) -> Failed:
    _, last = heard(*events)
    assert isinstance(last, Failed), last
    return last


def done(item: JsonObject, index: int = 0) -> JsonObject:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def added(item: JsonObject, index: int = 0) -> JsonObject:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def delta(kind: str, text: str, index: int = 0) -> JsonObject:
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": text}


def test_items_are_kept_exactly_as_they_are_done_and_in_their_own_order() -> None:
    early = {**REASONED, "encrypted_content": "half"}
    _, last = finished(added(early), done(CALLED, 2), done(SAID, 1), done(REASONED, 0), COMPLETED)
    thought, words, call = last.blocks
    assert isinstance(thought, ThinkingBlock)
    assert isinstance(words, TextBlock)
    assert isinstance(call, ToolCallBlock)
    assert (thought.raw, words.raw, call.raw) == (REASONED, SAID, CALLED)
    assert (words.text, call.id, call.input) == ("Hello.", "call_1", {"path": "a.py"})
    assert last.stop_reason == "tool_use"


def test_what_was_not_streamed_is_told_when_it_is_done() -> None:
    reasoned: JsonObject = {**REASONED, "summary": [{"type": "summary_text", "text": "Hm."}]}
    pieces, _ = finished(done(reasoned, 0), done(SAID, 1), done(CALLED, 2), COMPLETED)
    assert pieces == [
        ThinkingPiece("Hm."),
        TextPiece("Hello."),
        CallBegun("call_1", "read"),
        CallPiece("call_1", '{"path" : "a.py"}'),
        CallReady("call_1", "read", {"path": "a.py"}),
    ]


def test_an_answer_that_stands_only_in_the_last_event_is_taken() -> None:
    response: JsonObject = {"status": "completed", "output": [REASONED, SAID, CALLED]}
    pieces, last = finished({"type": "response.completed", "response": response})
    assert TextPiece("Hello.") in pieces
    assert CallReady("call_1", "read", {"path": "a.py"}) in pieces
    assert [block.type for block in last.blocks] == ["thinking", "text", "tool_call"]


def test_nothing_is_told_twice() -> None:
    response: JsonObject = {"status": "completed", "output": [SAID, CALLED]}
    pieces, last = finished(
        delta("output_text", "Hel"),
        delta("output_text", "lo."),
        done(SAID),
        added({**CALLED, "arguments": ""}, 1),
        delta("function_call_arguments", '{"path" : "a.py"}', 1),
        done(CALLED, 1),
        done(CALLED, 1),
        {"type": "response.completed", "response": response},
    )
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == "Hello."
    assert [type(piece) for piece in pieces[2:]] == [CallBegun, CallPiece, CallReady]
    assert len(last.blocks) == 2


def test_thoughts_stand_apart_and_are_kept_as_they_were_told() -> None:
    summary = [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]
    part: JsonObject = {"type": "response.reasoning_summary_part.added", "output_index": 0}
    pieces, last = finished(
        part,
        delta("reasoning_summary_text", "One."),
        part,
        delta("reasoning_summary_text", "Two."),
        done({**REASONED, "summary": summary}),
        done(SAID, 1),
        COMPLETED,
    )
    told = "".join(piece.text for piece in pieces if isinstance(piece, ThinkingPiece))
    assert told == "One.\n\nTwo."
    assert isinstance(last.blocks[0], ThinkingBlock)
    assert last.blocks[0].thinking == told


def test_reasoning_that_may_be_read_in_full_is_read() -> None:
    content = [{"type": "reasoning_text", "text": "All of it."}]
    pieces, last = finished(
        delta("reasoning_text", "All of it."), done({**REASONED, "content": content}), done(SAID, 1), COMPLETED
    )
    assert ThinkingPiece("All of it.") in pieces
    assert isinstance(last.blocks[0], ThinkingBlock)
    assert last.blocks[0].thinking == "All of it."


def test_a_refusal_is_told_as_one() -> None:
    item: JsonObject = {**SAID, "content": [{"type": "refusal", "refusal": "I will not."}]}
    pieces, last = finished(delta("refusal", "I will not."), done(item), COMPLETED)
    assert pieces == [TextPiece("I will not.")]
    assert last.stop_reason == "refusal"
    assert [block.raw for block in last.blocks if isinstance(block, TextBlock)] == [item]


@pytest.mark.parametrize(
    ("reason", "stop"), [("max_output_tokens", "max_tokens"), ("content_filter", "content_filter")]
)
def test_an_answer_cut_short_says_why_and_its_half_call_stays_words(reason: str, stop: str) -> None:
    half: JsonObject = {**CALLED, "arguments": '{"path": "a', "status": "incomplete"}
    response: JsonObject = {"incomplete_details": {"reason": reason}}
    pieces, last = finished(done(SAID), done(half, 1), {"type": "response.incomplete", "response": response})
    assert last.stop_reason == stop
    assert not [piece for piece in pieces if isinstance(piece, CallReady)]
    assert isinstance(last.blocks[1], OtherBlock)


def test_a_call_that_calls_itself_incomplete_is_none_even_if_it_reads_well() -> None:
    half: JsonObject = {**CALLED, "status": "incomplete"}
    response: JsonObject = {"incomplete_details": {"reason": "max_output_tokens"}}
    pieces, last = finished(done(half), {"type": "response.incomplete", "response": response})
    assert not [piece for piece in pieces if isinstance(piece, CallReady)]
    assert isinstance(last.blocks[0], OtherBlock)


@pytest.mark.parametrize("details", [None, {}, {"reason": "steered"}, {"reason": 7}, []])
def test_an_end_for_a_reason_we_do_not_know_is_no_success(details: object) -> None:
    last = failed(done(SAID), {"type": "response.incomplete", "response": {"incomplete_details": details}})
    assert isinstance(last.error, StreamCut)


def test_an_answer_that_was_cancelled_there_is_no_success() -> None:
    assert isinstance(failed(done(SAID), {"type": "response.cancelled", "response": {}}).error, StreamCut)


def test_whole_calls_are_kept_beside_a_broken_one() -> None:
    broken: JsonObject = {**CALLED, "call_id": "call_2", "arguments": "{"}
    _, last = finished(done(CALLED), done(broken, 1), COMPLETED)
    assert [block.type for block in last.blocks] == ["tool_call", "unfinished_call"]
    assert last.stop_reason == "tool_use"


def test_a_lone_call_that_is_broken_fails_the_answer() -> None:
    assert isinstance(failed(done(SAID), done({**CALLED, "arguments": "{"}, 1), COMPLETED).error, BadResponse)


def test_a_call_without_an_id_gets_one_and_its_item_does_not_go_back() -> None:
    nameless = {key: value for key, value in CALLED.items() if key not in ("id", "call_id")}
    _, last = finished(done(nameless), COMPLETED)
    (call,) = last.blocks
    assert isinstance(call, ToolCallBlock)
    assert call.id
    assert call.raw is None


def test_half_characters_do_not_reach_the_disk() -> None:
    item: JsonObject = {**SAID, "content": [{"type": "output_text", "text": "a\ud83d\ude00 b\ud83d"}]}
    _, last = finished(done(item), COMPLETED)
    (words,) = last.blocks
    assert isinstance(words, TextBlock)
    assert (words.text, words.raw) == ("a😀 b\ufffd", None)


def test_an_event_is_known_by_its_name_where_it_says_no_type() -> None:
    _, last = heard(done(SAID), COMPLETED, names=True)
    assert isinstance(last, Finished)


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "response.output_item.done", "item": None},
        {"type": "response.output_item.added", "item": []},
        {"type": "response.output_text.delta", "delta": 7},
        {"type": "response.function_call_arguments.delta", "output_index": 9, "delta": "{"},
        {"type": "response.output_item.done", "output_index": "x", "item": {"type": "news"}},
        {"type": "response.web_search_call.searching", "output_index": 4},
    ],
)
def test_odd_events_bring_nothing(odd: JsonObject) -> None:
    pieces, last = finished(odd, done(SAID, 3), COMPLETED)
    assert pieces == [TextPiece("Hello.")]
    assert len(last.blocks) == 1
