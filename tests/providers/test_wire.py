"""The validators refuse what servers refuse, at its place, and accept what they accept."""

import copy
from collections.abc import Callable
from dataclasses import replace

import pytest

from diligent_tui.domain.models import Model
from diligent_tui.domain.records import JsonObject
from diligent_tui.domain.requests import (
    AssistantTurn,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserTurn,
)
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from diligent_tui.providers.wire.values import is_array, is_object

Path = tuple[str | int, ...]
Change = tuple[Path, object, str]
"""A place in a good body, what is put there, and what the finding must say."""

GONE = object()
"""Put at a place: what stands there is taken out."""


class Also:
    """Put at a place in an array: stands before what is there."""

    def __init__(self, *values: object) -> None:
        self.values = values


def changed(good: JsonObject, path: Path, value: object) -> JsonObject:
    body = copy.deepcopy(good)
    at: object = body
    for key in path[:-1]:
        at = (
            at[key]
            if isinstance(key, int) and is_array(at)
            else at[key]
            if is_object(at) and isinstance(key, str)
            else 0
        )
    last = path[-1]
    if is_object(at) and isinstance(last, str):
        if value is GONE:
            del at[last]
        else:
            at[last] = value
    else:
        assert is_array(at)
        assert isinstance(last, int)
        if value is GONE:
            del at[last]
        elif isinstance(value, Also):
            at[last:last] = value.values
        else:
            at[last] = value
    return body


MARK: JsonObject = {"type": "ephemeral"}
SCHEMA: JsonObject = {"type": "object", "properties": {}}


def tool_use(call_id: str) -> JsonObject:
    return {"type": "tool_use", "id": call_id, "name": "read", "input": {"path": "a"}}


def tool_result(call_id: str) -> JsonObject:
    return {"type": "tool_result", "tool_use_id": call_id, "content": [{"type": "text", "text": "ok"}]}


ANTHROPIC: JsonObject = {
    "model": "claude-x",
    "max_tokens": 100,
    "system": [{"type": "text", "text": "Be useful.", "cache_control": MARK}],
    "tools": [
        {"name": "read", "description": "Reads.", "input_schema": SCHEMA},
        {"name": "list", "description": "Lists.", "input_schema": {"type": "object"}, "cache_control": MARK},
    ],
    "thinking": {"type": "adaptive", "display": "summarized"},
    "output_config": {"effort": "high"},
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Go"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "sig"},
                {"type": "redacted_thinking", "data": "xyz"},
                {"type": "text", "text": "I look.", "citations": None},
                tool_use("a"),
                tool_use("b"),
            ],
        },
        {
            "role": "user",
            "content": [
                tool_result("b"),
                {"type": "tool_result", "tool_use_id": "a", "content": "bad", "is_error": True, "cache_control": MARK},
                {"type": "text", "text": "Go on"},
            ],
        },
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": [{"type": "text", "text": "Thanks", "cache_control": {**MARK, "ttl": "5m"}}]},
    ],
}
ASKED: Path = ("messages", 0, "content")
ANSWER: Path = ("messages", 1, "content")
RESULTS: Path = ("messages", 2, "content")
TALK: Path = ("messages",)

