import json

import pytest

from diligent_tui.domain.errors import BadResponse
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import OtherBlock, StopReason, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import Text, UserTurn
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.anthropic.decoding import AnthropicDecoder
from diligent_tui.providers.base import CallBegun, CallReady, Failed, Finished, Piece, TextPiece, ThinkingPiece
from diligent_tui.providers.sse import EventReader, ServerEvent
from tests.providers.lineup import said_again
from tests.providers.talk import parts_of, request
from tests.wire.anthropic import blocks, events
from tests.wire.scripts import Call, Say, Script, Think, call

TOLD = Script((Think("Hm, 🙂."), Think("secret", hidden=True), Say("I look."), call("toolu_1", "read", path="a.py")))


def take(*data: JsonObject) -> tuple[list[Piece], Finished | Failed | None]:
    decoder = AnthropicDecoder()
    pieces = [piece for each in data for piece in decoder.take(ServerEvent("", json.dumps(each).encode()))]
    return pieces, decoder.last


def start(index: int, **block: object) -> JsonObject:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **change: object) -> JsonObject:
    return {"type": "content_block_delta", "index": index, "delta": change}


def stop(index: int) -> JsonObject:
    return {"type": "content_block_stop", "index": index}


def why(reason: str | None) -> JsonObject:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}}


END: JsonObject = {"type": "message_stop"}
CALL = start(0, type="tool_use", id="toolu_1", name="read", input={})


def arguments(text: str) -> JsonObject:
    return delta(0, type="input_json_delta", partial_json=text)


def finished(*data: JsonObject) -> Finished:
    _, last = take(*data)
    assert isinstance(last, Finished), last
    return last


def test_every_block_goes_back_exactly_as_it_came() -> None:
    decoder = AnthropicDecoder()
    for event in EventReader().feed(b"".join(events(TOLD, {"model": "model-1"}))):
        decoder.take(event)
    assert isinstance(decoder.last, Finished)
    go = UserTurn((Text("Go."),))
    body = to_anthropic(request(go, said_again(decoder.last.blocks), go))
    assert parts_of(parts_of(body, "messages")[1], "content") == blocks(TOLD, "model-1")


def test_a_block_with_fields_that_we_do_not_know_goes_back_whole() -> None:
    cited = {"type": "char_location", "cited_text": "x"}
    last = finished(
        start(0, type="text", text="", citations=[]),
        delta(0, type="text_delta", text="See."),
        delta(0, type="citations_delta", citation=cited),
        stop(0),
        start(1, type="tool_use", id="toolu_1", name="read", input={}, caller={"type": "direct"}),
        delta(1, type="input_json_delta", partial_json='{"a": 1.0}'),
        stop(1),
        why("tool_use"),
        END,
    )
    text, called = last.blocks
    assert isinstance(text, TextBlock)
    assert isinstance(called, ToolCallBlock)
    assert text.raw == {"type": "text", "text": "See.", "citations": [cited]}
    assert called.raw == {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "read",
        "input": {"a": 1.0},
        "caller": {"type": "direct"},
    }


def test_an_answer_cut_at_any_byte_is_never_finished() -> None:
    whole = b"".join(events(TOLD, {"model": "m"}))
    for length in range(len(whole)):
        decoder = AnthropicDecoder()
        for event in EventReader().feed(whole[:length]):
            decoder.take(event)
        assert decoder.last is None
        last = decoder.cut()
        assert isinstance(last, Failed)
        assert last.error.kind == "stream_cut"


@pytest.mark.parametrize(
    ("reason", "ours"),
    [
        ("end_turn", "end_turn"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("pause_turn", "pause_turn"),
        ("refusal", "refusal"),
        ("model_context_window_exceeded", "context_window"),
        ("something_new", "end_turn"),
        (None, "end_turn"),
    ],
)
def test_why_an_answer_ended_is_told(reason: str | None, ours: StopReason) -> None:
    said = (start(0, type="text", text=""), delta(0, type="text_delta", text="Hm."), stop(0))
    assert finished(*said, why(reason), END).stop_reason == ours


def test_the_end_without_a_reason_is_what_the_blocks_suggest() -> None:
    assert finished(CALL, arguments("{}"), stop(0), END).stop_reason == "tool_use"
    assert finished(END).stop_reason == "end_turn"


def test_a_call_of_a_tool_that_takes_nothing_may_come_without_a_word() -> None:
    pieces, last = take(CALL, arguments(""), stop(0), why("tool_use"), END)
    assert pieces == [CallBegun("toolu_1", "read"), CallReady("toolu_1", "read", {})]
    assert isinstance(last, Finished)
    assert last.blocks == (ToolCallBlock(id="toolu_1", name="read", input={}),)


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_that_was_cut_off_before_its_first_word_never_becomes_one(reason: str) -> None:
    pieces, last = take(CALL, stop(0), why(reason), END)
    assert pieces == [CallBegun("toolu_1", "read")]
    assert isinstance(last, Finished)
    assert [block.type for block in last.blocks] == ["unfinished_call"]


def test_a_call_whose_block_never_ended_never_becomes_one() -> None:
    pieces, last = take(CALL, arguments('{"a": 1}'), why("tool_use"), END)
    assert not [piece for piece in pieces if isinstance(piece, CallReady)]
    assert isinstance(last, Failed)
    assert last.error.kind == "bad_response"


def test_whole_calls_beside_half_a_call_are_kept() -> None:
    last = finished(
        CALL,
        arguments('{"a": 1}'),
        stop(0),
        start(1, type="tool_use", id="toolu_2", name="read", input={}),
        delta(1, type="input_json_delta", partial_json='{"a'),
        stop(1),
        why("tool_use"),
        END,
    )
    assert [block.type for block in last.blocks] == ["tool_call", "unfinished_call"]


@pytest.mark.parametrize("block", [{"id": None}, {"id": 5}, {"id": ""}, {"name": None}, {"name": ""}, {"input": None}])
def test_a_call_with_odd_fields_still_has_an_id(block: JsonObject) -> None:
    usual: JsonObject = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}}
    begun = start(0, **(usual | block))
    (called,) = finished(begun, arguments("{}"), stop(0), why("tool_use"), END).blocks
    assert isinstance(called, ToolCallBlock)
    assert called.id


