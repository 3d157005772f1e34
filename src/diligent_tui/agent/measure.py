"""How full the context is: what the provider counted last, and an estimate of what came after."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.domain.entries import CONTENT_TYPES, LENS_TYPES, MessageEntry
from diligent_tui.domain.estimator import Estimator, utf8_size
from diligent_tui.domain.events import ContextMeasured
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Image, Request, RequestMessage, Text, Thinking, ToolCall, ToolResult, ToolSpec
from diligent_tui.session.effective import Lookup
from diligent_tui.session.tree import Node


def measure(
    request: Request, window: tuple[int, bool], estimator: Estimator, path: Sequence[Node], lookup: Lookup
) -> ContextMeasured:
    """The size of a request, split by kind; real where the provider's last count still holds."""
    model_id = request.model.id
    sizes = [message_bytes(message) for message in request.messages]
    parts = (
        ("system", estimator.tokens(model_id, utf8_size(request.system))),
        ("tools", estimator.tokens(model_id, tools_bytes(request.tools))),
        ("turns", estimator.tokens(model_id, sum(sizes))),
    )
    counted = last_count(path, lookup, request.model)
    limit, limit_assumed = window
    if counted is None:
        return ContextMeasured(sum(tokens for _, tokens in parts), limit, limit_assumed, True, parts)
    newer_bytes = sizes[-1] if request.messages and counted.has_newer else 0
    tokens = counted.tokens + estimator.tokens(model_id, newer_bytes)
    return ContextMeasured(tokens, limit, limit_assumed, counted.has_newer, parts)


@dataclass(frozen=True, slots=True)
class Counted:
    """The last real count on a path, and whether anything was said after it."""

    tokens: int
    has_newer: bool


def last_count(path: Sequence[Node], lookup: Lookup, model: Model) -> Counted | None:
    """The newest usage on a path, if nothing after it changed what is sent and the same model counted it."""
    has_newer = False
    for node in reversed(path):
        if node.type in LENS_TYPES or node.type == "model_change":
            return None
        if node.role == "assistant":
            entry = lookup(node.id)
            if not isinstance(entry, MessageEntry) or not isinstance(entry.message, AssistantMessage):
                return None
            message = entry.message
            if message.usage is None or (message.provider, message.model) != (model.provider, model.name):
                return None
            return Counted(message.usage.context_tokens, has_newer)
        has_newer = has_newer or node.type in CONTENT_TYPES
    return None


def request_bytes(request: Request) -> int:
    """All bytes of a request, for the estimator to learn from."""
    messages = sum(message_bytes(message) for message in request.messages)
    return utf8_size(request.system) + tools_bytes(request.tools) + messages


def tools_bytes(tools: Sequence[ToolSpec]) -> int:
    """Bytes of what the model is told of its tools."""
    return sum(utf8_size(json.dumps([tool.name, tool.description, tool.input_schema])) for tool in tools)


def message_bytes(message: RequestMessage) -> int:
    """Bytes of the words in a message; pictures are counted apart."""
    size = 0
    for part in message.parts:
        match part:
            case Text() | Thinking():
                size += utf8_size(part.text)
            case ToolCall():
                size += utf8_size(part.name) + utf8_size(json.dumps(part.input))
            case ToolResult():
                size += utf8_size(part.output)
            case Image():
                pass
    return size