BAD_ANTHROPIC: dict[str, Change] = {
    "no model": (("model",), GONE, "model: must be text"),
    "no limit": (("max_tokens",), GONE, "max_tokens: must be a whole number"),
    "limit zero": (("max_tokens",), 0, "max_tokens: must be a whole number"),
    "limit true": (("max_tokens",), True, "max_tokens: must be a whole number"),
    "unknown field": (("prompt",), "x", "body: unknown field 'prompt'"),
    "stream as text": (("stream",), "yes", "stream: must be one of"),
    "empty system text": (("system",), "", "system: must be text"),
    "empty system": (("system",), [], "system: must be an array"),
    "blank system block": (("system", 0, "text"), " \n", "system[0].text: must be text"),
    "image in system": (("system", 0), {"type": "image"}, "system[0]: a block of type 'image'"),
    "no tools in the list": (("tools",), [], "tools: must be an array"),
    "tool without a name": (("tools", 0, "name"), GONE, "tools[0].name: must match"),
    "tool name with a dot": (("tools", 0, "name"), "a.b", "tools[0].name: must match"),
    "tool name of 65": (("tools", 0, "name"), "x" * 65, "tools[0].name: must match"),
    "tool name with a line end": (("tools", 0, "name"), "read\n", "tools[0].name: must match"),
    "two tools of one name": (("tools", 1, "name"), "read", "tools[1].name: 'read' is used twice"),
    "blank description": (("tools", 0, "description"), "", "tools[0].description: must be text"),
    "no schema": (("tools", 0, "input_schema"), GONE, "tools[0].input_schema: must be an object"),
    "schema of an array": (("tools", 0, "input_schema", "type"), "array", "tools[0].input_schema: must be a schema"),
    "properties in a list": (("tools", 0, "input_schema", "properties"), [], "input_schema.properties: must be"),
    "unknown tool field": (("tools", 0, "strictly"), True, "tools[0]: unknown field"),
    "unknown thinking": (("thinking", "type"), "deep", "thinking.type: must be one of"),
    "unknown display": (("thinking", "display"), "all", "thinking.display: must be one of"),
    "unknown effort": (("output_config", "effort"), "off", "output_config.effort: must be one of"),
    "no messages": (TALK, [], "messages: must be an array"),
    "a message that is a text": ((*TALK, 0), "Go", "messages[0]: must be an object"),
    "unknown role": ((*TALK, 0, "role"), "system", "messages[0].role: must be user"),
    "assistant first": ((*TALK, 0), GONE, "messages[0].role: must be user"),
    "two of the user in a row": ((*TALK, 3), GONE, "messages[3].role: must be assistant"),
    "two of the assistant in a row": ((*TALK, 2), GONE, "messages[2].role: must be user"),
    "assistant last": ((*TALK, 4), GONE, "messages[3].role: the last message must be the user's"),
    "unknown message field": ((*TALK, 0, "name"), "me", "messages[0]: unknown field"),
    "empty content": (ASKED, [], "messages[0].content: must be an array"),
    "no content": (ASKED, GONE, "messages[0].content: must be an array"),
    "blank content text": ((*TALK, 3, "content"), " ", "messages[3].content[0].text: must be text"),
    "empty text": ((*ASKED, 0, "text"), "", "messages[0].content[0].text: must be text"),
    "white text": ((*ASKED, 0, "text"), "\t\n ", "messages[0].content[0].text: must be text"),
    "text that is a number": ((*ASKED, 0, "text"), 1, "messages[0].content[0].text: must be text"),
    "unknown block": ((*ASKED, 0, "type"), "video", "messages[0].content[0]: a block of type 'video'"),
    "block without a type": ((*ASKED, 0, "type"), GONE, "messages[0].content[0]: a block of type None"),
    "block that is no object": ((*ASKED, 0), "Go", "messages[0].content[0]: must be an object"),
    "unknown block field": ((*ASKED, 0, "raw"), {}, "messages[0].content[0]: unknown field 'raw'"),
    "thinking of the user": ((*ASKED, 0), {"type": "thinking"}, "messages[0].content[0]: a block of type 'thinking'"),
    "call of the user": ((*ASKED, 0), tool_use("z"), "messages[0].content[0]: a block of type 'tool_use'"),
    "image of the assistant": ((*ANSWER, 2), {"type": "image"}, "messages[1].content[2]: a block of type 'image'"),
    "result of the assistant": ((*ANSWER, 2), tool_result("a"), "content[2]: a block of type 'tool_result'"),
    "unknown picture source": ((*ASKED, 1, "source", "type"), "file", "content[1].source: a source of type 'file'"),
    "unknown picture kind": ((*ASKED, 1, "source", "media_type"), "image/bmp", "source.media_type: must be one of"),
    "picture without bytes": ((*ASKED, 1, "source", "data"), "", "source.data: must be text"),
    "picture without source": ((*ASKED, 1, "source"), GONE, "messages[0].content[1].source: must be an object"),
    "picture from the disk": ((*ASKED, 1, "source"), {"type": "url", "url": "file:///x"}, "must be a web address"),
    "no signature": ((*ANSWER, 0, "signature"), GONE, "messages[1].content[0].signature: must be text"),
    "empty signature": ((*ANSWER, 0, "signature"), "", "messages[1].content[0].signature: must be text"),
    "no thinking text": ((*ANSWER, 0, "thinking"), GONE, "messages[1].content[0].thinking: must be text"),
    "mark on thinking": ((*ANSWER, 0, "cache_control"), MARK, "messages[1].content[0]: unknown field 'cache_control'"),
    "empty redacted": ((*ANSWER, 1, "data"), "", "messages[1].content[1].data: must be text"),
    "thinking last": (
        (*TALK, 3, "content"),
        [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "b", "signature": "c"}],
        "messages[3].content[1]: thinking must stand before",
    ),
    "thinking alone": (
        (*TALK, 3, "content"),
        [{"type": "redacted_thinking", "data": "c"}],
        "messages[3].content[0]: thinking must stand before",
    ),
    "call id with a colon": ((*ANSWER, 3, "id"), "read:0", "messages[1].content[3].id: must match"),
    "empty call id": ((*ANSWER, 3, "id"), "", "messages[1].content[3].id: must match"),
    "call id with a line end": ((*ANSWER, 3, "id"), "a\n", "messages[1].content[3].id: must match"),
    "call name with a space": ((*ANSWER, 3, "name"), "read it", "messages[1].content[3].name: must match"),
    "input as text": ((*ANSWER, 3, "input"), "{}", "messages[1].content[3].input: must be an object"),
    "no input": ((*ANSWER, 3, "input"), GONE, "messages[1].content[3].input: must be an object"),
    "one id for two calls": ((*ANSWER, 4, "id"), "a", "messages[1].content[4].id: 'a' is used twice"),
    "a call id used again": (
        (*TALK, 3),
        Also(
            {"role": "assistant", "content": [tool_use("a")]},
            {"role": "user", "content": [tool_result("a")]},
        ),
        "messages[3].content[0].id: 'a' is used twice",
    ),
    "a call without a result": ((*RESULTS, 0), GONE, "messages[2]: calls without a result: b"),
    "a result that comes later": (
        (*TALK, 2),
        Also({"role": "user", "content": "wait"}, {"role": "assistant", "content": "ok"}),
        "messages[2]: calls without a result: a, b",
    ),
    "an open call at the end": (
        TALK,
        [{"role": "user", "content": "Go"}, {"role": "assistant", "content": [tool_use("a")]}],
        "messages: calls without a result: a",
    ),
    "a result without a call": ((*RESULTS, 0), Also(tool_result("z")), "messages[2].content[0]: no open call 'z'"),
    "a result twice": ((*RESULTS, 1), Also(tool_result("b")), "messages[2].content[1]: no open call 'b'"),
    "words before a result": (
        (*RESULTS, 0),
        Also({"type": "text", "text": "x"}),
        "messages[2].content[1]: results must stand before",
    ),
    "result id with a dot": ((*RESULTS, 0, "tool_use_id"), "a.b", "messages[2].content[0].tool_use_id: must match"),
    "result without content": ((*RESULTS, 0, "content"), GONE, "messages[2].content[0].content: must be an array"),
    "empty result": ((*RESULTS, 0, "content"), [], "messages[2].content[0].content: must be an array"),
    "blank result": ((*RESULTS, 1, "content"), " ", "messages[2].content[1].content: must be text"),
    "blank text in a result": ((*RESULTS, 0, "content", 0, "text"), "", "content[0].content[0].text: must be text"),
    "call in a result": ((*RESULTS, 0, "content", 0), tool_use("q"), "content[0].content[0]: a block of type"),
    "picture in an error": (
        (*RESULTS, 1, "content"),
        [{"type": "image", "source": {"type": "url", "url": "https://example.org/a"}}],
        "messages[2].content[1].content[0]: a block of type 'image'",
    ),
    "error as text": ((*RESULTS, 1, "is_error"), "true", "messages[2].content[1].is_error: must be one of"),
    "error as 1": ((*RESULTS, 1, "is_error"), 1, "messages[2].content[1].is_error: must be one of"),
    "five marks": ((*ASKED, 0, "cache_control"), MARK, "body: 5 cache marks, more than 4"),
    "a fifth mark inside a result": ((*RESULTS, 0, "content", 0, "cache_control"), MARK, "body: 5 cache marks"),
    "unknown mark": (("system", 0, "cache_control", "type"), "forever", "system[0].cache_control.type: must be one of"),
    "unknown life of a mark": (("system", 0, "cache_control", "ttl"), "9h", "system[0].cache_control.ttl: must be"),
    "not a number": ((*ANSWER, 3, "input", "path"), float("nan"), "messages[1].content[3].input.path: nan is not"),
    "without end": ((*ANSWER, 3, "input", "path"), float("inf"), "messages[1].content[3].input.path: inf is not"),
    "half a character": ((*ASKED, 0, "text"), "a\ud800", "messages[0].content[0].text: a lone surrogate"),
    "half a character in a key": ((*ANSWER, 3, "input", "\ud800"), 1, "messages[1].content[3].input: '\\ud800' cannot"),
    "a number as a key": ((*ANSWER, 3, "input"), {1: 2}, "messages[1].content[3].input: 1 cannot be a JSON key"),
    "bytes": ((*ASKED, 0, "text"), b"Go", "messages[0].content[0].text: bytes is not a JSON value"),
}


