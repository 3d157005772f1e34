"""OpenAI's Responses, as its server speaks and checks them."""

import hashlib
import json
from typing import assert_never

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.wire import check_responses
from diligent_tui.providers.wire.values import is_array, is_object
from tests.wire.format import Format, event
from tests.wire.scripts import Call, Heard, Say, Script, Step, Think

OVERFLOW = "context_length_exceeded"
TOO_LONG = "Your input exceeds the context window of this model. Please adjust your input and try again."
CODES = {
    "invalid_request_error": "invalid_value",
    "authentication_error": "invalid_api_key",
    "rate_limit_error": "rate_limit_exceeded",
    "overloaded_error": "server_overloaded",
    "api_error": "server_error",
    "not_found_error": "model_not_found",
}
"""The server's own words for the kinds of errors."""


def seal(thinking: str, model: object) -> str:
    """The reasoning as only this model can read it again."""
    return "gAAA" + hashlib.sha256(f"{model}\n{thinking}".encode()).hexdigest()


def items(script: Script, body: JsonObject) -> list[JsonObject]:
    """The items that an answer is made of, as they are to come back; no two answers share an id."""
    mark = hashlib.sha256(json.dumps(body.get("input")).encode()).hexdigest()[:12]
    cut = script.stop_reason in ("max_tokens", "content_filter")
    found = [_item(script, step, f"{mark}{index}", body) for index, step in enumerate(script.steps)]
    if found and cut and "status" in found[-1]:
        found[-1]["status"] = "incomplete"
    return found


def events(script: Script, body: JsonObject) -> list[bytes]:
    """The answer as the server streams it."""
    output = items(script, body)
    response: JsonObject = {"id": "resp_1", "object": "response", "model": body.get("model"), "output": []}
    found: list[JsonObject] = [
        {"type": "response.created", "response": {**response, "status": "in_progress"}},
        {"type": "response.in_progress", "response": {**response, "status": "in_progress"}},
    ]
    for index, (step, item) in enumerate(zip(script.steps, output, strict=True)):
        found += _item_events(script, step, index, item)
    found.append(_last(script, {**response, "output": output, "usage": _usage(script.usage)}))
    numbered = [{**data, "sequence_number": number} for number, data in enumerate(found)]
    return [event(data, str(data["type"])) for data in numbered]


def error_event(kind: str, message: str, *, nested: bool = True) -> bytes:
    """An error in the middle of a stream, in either of its shapes."""
    error: JsonObject = {"type": kind, "code": CODES.get(kind, kind), "message": message, "param": None}
    flat: JsonObject = {**error, "type": "error", "sequence_number": 3}
    return event({"type": "error", "error": error} if nested else flat, "error")


def failed_event(code: str, message: str) -> bytes:
    """An answer that the server itself declares failed."""
    error = {"code": code, "message": message}
    return event({"type": "response.failed", "response": {"status": "failed", "error": error}}, "response.failed")


def error_body(kind: str, message: str) -> JsonObject:
    """What a refusal says."""
    code = OVERFLOW if "context" in message else CODES.get(kind)
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def check(body: JsonObject) -> list[str]:
    """All that the server refuses, reasoning that was not sealed for this model among it."""
    found = check_responses(body)
    for item in _objects(body.get("input")):
        if item.get("type") == "reasoning":
            said = "".join(str(part.get("text")) for part in _objects(item.get("summary")))
            hidden = [seal(said, body.get("model")), seal(str(item.get("id")), body.get("model"))]
            if item.get("encrypted_content") not in hidden:
                found.append("input: The encrypted content could not be verified")
    return found


def hear(body: JsonObject) -> Heard:
    """What was said last, and which tools are offered."""
    last: list[JsonObject] = []
    for item in reversed(_objects(body.get("input"))):
        if item.get("type") != "function_call_output" and item.get("role") != "user":
            break
        last.insert(0, item)
    words = [_text(item.get("content")) for item in last if item.get("type") == "message"]
    results = [_text(item.get("output")) for item in last if item.get("type") == "function_call_output"]
    tools = [str(tool.get("name")) for tool in _objects(body.get("tools"))]
    return Heard("\n".join(words), tuple(results), tuple(tools))


