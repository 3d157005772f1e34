"""What the chunks of Chat Completions become, in the dialects of many servers, without a server."""

import json

import pytest

from diligent_tui.domain.errors import BadResponse, ContextOverflow, StreamCut
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import CallReady, Failed, Finished, Piece, TextPiece, ThinkingPiece
from diligent_tui.providers.openai_chat.decoding import ChatDecoder
from diligent_tui.providers.sse import EventReader
from tests.providers.talk import request, user
from tests.wire.format import event

CALL: JsonObject = {"index": 0, "id": "x", "function": {"name": "read", "arguments": '{"path": "a"}'}}
STOP: JsonObject = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
DONE = "[DONE]"


def say(finish_reason: str | None = None, **delta: object) -> JsonObject:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def heard(*chunks: JsonObject | str, asked: Request | None = None) -> tuple[list[Piece], Finished | Failed]:
    decoder, reader, pieces = ChatDecoder(asked or request(user("Look."))), EventReader(), list[Piece]()
    for data in chunks:
        for each in reader.feed(event(data if isinstance(data, str) else json.dumps(data))):
            pieces += decoder.take(each)
    return pieces, decoder.last or decoder.cut()


def finished(*chunks: JsonObject | str) -> tuple[list[Piece], Finished]:
    pieces, last = heard(*chunks)
    assert isinstance(last, Finished), last
    return pieces, last


def failed(*chunks: JsonObject | str, asked: Request | None = None) -> Failed:
    _, last = heard(*chunks, asked=asked)
    assert isinstance(last, Failed), last
    return last


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thinking_is_read_under_each_of_its_names(field: str) -> None:
    pieces, last = finished(say(**{field: "Hm."}), say(content="Hello."), STOP, DONE)
    assert pieces == [ThinkingPiece("Hm."), TextPiece("Hello.")]
    thought, words = last.blocks
    assert isinstance(thought, ThinkingBlock)
    assert isinstance(words, TextBlock)
    assert (thought.thinking, words.text) == ("Hm.", "Hello.")


def test_thinking_that_is_told_under_two_names_is_told_once() -> None:
    pieces, _ = finished(say(reasoning="Hm.", reasoning_content="Hm.", content=""), say(content="Hello."), STOP, DONE)
    assert pieces == [ThinkingPiece("Hm."), TextPiece("Hello.")]


def test_thinking_between_tags_is_told_from_words() -> None:
    pieces, _ = finished(say(content="<thi"), say(content="nk>Hm.</think>\n\nHel"), say(content="lo."), STOP, DONE)
    assert pieces == [ThinkingPiece("Hm."), TextPiece("Hel"), TextPiece("lo.")]


def test_words_held_back_are_told_at_the_end() -> None:
    pieces, last = finished(say(content="<thi"), STOP, DONE)
    assert pieces == [TextPiece("<thi")]
    assert len(last.blocks) == 1


@pytest.mark.parametrize("reason", ["tool_calls", "stop", "function_call", "eos"])
def test_calls_count_whatever_the_reason_says(reason: str) -> None:
    pieces, last = finished(say(content="", tool_calls=[CALL]), say(reason), DONE)
    assert CallReady("x", "read", {"path": "a"}) in pieces
    assert last.stop_reason == "tool_use"
    assert [block.input for block in last.blocks if isinstance(block, ToolCallBlock)] == [{"path": "a"}]


def test_a_call_and_the_reason_may_come_in_one_chunk() -> None:
    _, last = finished(say("tool_calls", tool_calls=[CALL]), DONE)
    assert last.stop_reason == "tool_use"


def test_a_call_in_the_older_form_is_one() -> None:
    older = {"name": "read", "arguments": '{"path": "a"}'}
    _, last = finished(say(function_call=older), say("function_call"), DONE)
    assert [block.type for block in last.blocks] == ["tool_call"]


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("length", "max_tokens"), ("content_filter", "content_filter"), ("stop", "end_turn"), ("odd", "end_turn")],
)
def test_the_reason_is_told(reason: str, stop: str) -> None:
    _, last = finished(say(content="Hello"), say(reason), DONE)
    assert last.stop_reason == stop


def test_a_refusal_is_told_as_one() -> None:
    pieces, last = finished(say(refusal="I will not."), STOP, DONE)
    assert pieces == [TextPiece("I will not.")]
    assert last.stop_reason == "refusal"


