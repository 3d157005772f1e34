"""How full the context is: what the provider counted last, and an estimate of what came after."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.compaction.pruning import pins_on
from diligent_tui.compaction.sizes import IMAGE_TOKENS, Overhead, Sizes, TokensOf
from diligent_tui.domain.entries import CONTENT_TYPES, LENS_TYPES, MessageEntry
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.events import ContextMeasured
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Image, Request, RequestMessage, Text, Thinking, ToolCall, ToolResult, ToolSpec
from diligent_tui.knowledge.injection import HEADING
from diligent_tui.session.effective import EffectiveFold, Lookup


def measure(
    fold: EffectiveFold, sizes: Sizes, overhead: Overhead, window: tuple[int, bool], model: Model
) -> ContextMeasured:
    """The size of the next request, split by kind; real where the provider's last count still holds."""
    parts = sizes.breakdown(fold.items, overhead)
    estimate = sum(parts.values())
    counted = last_count(fold, sizes.lookup, model)
    tokens = estimate
    if counted is not None:
        tokens = counted.tokens + sum(sizes.entry(entry_id) for entry_id in counted.newer_ids)
    limit, limit_assumed = window
    is_estimated = counted is None or bool(counted.newer_ids)
    # The parts are always estimates; they are shown as shares of the whole.
    shares = tuple((kind, round(part * tokens / estimate) if estimate else 0) for kind, part in parts.items())
    return ContextMeasured(tokens, limit, limit_assumed, is_estimated, shares)


def overhead_of(system: str, tools: Sequence[ToolSpec], tokens_of: TokensOf) -> Overhead:
    """What every request holds before its first message, knowledge apart."""
    prompt, knowledge = split_system(system)
    return Overhead(
        system=tokens_of(utf8_size(prompt)),
        tools=tokens_of(tools_bytes(tools)) if tools else 0,
        knowledge=tokens_of(utf8_size(knowledge)) if knowledge else 0,
    )


def split_system(system: str) -> tuple[str, str]:
    """The system prompt without its knowledge, and the knowledge, which stands at its end."""
    start = system.rfind(HEADING)
    return (system, "") if start < 0 else (system[:start], system[start:])


@dataclass(frozen=True, slots=True)
class Counted:
    """The last real count on a path, and what was said after it."""

    tokens: int
    newer_ids: tuple[str, ...]


def last_count(fold: EffectiveFold, lookup: Lookup, model: Model) -> Counted | None:
    """The newest usage on a path, if nothing after it changed what is sent and the same model counted it."""
    newer: list[str] = []
    has_pins = False
    for place in range(len(fold.path) - 1, -1, -1):
        node = fold.path[place]
        if node.type in ("pin", "unpin"):
            has_pins = True
            continue
        if node.type in LENS_TYPES or node.type == "model_change":
            return None
        if node.role == "assistant":
            entry = lookup(node.id)
            if not isinstance(entry, MessageEntry) or not isinstance(entry.message, AssistantMessage):
                return None
            message = entry.message
            if message.usage is None or (message.provider, message.model) != (model.provider, model.name):
                return None
            if has_pins and _pins_show(fold, place, lookup):
                return None
            return Counted(message.usage.context_tokens, tuple(newer))
        if node.type in CONTENT_TYPES:
            newer.append(node.id)
    return None


def _pins_show(fold: EffectiveFold, place: int, lookup: Lookup) -> bool:
    """Whether what was pinned or let go since a place changed what is sent."""
    then, since = pins_on(fold.path[:place], lookup), pins_on(fold.path, lookup)
    return any(fold.shows_pin(entry_id) for entry_id in then ^ since)


def request_bytes(request: Request) -> int:
    """All bytes of a request, for the estimator to learn from."""
    messages = sum(message_bytes(message) for message in request.messages)
    return utf8_size(request.system) + tools_bytes(request.tools) + messages


def request_images_tokens(request: Request) -> int:
    """How many tokens the pictures of a request come to."""
    parts = [part for message in request.messages for part in message.parts]
    in_results = sum(len(part.images) for part in parts if isinstance(part, ToolResult))
    return (in_results + sum(isinstance(part, Image) for part in parts)) * IMAGE_TOKENS


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