def _overflow(tokens: int, limit: int) -> str:
    return (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. "
        "Please reduce the length of the messages."
    )


FORMAT = Format("openai", "/responses", check, events, error_body, _overflow, hear)


def _objects(value: object) -> list[JsonObject]:
    return [item for item in value if is_object(item)] if is_array(value) else []


def _text(content: object) -> str:
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in _objects(content))


def _item(script: Script, step: Step, mark: str, body: JsonObject) -> JsonObject:
    model = body.get("model")
    match step:
        case Say():
            part: JsonObject = {"type": "output_text", "text": step.text, "annotations": [], "logprobs": []}
            if script.stop_reason == "refusal":
                part = {"type": "refusal", "refusal": step.text}
            return {
                "id": f"msg_{mark}",
                "type": "message",
                "status": "completed",
                "content": [part],
                "role": "assistant",
            }
        case Think():
            reasoning_id = f"rs_{mark}"
            summary = [] if step.hidden else [{"type": "summary_text", "text": step.text}]
            sealed = seal(reasoning_id if step.hidden else step.text, model)
            asked = is_array(wanted := body.get("include")) and "reasoning.encrypted_content" in wanted
            item: JsonObject = {"id": reasoning_id, "type": "reasoning", "summary": summary}
            return {**item, "encrypted_content": sealed} if asked else item
        case Call():
            return {
                "id": f"fc_{mark}",
                "type": "function_call",
                "status": "completed",
                "arguments": step.arguments,
                "call_id": step.id,
                "name": step.name,
            }
        case _:
            assert_never(step)


def _item_events(script: Script, step: Step, index: int, item: JsonObject) -> list[JsonObject]:
    place: JsonObject = {"item_id": item["id"], "output_index": index}
    begun: JsonObject = dict(item)
    deltas: list[JsonObject]
    match step:
        case Say():
            kind = "refusal" if script.stop_reason == "refusal" else "output_text"
            begun["content"] = []
            deltas = [
                {"type": f"response.{kind}.delta", **place, "content_index": 0, "delta": piece}
                for piece in script.pieces(step.text)
            ]
        case Think():
            begun = {**begun, "summary": [], "encrypted_content": "half"}
            part: JsonObject = {**place, "summary_index": 0}
            deltas = [] if step.hidden else [{"type": "response.reasoning_summary_part.added", **part}]
            deltas += [
                {"type": "response.reasoning_summary_text.delta", **part, "delta": piece}
                for piece in script.pieces("" if step.hidden else step.text)
            ]
        case Call():
            begun = {**begun, "arguments": "", "status": "in_progress"}
            kind = "response.function_call_arguments.delta"
            deltas = [{"type": kind, **place, "delta": piece} for piece in script.pieces(step.arguments)]
        case _:
            assert_never(step)
    return [
        {"type": "response.output_item.added", "output_index": index, "item": begun},
        *deltas,
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def _last(script: Script, response: JsonObject) -> JsonObject:
    match script.stop_reason:
        case "max_tokens" | "content_filter" as reason:
            why = "max_output_tokens" if reason == "max_tokens" else reason
            response = {**response, "status": "incomplete", "incomplete_details": {"reason": why}}
            return {"type": "response.incomplete", "response": response}
        case "context_window":
            error = {"code": OVERFLOW, "message": TOO_LONG}
            return {"type": "response.failed", "response": {**response, "status": "failed", "error": error}}
        case _:
            return {"type": "response.completed", "response": {**response, "status": "completed"}}


def _usage(usage: Usage | None) -> JsonObject | None:
    if usage is None:
        return None
    return {
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
        },
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.context_tokens,
    }
