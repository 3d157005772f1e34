"""Chat Completions, as a careful server speaks and checks them."""

from typing import assert_never

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import StopReason
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.wire import check_chat
from diligent_tui.providers.wire.values import is_array, is_object
from tests.wire.format import Format, event
from tests.wire.scripts import Call, Heard, Say, Script, Step, Think

STOPS: dict[StopReason, str] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "refusal": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "context_window": "length",
    "content_filter": "content_filter",
}


def events(script: Script, body: JsonObject) -> list[bytes]:
    """The answer as the server streams it."""
    deltas: list[JsonObject] = [{"role": "assistant", "content": ""}]
    calls = 0
    for step in script.steps:
        deltas += _deltas(script, step, calls)
        calls += isinstance(step, Call)
    model = body.get("model")
    found = [chunk({"index": 0, "delta": delta, "finish_reason": None}, model) for delta in deltas]
    found.append(chunk({"index": 0, "delta": {}, "finish_reason": STOPS.get(script.stop_reason, "stop")}, model))
    if script.usage is not None:
        found.append(event({"object": "chat.completion.chunk", "choices": [], "usage": _usage(script.usage)}))
    return [*found, event("[DONE]")]


def chunk(choice: JsonObject, model: object = "model-1", **more: object) -> bytes:
    """One event of the stream."""
    data: JsonObject = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model}
    return event({**data, "choices": [choice], **more})


def error_event(kind: str, message: str) -> bytes:
    """An error in the middle of a stream."""
    return event(error_body(kind, message))


def error_body(kind: str, message: str) -> JsonObject:
    """What a refusal says."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def hear(body: JsonObject) -> Heard:
    """What was said last, and which tools are offered."""
    last: list[JsonObject] = []
    for message in reversed(_objects(body.get("messages"))):
        if message.get("role") not in ("user", "tool"):
            break
        last.insert(0, message)
    words = [_text(message.get("content")) for message in last if message.get("role") == "user"]
    results = [_text(message.get("content")) for message in last if message.get("role") == "tool"]
    tools = [function for tool in _objects(body.get("tools")) if is_object(function := tool.get("function"))]
    return Heard("\n".join(words), tuple(results), tuple(str(tool.get("name")) for tool in tools))


def _overflow(tokens: int, limit: int) -> str:
    return (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. "
        "Please reduce the length of the messages."
    )


FORMAT = Format("openai-compatible", "/chat/completions", check_chat, events, error_body, _overflow, hear)


def _objects(value: object) -> list[JsonObject]:
    return [item for item in value if is_object(item)] if is_array(value) else []


def _text(content: object) -> str:
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in _objects(content))


def _deltas(script: Script, step: Step, index: int) -> list[JsonObject]:
    match step:
        case Say():
            field = "refusal" if script.stop_reason == "refusal" else "content"
            return [{field: piece} for piece in script.pieces(step.text)]
        case Think():
            return [] if step.hidden else [{"reasoning_content": piece} for piece in script.pieces(step.text)]
        case Call():
            begun: JsonObject = {"name": step.name, "arguments": ""}
            first: JsonObject = {"index": index, "id": step.id, "type": "function", "function": begun}
            pieces = script.pieces(step.arguments)
            rest: list[JsonObject] = [{"index": index, "function": {"arguments": piece}} for piece in pieces]
            return [{"tool_calls": [fragment]} for fragment in (first, *rest)]
        case _:
            assert_never(step)


def _usage(usage: Usage) -> JsonObject:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.context_tokens,
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
        },
    }
