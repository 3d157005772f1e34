"""Our request as a body for Anthropic's Messages.

Where the cache marks stand. A server finds what it has cached by looking back from each mark, over 20 blocks at
most, for a place where an earlier request had one; four marks are allowed. The fixed part has two: the last tool and
the system prompt. The talk has two: its last block, so that the next request finds this one, and the last block of the
user's turn before, which is where the request before this one ended. That second mark stands exactly on what was
written, so nothing depends on the distance of 20 even after an answer with many calls; and where the request before
ended inside the last turn (its answer was never kept) the look back from the last block finds it.
"""

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
from diligent_tui.providers.wire.values import ANTHROPIC_CALL_ID, TOOL_NAME, has_surrogate, is_object, is_said

_MARKED_USER_TURNS = 2


def to_anthropic(request: Request) -> JsonObject:
    """The body for the request; whether it is streamed is the caller's choice."""
    body: JsonObject = {"model": request.model.name, "max_tokens": request.max_output_tokens}
    if is_said(request.system):
        body["system"] = [_marked({"type": "text", "text": clean_text(request.system)})]
    if request.tools:
        tools = [_tool(spec) for spec in request.tools]
        body["tools"] = [*tools[:-1], _marked(tools[-1])]
    body["messages"] = _messages(request)
    if request.thinking != "off":
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
        body["output_config"] = {"effort": request.thinking}
    return body


def _marked(block: JsonObject) -> JsonObject:
    return {**block, "cache_control": {"type": "ephemeral"}}


def _tool(spec: ToolSpec) -> JsonObject:
    tool: JsonObject = {"name": spec.name}
    if is_said(spec.description):
        tool["description"] = clean_text(spec.description)
    tool["input_schema"] = clean_object(spec.input_schema)
    return tool


def _messages(request: Request) -> list[JsonObject]:
    turns = spoken_turns(request.messages)
    user_turns = [index for index, turn in enumerate(turns) if isinstance(turn, UserTurn)]
    to_mark = set(user_turns[-_MARKED_USER_TURNS:])
    messages: list[JsonObject] = []
    for index, turn in enumerate(turns):
        blocks = _blocks(turn, request.model)
        if index in to_mark and blocks:
            blocks[-1] = _marked(blocks[-1])
        messages.append({"role": turn.role, "content": blocks})
    return messages


def _blocks(turn: RequestMessage, model: Model) -> list[JsonObject]:
    match turn:
        case UserTurn():
            results, words = results_and_words(turn)
            return [_result(part, model) for part in results] + [_words(part, model) for part in words]
        case AssistantTurn():
            blocks = [block for part in turn.parts if (block := _answer_block(part)) is not None]
            # Thinking that led to nothing is refused at the end of a message.
            while blocks and blocks[-1]["type"] in ("thinking", "redacted_thinking"):
                blocks.pop()
            return blocks


def _words(part: Text | Image, model: Model) -> JsonObject:
    match part:
        case Text():
            return {"type": "text", "text": clean_text(part.text)}
        case Image():
            return _picture(part, model)


def _picture(image: Image, model: Model) -> JsonObject:
    shown = picture(image, model)
    if shown is None:
        return {"type": "text", "text": PICTURE_LEFT_OUT}
    if shown.url:
        return {"type": "image", "source": {"type": "url", "url": shown.url}}
    return {"type": "image", "source": {"type": "base64", "media_type": shown.media_type, "data": shown.data}}


def _result(part: ToolResult, model: Model) -> JsonObject:
    content: list[JsonObject] = [{"type": "text", "text": said(part.output)}]
    if part.is_error and part.images:
        # The server takes nothing but text in a result that is an error.
        content.append({"type": "text", "text": PICTURE_LEFT_OUT})
    else:
        content += [_picture(image, model) for image in part.images]
    result: JsonObject = {
        "type": "tool_result",
        "tool_use_id": wire_id(part.call_id, ANTHROPIC_CALL_ID),
        "content": content,
    }
    if part.is_error:
        result["is_error"] = True
    return result


def _answer_block(part: AssistantPart) -> JsonObject | None:
    match part:
        case Text():
            own = own_item(part.raw, "text")
            return own if own and is_said(own.get("text")) else {"type": "text", "text": clean_text(part.text)}
        case Thinking():
            return _thinking(part)
        case ToolCall():
            own = own_item(part.raw, "tool_use")
            return own if own and _is_that_call(own, part) else _call(part)


def _thinking(part: Thinking) -> JsonObject | None:
    """The reasoning as its maker signed it: a changed letter would break the signature, so it is all or nothing."""
    if part.raw is not None:
        if (own := own_item(part.raw, "thinking")) and is_said(own.get("signature")):
            return own
        own = own_item(part.raw, "redacted_thinking")
        return own if own and is_said(own.get("data")) else None
    if not is_said(part.signature) or has_surrogate(part.signature) or has_surrogate(part.text):
        return None
    return {"type": "thinking", "thinking": part.text, "signature": part.signature}


def _is_that_call(own: JsonObject, call: ToolCall) -> bool:
    name = own.get("name")
    return (
        own.get("id") == call.id
        and ANTHROPIC_CALL_ID.fullmatch(call.id) is not None
        and isinstance(name, str)
        and TOOL_NAME.fullmatch(name) is not None
        and is_object(own.get("input"))
    )


def _call(part: ToolCall) -> JsonObject:
    return {
        "type": "tool_use",
        "id": wire_id(part.id, ANTHROPIC_CALL_ID),
        "name": wire_name(part.name),
        "input": clean_object(part.input),
    }
