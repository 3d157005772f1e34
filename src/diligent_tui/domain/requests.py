"""The next request in our own words; each provider turns it into its wire format.

Promises that hold for every request, whatever the history: roles alternate and begin and end with the user; the
results of an answer's calls stand first in the very next message, one for each call and in the calls' order; call
ids are unique; no text is empty.
"""

from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.thinking import ThinkingLevel


@dataclass(frozen=True, slots=True)
class Text:
    """Words; `raw` is the maker's own item, for its own eyes."""

    text: str
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """Reasoning of the very model that is asked again; others' is left out."""

    text: str
    signature: str | None
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, named by its source."""

    source: JsonObject


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model made."""

    id: str
    name: str
    input: JsonObject
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to a call."""

    call_id: str
    name: str
    output: str
    is_error: bool
    images: tuple[Image, ...] = ()


UserPart = ToolResult | Text | Image
AssistantPart = Thinking | Text | ToolCall


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What the model is told: results first, then words and pictures."""

    parts: tuple[UserPart, ...]
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What the model said."""

    parts: tuple[AssistantPart, ...]
    role: Literal["assistant"] = "assistant"


RequestMessage = UserTurn | AssistantTurn


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    input_schema: JsonObject


@dataclass(frozen=True, slots=True)
class Request:
    """All that a provider needs for one answer."""

    model: Model
    system: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[RequestMessage, ...]
    max_output_tokens: int
    thinking: ThinkingLevel = "off"
    purpose: Literal["turn", "summary"] = "turn"
    cache_key: str = ""