DISORDER: dict[str, tuple[JsonObject, ...]] = {
    "a piece of nothing": (delta(0, type="text_delta", text="a"),),
    "a piece after the end": (start(0, type="text", text=""), stop(0), delta(0, type="text_delta", text="a")),
    "an end of nothing": (stop(0),),
    "one end twice": (start(0, type="text", text=""), stop(0), stop(0)),
    "one block twice": (start(0, type="text", text=""), start(0, type="text", text="")),
    "no number": ({"type": "content_block_start", "content_block": {"type": "text"}},),
    "no block": ({"type": "content_block_start", "index": 0},),
    "a number that is none": ({"type": "content_block_delta", "index": [], "delta": {}},),
}


@pytest.mark.parametrize("disorder", DISORDER)
def test_parts_in_no_order_make_no_sense(disorder: str) -> None:
    with pytest.raises(BadResponse):
        take(*DISORDER[disorder])


ODD: dict[str, JsonObject] = {
    "a ping": {"type": "ping"},
    "a kind we do not know": {"type": "news", "index": 7},
    "no kind": {},
    "a kind that is none": {"type": 7},
    "a piece without a change": {"type": "content_block_delta", "index": 0},
    "a change we do not know": delta(0, type="dance_delta", steps=3),
    "words that are none": delta(0, type="text_delta", text=7),
    "no words": delta(0, type="text_delta"),
    "a start without a message": {"type": "message_start"},
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_not_known_is_passed_over(odd: str) -> None:
    last = finished(
        start(0, type="text", text=""),
        ODD[odd],
        delta(0, type="text_delta", text="Hm."),
        stop(0),
        ODD["a ping"],
        why("end_turn"),
        END,
    )
    assert last.blocks == (TextBlock(text="Hm."),)


def test_text_that_comes_with_the_block_is_told() -> None:
    pieces, last = take(
        start(0, type="thinking", thinking="Hm", signature=""),
        stop(0),
        start(1, type="text", text="He"),
        delta(1, type="text_delta", text="llo"),
        stop(1),
        END,
    )
    assert pieces == [ThinkingPiece("Hm"), TextPiece("He"), TextPiece("llo")]
    assert isinstance(last, Finished)
    assert [block.type for block in last.blocks] == ["thinking", "text"]


def test_empty_blocks_are_not_kept() -> None:
    empty = (start(0, type="text", text=""), stop(0), start(1, type="thinking", thinking="", signature=""), stop(1))
    assert finished(*empty, why("end_turn"), END).blocks == ()


def test_thinking_that_is_not_shown_is_kept_for_its_signature() -> None:
    (thought,) = finished(
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="signature_delta", signature="Eq"),
        delta(0, type="signature_delta", signature="QB"),
        stop(0),
        END,
    ).blocks
    assert thought == ThinkingBlock(thinking="", signature="EqQB")


def test_thinking_that_cannot_be_kept_exactly_loses_its_signature() -> None:
    (thought,) = finished(
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="half \ud83d"),
        delta(0, type="signature_delta", signature="EqQB"),
        stop(0),
        END,
    ).blocks
    assert isinstance(thought, ThinkingBlock)
    assert (thought.signature, thought.raw) == (None, None)


def test_a_character_in_two_pieces_is_one() -> None:
    (said,) = finished(
        start(0, type="text", text=""),
        delta(0, type="text_delta", text="\ud83d"),
        delta(0, type="text_delta", text="\ude42"),
        stop(0),
        END,
    ).blocks
    assert said == TextBlock(text="🙂")


def test_a_block_of_another_kind_is_kept_as_such() -> None:
    (other,) = finished(start(0, type="server_tool_use", id="s_1", name="search"), stop(0), why("end_turn"), END).blocks
    assert isinstance(other, OtherBlock)
    assert other.type == "server_tool_use"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded"),
        ({"type": "api_error", "message": "Internal"}, "unavailable"),
        ({"type": "rate_limit_error", "message": "Slow"}, "rate_limited"),
        ({"type": "authentication_error", "message": "No"}, "auth"),
        ({"type": "permission_error", "message": "No"}, "auth"),
        ({"type": "invalid_request_error", "message": "No"}, "provider"),
        ({"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 4 maximum"}, "context_overflow"),
        ({"type": "billing_error", "message": "No credit balance"}, "provider"),
        ({"type": "timeout_error", "message": "Late"}, "unavailable"),
        ({"type": "brand_new_error", "message": "?"}, "unavailable"),
        (None, "unavailable"),
        ("text", "unavailable"),
    ],
)
def test_an_error_event_ends_the_answer_with_an_error_of_ours(error: object, kind: str) -> None:
    _, last = take({"type": "error", "error": error})
    assert isinstance(last, Failed)
    assert last.error.kind == kind


def test_an_answer_of_half_a_call_is_told_as_words() -> None:
    script = Script((Call("toolu_1", "read", '{"path": "a'),), stop="max_tokens")
    decoder = AnthropicDecoder()
    for event in EventReader().feed(b"".join(events(script, {"model": "m"}))):
        decoder.take(event)
    assert isinstance(decoder.last, Finished)
    (half,) = decoder.last.blocks
    assert half.model_dump()["text"] == 'read {"path": "a'
