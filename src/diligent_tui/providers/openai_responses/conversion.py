"""Our request as a body for OpenAI's Responses, with nothing kept on the server."""

import json

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Image,
    Request,
    RequestMessage,
    Text,
    Thinking,
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
from diligent_tui.providers.wire.values import (
    RESPONSES_CALL_ID,
    TOOL_NAME,
    holds_json_object,
    is_array,
    is_object,
    is_said,
)

FEWEST_OUTPUT_TOKENS = 16
"""The server refuses a lower limit."""


def to_responses(request: Request) -> JsonObject:
    """The body for the request, streamed."""
    body: JsonObject = {"model": request.model.name}
    if is_said(request.system):
        body["instructions"] = clean_text(request.system)
    body["input"] = [item for turn in spoken_turns(request.messages) for item in _items(turn, request.model)]
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    body["store"] = False
    # A model that does not reason refuses to be asked for its reasoning.
    if request.thinking != "off" or request.model.thinking_levels:
        body["include"] = ["reasoning.encrypted_content"]
    if request.thinking != "off":
        body["reasoning"] = {"effort": request.thinking, "summary": "auto"}
    elif "off" in request.model.thinking_levels:
        # Such a model thinks unless it is told not to.
        body["reasoning"] = {"effort": "none"}
    if is_said(request.cache_key):
        body["prompt_cache_key"] = wire_id(request.cache_key, RESPONSES_CALL_ID)
    body["max_output_tokens"] = max(FEWEST_OUTPUT_TOKENS, request.max_output_tokens)
    body["stream"] = True
    return body


def _tool(spec: ToolSpec) -> JsonObject:
    tool: JsonObject = {"type": "function", "name": spec.name}
    if is_said(spec.description):
        tool["description"] = clean_text(spec.description)
    return {**tool, "parameters": clean_object(spec.input_schema), "strict": False}


def _items(turn: RequestMessage, model: Model) -> list[JsonObject]:
    match turn:
        case UserTurn():
            results, words = results_and_words(turn)
            items = [_result(part, model) for part in results]
            if words:
                content = [_words(part, model) for part in words]
                items.append({"type": "message", "role": "user", "content": content})
            return items
        case AssistantTurn():
            return _answer_items(turn.parts)


def _answer_items(parts: tuple[AssistantPart, ...]) -> list[JsonObject]:
    """The answer's items; reasoning goes back only together with the maker's own item that it led to."""
    items: list[JsonObject] = []
    reasoning: list[JsonObject] = []
    for part in parts:
        match part:
            case Thinking():
                own = own_item(part.raw, "reasoning")
                if own and _is_whole(own):
                    reasoning.append(own)
                continue
            case Text():
                own = own_item(part.raw, "message")
                own = own if own and _speaks(own) else None
                built = _message(part)
            case ToolCall():
                own = own_item(part.raw, "function_call")
                own = own if own and _is_that_call(own, part) else None
                built = _call(part)
        items += [*reasoning, own] if own else [built]
        reasoning = []
    return items


def _words(part: Text | Image, model: Model) -> JsonObject:
    match part:
        case Text():
            return {"type": "input_text", "text": clean_text(part.text)}
        case Image():
            return _picture(part, model)


def _picture(image: Image, model: Model) -> JsonObject:
    shown = picture(image, model)
    if shown is None:
        return {"type": "input_text", "text": PICTURE_LEFT_OUT}
    return {"type": "input_image", "detail": "auto", "image_url": shown.address}


def _result(part: ToolResult, model: Model) -> JsonObject:
    output: object = said(part.output)
    if part.images:
        output = [{"type": "input_text", "text": output}, *(_picture(image, model) for image in part.images)]
    return {
        "type": "function_call_output",
        "call_id": wire_id(part.call_id, RESPONSES_CALL_ID),
        "output": output,
    }


def _message(part: Text) -> JsonObject:
    content: JsonObject = {"type": "output_text", "text": clean_text(part.text)}
    return {"type": "message", "role": "assistant", "content": [content]}


def _call(part: ToolCall) -> JsonObject:
    return {
        "type": "function_call",
        "call_id": wire_id(part.id, RESPONSES_CALL_ID),
        "name": wire_name(part.name),
        "arguments": json.dumps(clean_object(part.input), ensure_ascii=False),
    }


def _is_whole(own: JsonObject) -> bool:
    return is_said(own.get("encrypted_content")) and own.get("status") in (None, "completed")


def _speaks(own: JsonObject) -> bool:
    content = own.get("content")
    return (
        own.get("role") == "assistant"
        and is_array(content)
        and bool(content)
        and all(is_object(part) and (is_said(part.get("text")) or is_said(part.get("refusal"))) for part in content)
    )


def _is_that_call(own: JsonObject, call: ToolCall) -> bool:
    name, arguments = own.get("name"), own.get("arguments")
    return (
        own.get("call_id") == call.id
        and RESPONSES_CALL_ID.fullmatch(call.id) is not None
        and isinstance(name, str)
        and TOOL_NAME.fullmatch(name) is not None
        and isinstance(arguments, str)
        and holds_json_object(arguments)
    )
