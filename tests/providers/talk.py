"""Small talks to convert, raw items of both makers, and ways to look into a body."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    Image,
    Request,
    RequestMessage,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserTurn,
)
from diligent_tui.providers.wire.values import (
    is_array,
    is_object,
)

MODEL = Model("maker", "model-1", sees_images=True, thinking_levels=("low", "high"))
READ = ToolSpec("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
LIST = ToolSpec("list", "Lists a folder.", {"type": "object"})
PNG = Image({"type": "base64", "media_type": "image/png", "data": "aGVsbG8="})
WEB = Image({"type": "url", "url": "https://example.org/a.png"})

THOUGHT: JsonObject = {"signature": "EqQB", "thinking": "Hm.\u2028 ", "type": "thinking"}
SAID: JsonObject = {"citations": None, "type": "text", "text": "I look.  "}
USED: JsonObject = {"type": "tool_use", "input": {"b": 1, "a": 1.0}, "name": "read", "id": "toolu_1"}
REASONED: JsonObject = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
SPOKEN: JsonObject = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
}
FUNCTION: JsonObject = {
    "id": "fc_1",
    "type": "function_call",
    "call_id": "toolu_1",
    "name": "read",
    "arguments": '{"b" :1}',
}


def user(*texts: str) -> UserTurn:
    return UserTurn(tuple(Text(text) for text in texts))


def call(call_id: str, raw: JsonObject | None = None) -> ToolCall:
    return ToolCall(call_id, "read", {"path": "a.py"}, raw)


def result(call_id: str, output: str = "text", *, is_error: bool = False, images: tuple[Image, ...] = ()) -> ToolResult:
    return ToolResult(call_id, "read", output, is_error, images)


def request(*messages: RequestMessage) -> Request:
    return Request(MODEL, "Be useful.", (READ, LIST), messages, 4096, cache_key="session")


def parts_of(body: JsonObject, key: str) -> list[JsonObject]:
    values = body[key]
    assert is_array(values)
    return [value for value in values if is_object(value)]


def blocks_of(body: JsonObject) -> list[JsonObject]:
    return [block for message in parts_of(body, "messages") for block in parts_of(message, "content")]


def unmarked(value: object) -> object:
    if is_object(value):
        return {key: unmarked(item) for key, item in value.items() if key != "cache_control"}
    return [unmarked(item) for item in value] if is_array(value) else value
