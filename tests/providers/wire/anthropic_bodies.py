"""A body that Anthropic accepts, and the flaws that it does not."""

from diligent_tui.domain.json_objects import JsonObject
from tests.providers.wire.changes import GONE, MARK, SCHEMA, Also, Change, Path


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
    "unknown mark on a tool": (("tools", 1, "cache_control"), {}, "tools[1].cache_control.type: must be one of"),
    "budget of adaptive thinking": (("thinking", "budget_tokens"), 9, "thinking: unknown field 'budget_tokens'"),
    "unknown output field": (("output_config", "x"), 9, "output_config: unknown field 'x'"),
    "unknown field of bytes": ((*ASKED, 1, "source", "url"), "x", "messages[0].content[1].source: unknown field 'url'"),
    "unknown field of an address": (
        (*ASKED, 1, "source"),
        {"type": "url", "url": "https://example.org/a", "data": "x"},
        "messages[0].content[1].source: unknown field 'data'",
    ),
    "unknown mark field": (("system", 0, "cache_control", "x"), 1, "system[0].cache_control: unknown field 'x'"),
}
