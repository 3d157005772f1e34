"""Our request as a body for Chat Completions, in the words that every such server knows."""

import json

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Image,
    Request,
    RequestMessage,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserTurn,
)
from diligent_tui.providers.wire.fitting import (
    PICTURE_LEFT_OUT,
    clean_object,
    clean_text,
    own_item,
    picture,
    results_and_words,
    said,
    spoken_turns,
    wire_id,
    wire_name,
)
from diligent_tui.providers.wire.values import CHAT_CALL_ID, TOOL_NAME, holds_json_object, is_object, is_said

_BETWEEN_TEXTS = "\n\n"
_MOST_EFFORT = "high"
"""Few servers know a higher one."""


def to_chat(request: Request) -> JsonObject:
    """The body for the request, streamed with its usage at the end."""
    messages: list[JsonObject] = []
    if is_said(request.system):
        messages.append({"role": "system", "content": clean_text(request.system)})
    for turn in spoken_turns(request.messages):
        messages += _messages(turn, request.model)
    body: JsonObject = {"model": request.model.name, "messages": messages}
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    # Servers of local models know the older name of this limit only.
    body["max_tokens"] = request.max_output_tokens
    if request.thinking != "off" and request.thinking in request.model.thinking_levels:
        # Only models that the user said so of: many servers refuse what they do not know.
        body["reasoning_effort"] = _MOST_EFFORT if request.thinking == "max" else request.thinking
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    return body


def _tool(spec: ToolSpec) -> JsonObject:
    function: JsonObject = {"name": spec.name}
    if is_said(spec.description):
        function["description"] = clean_text(spec.description)
    function["parameters"] = clean_object(spec.input_schema)
    return {"type": "function", "function": function}


def _messages(turn: RequestMessage, model: Model) -> list[JsonObject]:
    match turn:
        case UserTurn():
            results, words = results_and_words(turn)
            # A tool's message carries text alone, so its pictures are shown right after by the user.
            pictures = [image for result in results for image in result.images]
            messages = [_result(part) for part in results]
            if shown := [*pictures, *words]:
                messages.append({"role": "user", "content": _content(shown, model)})
            return messages
        case AssistantTurn():
            return [_answer(turn)]


def _content(parts: list[Text | Image], model: Model) -> str | list[JsonObject]:
    """One text where no picture is shown, for many a small server takes nothing else."""
    blocks = [_words(part, model) for part in parts]
    texts = [text for block in blocks if isinstance(text := block.get("text"), str)]
    return _BETWEEN_TEXTS.join(texts) if len(texts) == len(blocks) else blocks


def _words(part: Text | Image, model: Model) -> JsonObject:
    match part:
        case Text():
            return {"type": "text", "text": clean_text(part.text)}
        case Image():
            shown = picture(part, model)
            if shown is None:
                return {"type": "text", "text": PICTURE_LEFT_OUT}
            return {"type": "image_url", "image_url": {"url": shown.address}}


def _result(part: ToolResult) -> JsonObject:
    return {"role": "tool", "tool_call_id": wire_id(part.call_id, CHAT_CALL_ID), "content": said(part.output)}


def _answer(turn: AssistantTurn) -> JsonObject:
    texts = [clean_text(part.text) for part in turn.parts if isinstance(part, Text)]
    calls = [_call(part) for part in turn.parts if isinstance(part, ToolCall)]
    message: JsonObject = {"role": "assistant", "content": _BETWEEN_TEXTS.join(texts) if texts else None}
    if calls:
        message["tool_calls"] = calls
    return message


def _call(part: ToolCall) -> JsonObject:
    own = own_item(part.raw, "function")
    if own and _is_that_call(own, part):
        return own
    return {
        "id": wire_id(part.id, CHAT_CALL_ID),
        "type": "function",
        "function": {
            "name": wire_name(part.name),
            "arguments": json.dumps(clean_object(part.input), ensure_ascii=False),
        },
    }


def _is_that_call(own: JsonObject, call: ToolCall) -> bool:
    """Whether the model's own words can go back, so that a server finds them in its cache."""
    function = own.get("function")
    if not is_object(function) or own.keys() != {"id", "type", "function"}:
        return False
    name, arguments = function.get("name"), function.get("arguments")
    return (
        own["id"] == call.id
        and CHAT_CALL_ID.fullmatch(call.id) is not None
        and name == call.name
        and TOOL_NAME.fullmatch(call.name) is not None
        and isinstance(arguments, str)
        and holds_json_object(arguments)
    )