def function_call(call_id: str) -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": "read", "arguments": '{"path": "a"}'}


def output(call_id: str) -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": "ok"}


def reasoning(item_id: str) -> JsonObject:
    return {"type": "reasoning", "id": item_id, "summary": [], "encrypted_content": "gAAA"}


def told(text: str) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def spoken(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


RESPONSES: JsonObject = {
    "model": "gpt-x",
    "instructions": "Be useful.",
    "input": [
        told("Go"),
        reasoning("rs_1"),
        {**spoken("I look."), "id": "msg_1", "status": "completed", "phase": "commentary"},
        reasoning("rs_2"),
        {**function_call("a"), "id": "fc_1", "status": "completed"},
        function_call("b"),
        output("b"),
        {**output("a"), "output": [{"type": "input_text", "text": "ok"}]},
        spoken("Done."),
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "And this?"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,aGk="},
            ],
        },
    ],
    "tools": [{"type": "function", "name": "read", "description": "Reads.", "parameters": SCHEMA, "strict": False}],
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "high", "summary": "auto"},
    "prompt_cache_key": "session",
    "max_output_tokens": 100,
    "stream": True,
}

BAD_RESPONSES: dict[str, Change] = {
    "no model": (("model",), "", "model: must be text"),
    "unknown field": (("messages",), [], "body: unknown field 'messages'"),
    "blank instructions": (("instructions",), " ", "instructions: must be text"),
    "blank cache key": (("prompt_cache_key",), "", "prompt_cache_key: must be text"),
    "long cache key": (("prompt_cache_key",), "k" * 65, "prompt_cache_key: must have at most 64"),
    "stored": (("store",), True, "store: must be one of False"),
    "store unsaid": (("store",), GONE, "store: must be one of False"),
    "stream as a number": (("stream",), 1, "stream: must be one of"),
    "limit too low": (("max_output_tokens",), 15, "max_output_tokens: must be a whole number from 16"),
    "unknown include": (("include", 0), "everything", "include[0]: must be one of"),
    "unknown effort": (("reasoning", "effort"), "off", "reasoning.effort: must be one of"),
    "unknown summary": (("reasoning", "summary"), "long", "reasoning.summary: must be one of"),
    "tool of another type": (("tools", 0, "type"), "custom", "tools[0].type: must be one of function"),
    "tool name with a dot": (("tools", 0, "name"), "a.b", "tools[0].name: must match"),
    "tool schema of no object": (("tools", 0, "parameters"), {}, "tools[0].parameters: must be a schema"),
    "strict tool": (("tools", 0, "strict"), True, "tools[0].strict: must be one of False"),
    "same tool twice": (
        ("tools", 0),
        Also({"type": "function", "name": "read", "parameters": SCHEMA, "strict": False}),
        "tools[1].name: 'read' is used twice",
    ),
    "no input": (("input",), [], "input: must be an array"),
    "item that is a text": (("input", 0), "Go", "input[0]: must be an object"),
    "unknown item": (("input", 8), {"type": "web_search_call"}, "input[8]: an item of type 'web_search_call'"),
    "unknown item field": (("input", 8, "raw"), 1, "input[8]: unknown field 'raw'"),
    "assistant first": (("input", 0), GONE, "input[0]: the first item must be"),
    "assistant last": (("input", 9), GONE, "input[8]: the last item must be"),
    "call last": (("input", 9), function_call("z"), "input[9]: the last item must be"),
    "unknown role": (("input", 8, "role"), "developer", "input[8].role: must be one of"),
    "empty content": (("input", 0, "content"), [], "input[0].content: must be an array"),
    "blank content": (("input", 0, "content"), " ", "input[0].content: must be text"),
    "blank text": (("input", 0, "content", 0, "text"), "\n", "input[0].content[0].text: must be text"),
    "output text of the user": (("input", 0, "content", 0, "type"), "output_text", "input[0].content[0]: a part of"),
    "input text of the assistant": (("input", 8, "content", 0, "type"), "input_text", "input[8].content[0]: a part of"),
    "blank refusal": (("input", 8, "content", 0), {"type": "refusal", "refusal": ""}, "content[0].refusal: must be"),
    "picture from the disk": (("input", 9, "content", 1, "image_url"), "/a.png", "content[1].image_url: must be"),
    "picture without detail": (("input", 9, "content", 1, "detail"), GONE, "content[1].detail: must be one of"),
    "unknown part field": (("input", 0, "content", 0, "cache_control"), MARK, "input[0].content[0]: unknown field"),
    "message id of another kind": (("input", 2, "id"), "item_1", "input[2].id: must begin with 'msg'"),
    "reasoning id of another kind": (("input", 1, "id"), "msg_7", "input[1].id: must begin with 'rs'"),
    "reasoning without id": (("input", 1, "id"), GONE, "input[1].id: must be text"),
    "one item id twice": (("input", 3, "id"), "rs_1", "input[3].id: 'rs_1' is used twice"),
    "unknown status": (("input", 2, "status"), "done", "input[2].status: must be one of"),
    "reasoning without content": (("input", 1, "encrypted_content"), None, "input[1].encrypted_content: must be"),
    "reasoning without summary": (("input", 1, "summary"), GONE, "input[1].summary: must be an array"),
    "reasoning cut off": (("input", 1, "status"), "in_progress", "input[1].status: reasoning that was cut off"),
    "reasoning before the user": (("input", 9), Also(reasoning("rs_9")), "input[9]: reasoning must be followed"),
    "reasoning before an output": (("input", 6), Also(reasoning("rs_9")), "input[6]: reasoning must be followed"),
    "reasoning last": (("input", 9), reasoning("rs_9"), "input[9]: reasoning must be followed"),
    "call without a call id": (("input", 4, "call_id"), GONE, "input[4].call_id: must match"),
    "call id of 65": (("input", 4, "call_id"), "x" * 65, "input[4].call_id: must match"),
    "call name with a space": (("input", 4, "name"), "a b", "input[4].name: must match"),
    "arguments as an object": (("input", 4, "arguments"), {}, "input[4].arguments: must be the text"),
    "arguments that are no JSON": (("input", 4, "arguments"), '{"a":', "input[4].arguments: must be the text"),
    "arguments that are an array": (("input", 4, "arguments"), "[]", "input[4].arguments: must be the text"),
    "arguments without a number": (("input", 4, "arguments"), '{"a": NaN}', "input[4].arguments: must be the text"),
    "one call id twice": (("input", 5, "call_id"), "a", "input[5].call_id: 'a' is used twice"),
    "call without an output": (("input", 7), GONE, "input[7]: calls without an output before it: a"),
    "output after the next message": (("input", 6), Also(told("wait")), "input[6]: calls without an output before it"),
    "output after the next answer": (("input", 7), Also(spoken("wait")), "input[7]: calls without an output before it"),
    "open call at the end": (("input", 9), Also(function_call("z")), "input[10]: calls without an output before it: z"),
    "output without a call": (("input", 6), Also(output("z")), "input[6]: no open call 'z'"),
    "output before its call": (("input", 1), Also(output("a")), "input[1]: no open call 'a'"),
    "output twice": (("input", 8), Also(output("a")), "input[8]: no open call 'a'"),
    "blank output": (("input", 6, "output"), "", "input[6].output: must be text"),
    "empty output": (("input", 7, "output"), [], "input[7].output: must be an array"),
    "no output": (("input", 6, "output"), GONE, "input[6].output: must be an array"),
    "half a character": (("input", 0, "content", 0, "text"), "\udc00", "input[0].content[0].text: a lone surrogate"),
}


