"""Conversions give bodies that servers accept, keep raw items, and leave the prefix as it was."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Image,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserTurn,
)
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from diligent_tui.providers.wire.fitting import NO_OUTPUT, PICTURE_LEFT_OUT
from diligent_tui.providers.wire.values import is_array
from tests.providers.talk import (
    FUNCTION,
    LIST,
    MODEL,
    PNG,
    READ,
    REASONED,
    SAID,
    SPOKEN,
    THOUGHT,
    USED,
    WEB,
    blocks_of,
    call,
    parts_of,
    request,
    result,
    unmarked,
    user,
)
from tests.strategies.requests import LEVELS, requests

Convert = Callable[[Request], JsonObject]
Check = Callable[[JsonObject], list[str]]

FORMATS: dict[str, tuple[Convert, Check, str]] = {
    "anthropic": (to_anthropic, check_anthropic, "messages"),
    "responses": (to_responses, check_responses, "input"),
    "chat": (to_chat, check_chat, "messages"),
}
CASES: dict[str, Request] = {
    "one prompt": request(user("Hello")),
    "two texts in a prompt": request(user("Hello", "and more")),
    "no system, no tools, no key": replace(request(user("Hello")), system=" ", tools=(), cache_key=""),
    "a talk": request(user("Hello"), AssistantTurn((Text("Hi."),)), user("Bye")),
    "a call and its result": request(user("Read"), AssistantTurn((call("toolu_1"),)), UserTurn((result("toolu_1"),))),
    "calls with words before, between and after": request(
        user("Read"),
        AssistantTurn((Text("First"), call("a"), Text("then"), call("b"), Text("done"))),
        UserTurn((result("a"), result("b", is_error=True), Text("Stop"))),
    ),
    "pictures everywhere": request(
        UserTurn((PNG, Text("What is it?"), WEB)),
        AssistantTurn((call("a"), call("b"))),
        UserTurn((result("a", images=(PNG, WEB)), result("b", is_error=True, images=(PNG,)), PNG)),
    ),
    "an output that is blank": request(
        user("Run"), AssistantTurn((call("a"), call("b"))), UserTurn((result("a", ""), result("b", " \n")))
    ),
    "an answer that only thought": request(user("Hello"), AssistantTurn((Thinking("Hm", "sig"),)), user("Well?")),
    "thinking at the end of an answer": request(
        user("Hello"), AssistantTurn((Text("So"), Thinking("Hm", "sig"))), user("Well?")
    ),
    "half characters in every text": replace(
        request(
            user("a\ud83d"),
            AssistantTurn((Text("b\udc00"), ToolCall("c\ud800", "d\ud800", {"e\ud800": ["f\ud800", float("nan")]}))),
            UserTurn((ToolResult("c\ud800", "", "g\ud800", False),)),
        ),
        system="h\ud800",
    ),
    "as little output as can be asked for": replace(request(user("Hello")), max_output_tokens=1),
}


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_a_body_is_what_its_server_accepts(case: str, wire: str) -> None:
    convert, check, _ = FORMATS[wire]
    body = convert(CASES[case])
    assert check(body) == []
    json.dumps(body, allow_nan=False).encode()


@given(requests())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_keeps_the_promises_becomes_three_acceptable_bodies(any_request: Request) -> None:
    before = repr(any_request)
    assert check_request(any_request) == []
    for convert, check, _ in FORMATS.values():
        assert check(convert(any_request)) == []
    assert repr(any_request) == before


@given(requests())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_each_exchange_leaves_all_before_it_as_it_was_sent(any_request: Request) -> None:
    for convert, _, key in FORMATS.values():
        bodies = [
            convert(replace(any_request, messages=any_request.messages[:length]))
            for length in range(1, len(any_request.messages) + 1, 2)
        ]
        for shorter, longer in pairwise(bodies):
            old, new = unmarked(shorter[key]), unmarked(longer[key])
            assert is_array(old)
            assert is_array(new)
            assert json.dumps(old) == json.dumps(new[: len(old)])
            rest = [{name: value for name, value in body.items() if name != key} for body in (shorter, longer)]
            assert json.dumps(rest[0]) == json.dumps(rest[1])


def test_anthropic_gets_its_own_blocks_back_byte_for_byte() -> None:
    redacted: JsonObject = {"data": "EmwK", "type": "redacted_thinking"}
    answer = AssistantTurn(
        (Thinking("other", "other", THOUGHT), Thinking("", None, redacted), Text("x", SAID), call("toolu_1", USED))
    )
    body = to_anthropic(request(user("Go"), answer, UserTurn((result("toolu_1"),))))
    assert json.dumps(parts_of(body, "messages")[1]["content"]) == json.dumps([THOUGHT, redacted, SAID, USED])
    assert check_anthropic(body) == []


def test_responses_gets_its_own_items_back_byte_for_byte() -> None:
    answer = AssistantTurn(
        (
            Thinking("", None, REASONED),
            Text("x", SPOKEN),
            Thinking("", None, {**REASONED, "id": "rs_2"}),
            call("toolu_1", FUNCTION),
        )
    )
    body = to_responses(request(user("Go"), answer, UserTurn((result("toolu_1"),))))
    expected = [REASONED, SPOKEN, {**REASONED, "id": "rs_2"}, FUNCTION]
    assert json.dumps(parts_of(body, "input")[1:5]) == json.dumps(expected)
    assert check_responses(body) == []


@pytest.mark.parametrize("wire", FORMATS)
def test_raw_items_of_another_maker_are_built_anew(wire: str) -> None:
    convert, check, _ = FORMATS[wire]
    foreign = (FUNCTION, SPOKEN, REASONED) if wire == "anthropic" else (USED, SAID, THOUGHT)
    answer = AssistantTurn(
        (Thinking("Hm", "sig", foreign[2]), Text("I look.", foreign[1]), call("toolu_1", foreign[0]))
    )
    body = convert(request(user("Go"), answer, UserTurn((result("toolu_1"),))))
    assert check(body) == []
    assert not any(item in json.dumps(body) for item in ("rs_1", "EqQB", '"Hm', "fc_1"))


@pytest.mark.parametrize(
    "raw",
    [
        {**USED, "id": "toolu_9"},
        {**USED, "name": "a b"},
        {**USED, "input": "text"},
        {**USED, "input": {"a": "\ud800"}},
        {**USED, "input": {"a": float("inf")}},
    ],
)
def test_a_call_that_its_own_server_would_refuse_is_built_anew(raw: JsonObject) -> None:
    body = to_anthropic(request(user("Go"), AssistantTurn((call("toolu_1", raw),)), UserTurn((result("toolu_1"),))))
    assert blocks_of(body)[1] == {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py"}}


@pytest.mark.parametrize(
    "raw",
    [
        {**FUNCTION, "call_id": "other"},
        {**FUNCTION, "name": "a b"},
        {**FUNCTION, "arguments": ""},
        {**FUNCTION, "arguments": "[1]"},
    ],
)
def test_a_function_call_that_cannot_go_back_is_built_anew(raw: JsonObject) -> None:
    body = to_responses(request(user("Go"), AssistantTurn((call("toolu_1", raw),)), UserTurn((result("toolu_1"),))))
    assert "id" not in parts_of(body, "input")[1]
    assert parts_of(body, "input")[1]["arguments"] == '{"path": "a.py"}'


@pytest.mark.parametrize(
    "thinking",
    [
        Thinking("Hm", None),
        Thinking("Hm", " "),
        Thinking("Hm\ud800", "sig"),
        Thinking("Hm", "sig\ud800"),
        Thinking("Hm", "sig", {**THOUGHT, "signature": ""}),
        Thinking("Hm", "sig", {"type": "redacted_thinking", "data": ""}),
        Thinking("Hm", "sig", REASONED),
    ],
)
def test_thinking_without_a_sound_signature_is_left_out_for_anthropic(thinking: Thinking) -> None:
    body = to_anthropic(request(user("Go"), AssistantTurn((thinking, Text("Yes."))), user("Next")))
    assert [block["type"] for block in blocks_of(body)] == ["text", "text", "text"]


def test_signed_thinking_without_a_raw_block_is_rebuilt() -> None:
    body = to_anthropic(request(user("Go"), AssistantTurn((Thinking("", "sig"), Text("Yes."))), user("Next")))
    assert blocks_of(body)[1] == {"type": "thinking", "thinking": "", "signature": "sig"}


@pytest.mark.parametrize(
    "parts",
    [
        (Thinking("Hm", "sig"), Text("x", SPOKEN)),
        (Thinking("Hm", None, {**REASONED, "encrypted_content": None}), Text("x", SPOKEN)),
        (Thinking("Hm", None, {**REASONED, "status": "in_progress"}), Text("x", SPOKEN)),
        (Thinking("Hm", None, REASONED), Text("x")),
        (Text("x", SPOKEN), Thinking("Hm", None, REASONED)),
    ],
)
def test_reasoning_without_its_own_item_is_left_out_for_responses(parts: tuple[Text | Thinking, ...]) -> None:
    body = to_responses(request(user("Go"), AssistantTurn(parts), user("Next")))
    assert [item["type"] for item in parts_of(body, "input")] == ["message"] * 3


def test_an_answer_that_only_thought_vanishes_and_what_is_around_it_becomes_one_turn() -> None:
    silent = request(user("Hello"), AssistantTurn((Thinking("Hm", "sig"),)), user("Well?"))
    assert len(parts_of(to_anthropic(silent), "messages")) == 1
    assert parts_of(to_chat(silent), "messages")[1:] == [{"role": "user", "content": "Hello\n\nWell?"}]
    assert len(parts_of(to_responses(silent), "input")) == 1


@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_level_of_thinking_is_told_in_each_makers_words(level: ThinkingLevel) -> None:
    asked = replace(request(user("Hello")), thinking=level)
    assert to_anthropic(asked)["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert to_anthropic(asked)["output_config"] == {"effort": level}
    assert to_responses(asked)["reasoning"] == {"effort": level, "summary": "auto"}


def test_no_thinking_is_asked_for_when_it_is_off() -> None:
    asked = request(user("Hello"))
    assert {"thinking", "output_config"}.isdisjoint(to_anthropic(asked))
    assert "reasoning" not in to_responses(asked)


def test_encrypted_reasoning_is_asked_of_models_that_reason_only() -> None:
    asked = request(user("Hello"))
    assert to_responses(asked)["include"] == ["reasoning.encrypted_content"]
    assert "include" not in to_responses(replace(asked, model=Model("maker", "plain")))


def test_the_fields_around_the_talk_are_what_each_server_expects() -> None:
    asked = request(user("Hello"))
    mark = {"type": "ephemeral"}
    assert to_anthropic(asked) == {
        "model": "model-1",
        "max_tokens": 4096,
        "system": [{"type": "text", "text": "Be useful.", "cache_control": mark}],
        "tools": [
            {"name": "read", "description": "Reads a file.", "input_schema": READ.input_schema},
            {
                "name": "list",
                "description": "Lists a folder.",
                "input_schema": LIST.input_schema,
                "cache_control": mark,
            },
        ],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": mark}]}],
    }
    assert to_responses(replace(asked, tools=(LIST,))) == {
        "model": "model-1",
        "instructions": "Be useful.",
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]}],
        "tools": [
            {
                "type": "function",
                "name": "list",
                "description": "Lists a folder.",
                "parameters": LIST.input_schema,
                "strict": False,
            }
        ],
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "session",
        "max_output_tokens": 4096,
        "stream": True,
    }
    described = {"name": "list", "description": "Lists a folder.", "parameters": LIST.input_schema}
    assert to_chat(replace(asked, tools=(LIST,))) == {
        "model": "model-1",
        "messages": [{"role": "system", "content": "Be useful."}, {"role": "user", "content": "Hello"}],
        "tools": [{"type": "function", "function": described}],
        "max_tokens": 4096,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_tool_turn_is_spoken_in_each_format() -> None:
    asked = request(
        user("Read"),
        AssistantTurn((Thinking("Hm", "sig"), Text("I look."), call("a"))),
        UserTurn((result("a", "No such file", is_error=True), Text("Try b"))),
    )
    assert unmarked(parts_of(to_anthropic(asked), "messages")[2]["content"]) == [
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": [{"type": "text", "text": "No such file"}],
            "is_error": True,
        },
        {"type": "text", "text": "Try b"},
    ]
    assert parts_of(to_responses(asked), "input")[1:] == [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "a", "name": "read", "arguments": '{"path": "a.py"}'},
        {"type": "function_call_output", "call_id": "a", "output": "No such file"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Try b"}]},
    ]
    function = {"name": "read", "arguments": '{"path": "a.py"}'}
    assert parts_of(to_chat(asked), "messages")[2:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "a", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "No such file"},
        {"role": "user", "content": "Try b"},
    ]


def test_pictures_are_sent_as_each_server_takes_them() -> None:
    asked = request(
        UserTurn((PNG, WEB)), AssistantTurn((call("a"),)), UserTurn((result("a", images=(PNG,)), Text("See?")))
    )
    anthropic = parts_of(to_anthropic(asked), "messages")
    assert [block["source"] for block in parts_of(anthropic[0], "content")] == [PNG.source, WEB.source]
    assert [part["type"] for part in parts_of(parts_of(anthropic[2], "content")[0], "content")] == ["text", "image"]
    items = parts_of(to_responses(asked), "input")
    urls = ["data:image/png;base64,aGVsbG8=", "https://example.org/a.png"]
    assert [part["image_url"] for part in parts_of(items[0], "content")] == urls
    assert [part["type"] for part in parts_of(items[2], "output")] == ["input_text", "input_image"]
    chat = parts_of(to_chat(asked), "messages")
    assert [part["image_url"] for part in parts_of(chat[1], "content")] == [{"url": url} for url in urls]
    assert chat[3]["content"] == "text"
    assert [part["type"] for part in parts_of(chat[4], "content")] == ["image_url", "text"]


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize(
    ("source", "sees_images"),
    [
        (PNG.source, False),
        ({"type": "file", "path": "a"}, True),
        ({"type": "url", "url": "file:///etc/passwd"}, True),
        ({"type": "base64", "media_type": "text/html", "data": "x"}, True),
        ({"type": "base64", "media_type": "image/svg+xml", "data": "x"}, True),
        ({"type": "base64", "media_type": "image/png", "data": ""}, True),
        ({}, True),
    ],
)
def test_a_picture_that_cannot_be_sent_is_named_instead(wire: str, source: JsonObject, sees_images: bool) -> None:
    convert, check, _ = FORMATS[wire]
    body = convert(replace(request(UserTurn((Image(source),))), model=replace(MODEL, sees_images=sees_images)))
    assert check(body) == []
    assert PICTURE_LEFT_OUT in json.dumps(body)


@pytest.mark.parametrize("wire", FORMATS)
def test_a_tool_that_says_nothing_is_quoted_as_such(wire: str) -> None:
    silent = request(user("Run"), AssistantTurn((call("a"),)), UserTurn((result("a", "\n"),)))
    assert NO_OUTPUT in json.dumps(FORMATS[wire][0](silent))


@pytest.mark.parametrize("levels", [70, 79, 80, 81, 95, 500])
@pytest.mark.parametrize("wire", FORMATS)
def test_arguments_nested_without_end_reach_no_server(levels: int, wire: str) -> None:
    convert, check, _ = FORMATS[wire]
    deep: JsonObject = {"a": json.loads("[" * levels + '"bottom"' + "]" * levels)}
    raw: JsonObject = {"type": "tool_use", "id": "a", "name": "read", "input": deep}
    answer = AssistantTurn((ToolCall("a", "read", deep, raw),))
    body = convert(request(user("Go"), answer, UserTurn((result("a"),))))
    assert check(body) == []
    assert ("bottom" in json.dumps(body)) == (levels < 80)
