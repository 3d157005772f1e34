"""Anthropic's Messages, as its server speaks and checks them."""

import hashlib
import json
from typing import assert_never

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import StopReason
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.wire import check_anthropic
from diligent_tui.providers.wire.values import is_array, is_object
from tests.wire.format import Format, event
from tests.wire.scripts import Call, Heard, Say, Script, Step, Think

STOPS: dict[StopReason, str] = {
    "context_window": "model_context_window_exceeded",
    "content_filter": "refusal",
}
"""Where the server's word differs from ours."""


def sign(thinking: str, model: object) -> str:
    """The signature of a thought; a changed letter or another model shows."""
    return "Eq" + hashlib.sha256(f"{model}\n{thinking}".encode()).hexdigest()


def blocks(script: Script, model: object) -> list[JsonObject]:
    """The blocks that an answer is made of, as they are to come back."""
    return [_block(step, model) for step in script.steps]


def events(script: Script, body: JsonObject) -> list[bytes]:
    """The answer as the server streams it."""
    model = body.get("model")
    found: list[JsonObject] = [
        {
            "type": "message_start",
            "message": {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": _usage(script.usage, at_start=True),
            },
        },
        {"type": "ping"},
    ]
    for index, step in enumerate(script.steps):
        found += _block_events(script, step, index, model)
    reason = STOPS.get(script.stop_reason, script.stop_reason)
    ended: JsonObject = {"stop_reason": reason, "stop_sequence": None}
    found.append({"type": "message_delta", "delta": ended, "usage": _usage(script.usage, at_start=False)})
    found.append({"type": "message_stop"})
    return [event(data, str(data["type"])) for data in found]


def error_event(kind: str, message: str) -> bytes:
    """An error in the middle of a stream."""
    return event(error_body(kind, message), "error")


def error_body(kind: str, message: str) -> JsonObject:
    """What a refusal says."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def check(body: JsonObject) -> list[str]:
    """All that the server refuses, thoughts that it did not sign for this model among it."""
    found = check_anthropic(body)
    for message in _objects(body.get("messages")):
        for block in _objects(message.get("content")):
            if block.get("type") == "thinking" and block.get("signature") != sign(
                str(block.get("thinking")), body.get("model")
            ):
                found.append("messages: Invalid `signature` in `thinking` block")
    return found


def hear(body: JsonObject) -> Heard:
    """What the last message says, and which tools are offered."""
    messages = _objects(body.get("messages"))
    last = _objects(messages[-1].get("content")) if messages else []
    words = [str(block["text"]) for block in last if block.get("type") == "text"]
    results = [json_text(block.get("content")) for block in last if block.get("type") == "tool_result"]
    tools = [str(tool.get("name")) for tool in _objects(body.get("tools"))]
    return Heard("\n".join(words), tuple(results), tuple(tools))


def json_text(content: object) -> str:
    """The words in a list of blocks."""
    return "\n".join(str(block.get("text", "")) for block in _objects(content))


def _overflow(tokens: int, limit: int) -> str:
    return f"prompt is too long: {tokens} tokens > {limit} maximum"


FORMAT = Format("anthropic", "/v1/messages", check, events, error_body, _overflow, hear)


def _objects(value: object) -> list[JsonObject]:
    return [item for item in value if is_object(item)] if is_array(value) else []


def _block(step: Step, model: object) -> JsonObject:
    match step:
        case Say():
            return {"type": "text", "text": step.text}
        case Think(hidden=True):
            return {"type": "redacted_thinking", "data": sign(step.text, model)}
        case Think():
            return {"type": "thinking", "thinking": step.text, "signature": sign(step.text, model)}
        case Call():
            value: object = json.loads(step.arguments)
            return {"type": "tool_use", "id": step.id, "name": step.name, "input": value}
        case _:
            assert_never(step)


def _block_events(script: Script, step: Step, index: int, model: object) -> list[JsonObject]:
    deltas: list[JsonObject]
    match step:
        case Say():
            start: JsonObject = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in script.pieces(step.text)]
        case Think(hidden=True):
            start, deltas = _block(step, model), []
        case Think():
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in script.pieces(step.text)]
            deltas.append({"type": "signature_delta", "signature": sign(step.text, model)})
        case Call():
            start = {"type": "tool_use", "id": step.id, "name": step.name, "input": {}}
            pieces = ["", *script.pieces(step.arguments)]
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        case _:
            assert_never(step)
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def _usage(usage: Usage | None, *, at_start: bool) -> JsonObject:
    if usage is None:
        return {}
    told: JsonObject = {
        "input_tokens": usage.input_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "output_tokens": 1 if at_start else usage.output_tokens,
    }
    return told if at_start else {"output_tokens": usage.output_tokens}