def chat_call(call_id: str) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": "read", "arguments": "{}"}}


def tool_message(call_id: str) -> JsonObject:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


CHAT: JsonObject = {
    "model": "local",
    "messages": [
        {"role": "system", "content": "Be useful."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Go"},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            ],
        },
        {"role": "assistant", "content": None, "tool_calls": [chat_call("functions.read:0"), chat_call("b")]},
        tool_message("b"),
        tool_message("functions.read:0"),
        {"role": "assistant", "content": "I look.", "tool_calls": [chat_call("c")]},
        tool_message("c"),
        {"role": "user", "content": "Stop"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}}],
    "max_tokens": 100,
    "stream": True,
    "stream_options": {"include_usage": True},
}
CALLS: Path = ("messages", 2, "tool_calls")

BAD_CHAT: dict[str, Change] = {
    "no model": (("model",), GONE, "model: must be text"),
    "unknown field": (("system",), "x", "body: unknown field 'system'"),
    "limit zero": (("max_tokens",), 0, "max_tokens: must be a whole number"),
    "usage without a stream": (("stream",), False, "stream_options: allowed only where stream is true"),
    "unknown stream option": (("stream_options", "x"), 1, "stream_options: unknown field"),
    "tool of another type": (("tools", 0, "type"), "custom", "tools[0].type: must be one of"),
    "tool without function": (("tools", 0, "function"), GONE, "tools[0].function: must be an object"),
    "tool name with a space": (("tools", 0, "function", "name"), "a b", "tools[0].function.name: must match"),
    "tool schema of no object": (("tools", 0, "function", "parameters"), {}, "function.parameters: must be a schema"),
    "no messages": (TALK, [], "messages: must be an array"),
    "unknown role": ((*TALK, 8, "role"), "function", "messages[8].role: 'function' is not known"),
    "unknown message field": ((*TALK, 8, "thinking"), "x", "messages[8]: unknown field 'thinking'"),
    "calls of the user": ((*TALK, 9, "tool_calls"), [], "messages[9]: unknown field 'tool_calls'"),
    "a second system": ((*TALK, 1), Also({"role": "system", "content": "x"}), "messages[1]: the system speaks first"),
    "only the system": (TALK, [{"role": "system", "content": "x"}], "messages: the talk must begin with the user"),
    "assistant first": ((*TALK, 1), GONE, "messages: the talk must begin with the user"),
    "two answers in a row": ((*TALK, 9), Also({"role": "assistant", "content": "x"}), "messages[9]: two messages of"),
    "two prompts in a row": ((*TALK, 8), GONE, "messages[8]: two messages of the user"),
    "assistant last": ((*TALK, 9), GONE, "messages[8]: the last message must be"),
    "blank system": ((*TALK, 0, "content"), "", "messages[0].content: must be text"),
    "blank prompt": ((*TALK, 9, "content"), " ", "messages[9].content: must be text"),
    "null prompt": ((*TALK, 9, "content"), None, "messages[9].content: must be an array"),
    "empty prompt": ((*TALK, 1, "content"), [], "messages[1].content: must be an array"),
    "blank part": ((*TALK, 1, "content", 0, "text"), "", "messages[1].content[0].text: must be text"),
    "unknown part": ((*TALK, 1, "content", 0, "type"), "audio", "messages[1].content[0]: a part of type 'audio'"),
    "unknown part field": ((*TALK, 1, "content", 0, "x"), 1, "messages[1].content[0]: unknown field"),
    "picture from the disk": ((*TALK, 1, "content", 1, "image_url", "url"), "/a.png", "image_url.url: must be"),
    "picture without an object": ((*TALK, 1, "content", 1, "image_url"), "https://x", "image_url: must be an object"),
    "null answer without calls": ((*TALK, 8, "content"), None, "messages[8].content: must be text"),
    "blank answer": ((*TALK, 5, "content"), "", "messages[5].content: must be text"),
    "empty list of calls": ((*TALK, 8, "tool_calls"), [], "messages[8].tool_calls: must be an array"),
    "call of another type": ((*CALLS, 0, "type"), "custom", "messages[2].tool_calls[0].type: must be one of"),
    "call id of 41": ((*CALLS, 0, "id"), "x" * 41, "messages[2].tool_calls[0].id: must match"),
    "call id with a space": ((*CALLS, 0, "id"), "a b", "messages[2].tool_calls[0].id: must match"),
    "call without a function": ((*CALLS, 0, "function"), GONE, "messages[2].tool_calls[0].function: must be an object"),
    "call name with a space": ((*CALLS, 0, "function", "name"), "a b", "tool_calls[0].function.name: must match"),
    "arguments as an object": ((*CALLS, 0, "function", "arguments"), {}, "function.arguments: must be the text"),
    "arguments cut off": ((*CALLS, 0, "function", "arguments"), '{"a', "function.arguments: must be the text"),
    "unknown call field": ((*CALLS, 0, "index"), 0, "messages[2].tool_calls[0]: unknown field 'index'"),
    "one call id twice": ((*CALLS, 0, "id"), "b", "messages[2].tool_calls: 'b' is used twice"),
    "a call id used again": ((*TALK, 5, "tool_calls", 0, "id"), "b", "messages[5].tool_calls: 'b' is used twice"),
    "call without a result": ((*TALK, 3), GONE, "messages[4]: calls without a result before it: b"),
    "a prompt between the results": (
        (*TALK, 4),
        Also({"role": "user", "content": "x"}),
        "messages[4]: calls without a result before it: functions.read:0",
    ),
    "open call at the end": (
        TALK,
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [chat_call("a")]}],
        "messages: calls without a result: a",
    ),
    "result without a call": ((*TALK, 8), Also(tool_message("z")), "messages[8]: no open call 'z'"),
    "result twice": ((*TALK, 4), Also(tool_message("b")), "messages[4]: no open call 'b'"),
    "result without an id": ((*TALK, 6, "tool_call_id"), GONE, "messages[6].tool_call_id: must match"),
    "blank result": ((*TALK, 6, "content"), "", "messages[6].content: must be text"),
    "half a character": ((*TALK, 9, "content"), "\ud800", "messages[9].content: a lone surrogate"),
}

