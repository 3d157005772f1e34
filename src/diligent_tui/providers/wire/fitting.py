"""Makes fit for any wire what a model, a tool or a file may have said: names, ids, texts, pictures, turns."""

import hashlib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Image, RequestMessage, Text, ToolCall, ToolResult, UserTurn
from diligent_tui.providers.wire.values import (
    DEEPEST_VALUE_LEVELS,
    PICTURE_KINDS,
    TOOL_NAME,
    has_surrogate,
    is_array,
    is_object,
    is_said,
    is_sendable,
)

NO_OUTPUT = "(no output)"
"""Servers refuse an empty result, yet many a command rightly says nothing."""
PICTURE_LEFT_OUT = "[picture left out: it cannot be sent to this model]"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that can be sent: its address, or its kind and bytes in base64."""

    url: str = ""
    media_type: str = ""
    data: str = ""

    @property
    def address(self) -> str:
        """Where the picture is, as one URL; its bytes themselves if it has no other place."""
        return self.url or f"data:{self.media_type};base64,{self.data}"


def clean_text(text: str) -> str:
    """The text with each half character replaced by the mark for it."""
    if not has_surrogate(text):
        return text
    # A pair of halves is one character; only what is left over after pairing is lost.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean_json(value: object, levels: int = DEEPEST_VALUE_LEVELS) -> object:
    """The value as JSON can carry it; numbers that JSON does not have become null."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if (is_array(value) or is_object(value)) and levels == 0:
        return "[nested too deeply]"
    if is_array(value):
        return [clean_json(item, levels - 1) for item in value]
    if is_object(value):
        return clean_object(value, levels)
    return clean_text(str(value))


def clean_object(value: JsonObject, levels: int = DEEPEST_VALUE_LEVELS) -> JsonObject:
    """The object as JSON can carry it."""
    return {clean_text(str(key)): clean_json(item, levels - 1) for key, item in value.items()}


def said(text: str) -> str:
    """The words of a tool's output, or the words for none."""
    return clean_text(text) if is_said(text) else NO_OUTPUT


def wire_id(call_id: str, accepted: re.Pattern[str]) -> str:
    """The id itself where it is accepted, else another one that is always the same for it."""
    if accepted.fullmatch(call_id):
        return call_id
    return "call_" + hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def wire_name(name: str) -> str:
    """The name itself where servers accept it; a model may have called what it made up."""
    return name if TOOL_NAME.fullmatch(name) else re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


def own_item(raw: JsonObject | None, kind: str) -> JsonObject | None:
    """The maker's own item if it is of this kind and can go back exactly as it came."""
    return raw if raw is not None and raw.get("type") == kind and is_sendable(raw) else None


def picture(image: Image, model: Model) -> Picture | None:
    """The picture if this model sees any and its source is one that servers know."""
    if not model.sees_images:
        return None
    source = image.source
    match source.get("type"):
        case "url":
            url = source.get("url")
            if is_said(url) and url.startswith(("https://", "http://")) and not has_surrogate(url):
                return Picture(url=url)
        case "base64":
            media_type, data = source.get("media_type"), source.get("data")
            if is_said(data) and data.isascii() and isinstance(media_type, str) and media_type in PICTURE_KINDS:
                return Picture(media_type=media_type, data=data)
        case _:
            pass
    return None


def spoken_turns(messages: Iterable[RequestMessage]) -> list[RequestMessage]:
    """The turns without answers that only thought; what the user said around such an answer is one turn."""
    turns: list[RequestMessage] = []
    for turn in messages:
        match turn:
            case AssistantTurn():
                if any(isinstance(part, Text | ToolCall) for part in turn.parts):
                    turns.append(turn)
            case UserTurn():
                if turns and isinstance(before := turns[-1], UserTurn):
                    turns[-1] = UserTurn((*before.parts, *turn.parts))
                else:
                    turns.append(turn)
    return turns


def results_and_words(turn: UserTurn) -> tuple[list[ToolResult], list[Text | Image]]:
    """A user's turn in its two halves: what tools answered, and what is said."""
    results = [part for part in turn.parts if isinstance(part, ToolResult)]
    words = [part for part in turn.parts if not isinstance(part, ToolResult)]
    return results, words