def test_half_a_call_is_no_call_where_the_answer_was_cut_off() -> None:
    half: JsonObject = {"index": 0, "id": "x", "function": {"name": "read", "arguments": '{"path'}}
    pieces, last = finished(say(content="I look."), say(tool_calls=[half]), say("length"), DONE)
    assert not [piece for piece in pieces if isinstance(piece, CallReady)]
    assert [block.type for block in last.blocks] == ["text", "unfinished_call"]


def test_either_of_the_two_ends_is_enough() -> None:
    assert finished(say(content="Hello."), STOP)[1].stop_reason == "end_turn"
    assert finished(say(content="Hello."), DONE)[1].stop_reason == "end_turn"
    assert finished(say(tool_calls=[CALL]), DONE)[1].stop_reason == "tool_use"


@pytest.mark.parametrize("chunks", [(), (say(content="Hello."),), (say(tool_calls=[CALL]),), (DONE,)])
def test_without_an_end_an_answer_was_cut(chunks: tuple[JsonObject | str, ...]) -> None:
    assert isinstance(failed(*chunks).error, StreamCut)


def test_a_call_written_as_text_is_explained_and_not_run() -> None:
    text = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
    pieces, last = heard(say(content=text), STOP, DONE)
    assert pieces == [TextPiece(text)]
    assert isinstance(last, Failed)
    assert isinstance(last.error, BadResponse)
    assert "read" in last.error.message
    assert "Nothing was run" in last.error.message
    assert "vLLM" in last.error.advice


def test_a_call_written_beside_a_real_one_is_only_text() -> None:
    text = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
    _, last = finished(say(content=text), say(tool_calls=[CALL]), STOP, DONE)
    assert [block.type for block in last.blocks] == ["text", "tool_call"]


def test_a_prompt_that_was_silently_cut_down_is_told() -> None:
    long = request(user("word " * 11_000))
    usage = {"prompt_tokens": 4_096, "completion_tokens": 5, "total_tokens": 4_101}
    error = failed(say(content="Hello."), STOP, {"choices": [], "usage": usage}, DONE, asked=long).error
    assert isinstance(error, ContextOverflow)
    assert error.limit == 4_096
    assert "4,096" in error.message
    assert "OLLAMA_CONTEXT_LENGTH" in error.advice


@pytest.mark.parametrize("tokens", [11_000, 8_000, 900, 19])
def test_a_count_that_could_be_true_or_is_none_raises_no_alarm(tokens: int) -> None:
    long = request(user("word " * 11_000))
    usage = {"prompt_tokens": tokens, "completion_tokens": 5}
    _, last = heard(say(content="Hello."), STOP, {"choices": [], "usage": usage}, DONE, asked=long)
    assert isinstance(last, Finished)


def test_usage_may_stand_in_the_choice_or_in_every_chunk() -> None:
    told = {"prompt_tokens": 10, "completion_tokens": 5}
    _, last = finished({"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop", "usage": told}]}, DONE)
    assert last.usage is not None
    assert last.usage.prompt_tokens == 10
    _, last = finished({**say(content="Hi"), "usage": told}, {**STOP, "usage": None}, DONE)
    assert last.usage is not None


def test_content_in_parts_is_read() -> None:
    pieces, _ = finished(say(content=[{"type": "text", "text": "Hi"}, {"type": "odd"}, 7]), STOP, DONE)
    assert pieces == [TextPiece("Hi")]


ODD: list[JsonObject] = [
    {"choices": None},
    {"choices": [None]},
    {"choices": [{"delta": None}]},
    {"choices": [{"delta": {"content": 7, "tool_calls": [None, 3], "reasoning": []}}]},
    {"object": "news"},
    {"error": None},
]


@pytest.mark.parametrize("odd", ODD)
def test_odd_chunks_bring_nothing(odd: JsonObject) -> None:
    pieces, _ = finished(odd, say(content="Hello."), STOP, DONE)
    assert pieces == [TextPiece("Hello.")]


def test_half_characters_do_not_reach_the_disk() -> None:
    pieces, last = finished(say(content="a\ud83d"), say(content="\ude00 b\ud83d"), STOP, DONE)
    assert len(pieces) == 2
    assert [block.text for block in last.blocks if isinstance(block, TextBlock)] == ["a😀 b\ufffd"]