WIRES: dict[str, tuple[Callable[[JsonObject], list[str]], JsonObject, dict[str, Change]]] = {
    "anthropic": (check_anthropic, ANTHROPIC, BAD_ANTHROPIC),
    "responses": (check_responses, RESPONSES, BAD_RESPONSES),
    "chat": (check_chat, CHAT, BAD_CHAT),
}


@pytest.mark.parametrize("wire", WIRES)
def test_a_good_body_is_accepted(wire: str) -> None:
    check, good, _ = WIRES[wire]
    assert check(good) == []


@pytest.mark.parametrize(("wire", "flaw"), [(wire, flaw) for wire, (_, _, bad) in WIRES.items() for flaw in bad])
def test_a_flaw_is_named_with_its_place(wire: str, flaw: str) -> None:
    check, good, bad = WIRES[wire]
    path, value, finding = bad[flaw]
    found = check(changed(good, path, value))
    assert any(finding in sentence for sentence in found), found


@pytest.mark.parametrize("wire", WIRES)
def test_one_flaw_hides_no_other(wire: str) -> None:
    check, good, _ = WIRES[wire]
    body = changed(changed(good, ("model",), ""), ("surprise",), 1)
    assert len(check(body)) == 2


@pytest.mark.parametrize(
    ("wire", "path", "value"),
    [
        ("anthropic", ("system",), "Be useful."),
        ("anthropic", ("system",), GONE),
        ("anthropic", ("tools",), GONE),
        ("anthropic", ("thinking",), {"type": "disabled"}),
        ("anthropic", (*ANSWER, 3, "input"), {"cache_control": MARK}),
        ("anthropic", (*ASKED, 1, "source"), {"type": "url", "url": "https://example.org/a"}),
        ("responses", ("input", 9), told("Bye")),
        ("responses", ("input", 3), Also(reasoning("rs_7"))),
        ("responses", ("input", 5), Also(spoken("between"))),
        ("responses", ("input", 8, "content", 0), {"type": "refusal", "refusal": "No."}),
        ("chat", ("messages", 0), GONE),
        ("chat", ("messages", 7), GONE),
        ("chat", ("tools",), GONE),
    ],
)
def test_other_good_bodies_are_accepted(wire: str, path: Path, value: object) -> None:
    check, good, _ = WIRES[wire]
    assert check(changed(good, path, value)) == []


def test_a_body_of_nothing_is_refused_without_a_crash() -> None:
    for check, good, _ in WIRES.values():
        assert check({})
        for key in good:
            for nonsense in (None, 1, "x", [], [None], [[]], {}, [{}], [{"type": []}], [{"role": {}, "content": [1]}]):
                check({**good, key: nonsense})


READ = ToolSpec("read", "Reads.", SCHEMA)
GO = UserTurn((Text("Go"),))
CALLED = AssistantTurn((Thinking("Hm", None), ToolCall("a", "read", {}), ToolCall("b", "read", {})))
A, B = ToolResult("a", "read", "", False), ToolResult("b", "read", "no", True)
GOOD = Request(Model("maker", "m"), "", (READ,), (GO, CALLED, UserTurn((A, B, Text("on")))), 10)

BAD_REQUESTS: dict[str, tuple[Request, str]] = {
    "no model name": (replace(GOOD, model=Model("maker", "")), "model.name: must be text"),
    "no output": (replace(GOOD, max_output_tokens=0), "max_output_tokens: must be"),
    "a tool twice": (replace(GOOD, tools=(READ, READ)), "tools[1].name: 'read' is used twice"),
    "a tool name with a dot": (replace(GOOD, tools=(replace(READ, name="a.b"),)), "tools[0].name: must match"),
    "a schema of no object": (replace(GOOD, tools=(replace(READ, input_schema={}),)), "tools[0].input_schema: must be"),
    "no messages": (replace(GOOD, messages=()), "messages: must not be empty"),
    "assistant first": (replace(GOOD, messages=(AssistantTurn((Text("x"),)),)), "messages[0]: must be of the user"),
    "assistant last": (replace(GOOD, messages=(GO, AssistantTurn((Text("x"),)))), "messages[1]: the last message"),
    "two of the user": (replace(GOOD, messages=(GO, GO)), "messages[1]: must be of the assistant"),
    "an empty turn": (replace(GOOD, messages=(UserTurn(()),)), "messages[0]: must not be empty"),
    "blank words": (replace(GOOD, messages=(UserTurn((Text(" "),)),)), "messages[0].parts[0]: must be text"),
    "a blank answer": (replace(GOOD, messages=(GO, AssistantTurn((Text(""),)), GO)), "messages[1].parts[0]: must be"),
    "an answer of thoughts": (
        replace(GOOD, messages=(GO, AssistantTurn((Thinking("x", "y"),)), GO)),
        "messages[1]: must hold words or a call",
    ),
    "a blank call id": (
        replace(GOOD, messages=(GO, AssistantTurn((ToolCall("", "read", {}),)), UserTurn((replace(A, call_id=""),)))),
        "messages[1].parts[0].id: must be text",
    ),
    "one call id twice": (
        replace(GOOD, messages=(*GOOD.messages, CALLED, UserTurn((A, B)))),
        "messages[3].parts[1].id: 'a' is used twice",
    ),
    "a result missing": (replace(GOOD, messages=(GO, CALLED, UserTurn((A,)))), "messages[2]: results for ['a']"),
    "a result twice": (replace(GOOD, messages=(GO, CALLED, UserTurn((A, A, B)))), "messages[2]: results for"),
    "results in another order": (replace(GOOD, messages=(GO, CALLED, UserTurn((B, A)))), "messages[2]: results for"),
    "a result without a call": (replace(GOOD, messages=(UserTurn((A,)),)), "messages[0]: results for ['a']"),
    "words before a result": (
        replace(GOOD, messages=(GO, CALLED, UserTurn((A, Text("x"), B)))),
        "messages[2].parts[2]: results must stand before",
    ),
}


def test_a_request_that_keeps_its_promises_is_accepted() -> None:
    assert check_request(GOOD) == []


@pytest.mark.parametrize("flaw", BAD_REQUESTS)
def test_a_broken_promise_is_named_with_its_place(flaw: str) -> None:
    request, finding = BAD_REQUESTS[flaw]
    found = check_request(request)
    assert any(finding in sentence for sentence in found), found
