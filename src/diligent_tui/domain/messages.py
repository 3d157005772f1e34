"""What user, model and tools say, as it is kept in a session."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.records import Record
from diligent_tui.domain.times import Stamp
from diligent_tui.domain.usage import Usage

StopReason = Literal[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "content_filter",
    "context_window",
    "interrupted",
    "error",
]
"""Why an answer ended. `interrupted`: by the user or a crash. `error`: the stream failed; text may be partial."""


class TextBlock(Record):
    """Words; `raw` is the provider's own item where an exact round trip needs it."""

    type: Literal["text"] = "text"
    text: str
    raw: JsonObject | None = None


class ThinkingBlock(Record):
    """The model's reasoning, with the signature that lets its own maker read it again."""

    type: Literal["thinking"] = "thinking"
    thinking: str
    signature: str | None = None
    raw: JsonObject | None = None


class ToolCallBlock(Record):
    """A wish of the model to run a tool."""

    type: Literal["tool_call"] = "tool_call"
    id: str
    name: str
    input: JsonObject = Field(default_factory=dict)
    raw: JsonObject | None = None


class ImageBlock(Record):
    """A picture; `source` says where its bytes are, `name` what the user calls it."""

    type: Literal["image"] = "image"
    source: JsonObject
    name: str | None = None
    raw: JsonObject | None = None


class OtherBlock(Record):
    """A block of a kind we do not know: kept, shown as such, passed over in requests."""

    type: str


def _block_tag(value: object) -> str:
    kind = value.get("type") if is_object(value) else getattr(value, "type", None)
    return kind if kind in ("text", "thinking", "tool_call", "image") else "other"


Block = Annotated[
    Annotated[TextBlock, Tag("text")]
    | Annotated[ThinkingBlock, Tag("thinking")]
    | Annotated[ToolCallBlock, Tag("tool_call")]
    | Annotated[ImageBlock, Tag("image")]
    | Annotated[OtherBlock, Tag("other")],
    Discriminator(_block_tag),
]


class UserMessage(Record):
    """A prompt, or anything else said in the user's name."""

    role: Literal["user"] = "user"
    content: str | tuple[Block, ...]
    timestamp: Stamp | None = None


class AssistantMessage(Record):
    """An answer of a model; `provider` and `model` say whose, for raw blocks go back to their maker only."""

    role: Literal["assistant"] = "assistant"
    content: tuple[Block, ...]
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    timestamp: Stamp | None = None

    @property
    def text(self) -> str:
        """The words of the answer, without thinking and calls."""
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))

    @property
    def tool_calls(self) -> tuple[ToolCallBlock, ...]:
        """The calls of the answer, in order."""
        return tuple(block for block in self.content if isinstance(block, ToolCallBlock))


class ToolResultMessage(Record):
    """What a tool answered; `spill` names the file that holds the whole of a long output.

    `diff`, `exit_code` and `duration_seconds` are for people; the model is told in `output`.
    """

    role: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    tool_name: str = ""
    output: str | tuple[Block, ...] = ""
    is_error: bool = False
    timestamp: Stamp | None = None
    spill: str | None = None
    diff: str | None = None
    exit_code: int | None = None
    duration_seconds: float | None = None


Message = Annotated[UserMessage | AssistantMessage | ToolResultMessage, Field(discriminator="role")]


def text_of(content: str | tuple[Block, ...]) -> str:
    """The words in a message's content; pictures and unknown blocks are named in brackets."""
    if isinstance(content, str):
        return content
    return "\n".join(_block_words(block) for block in content)


def _block_words(block: Block) -> str:
    match block:
        case TextBlock():
            return block.text
        case ThinkingBlock():
            return block.thinking
        case ToolCallBlock():
            return f"[call {block.name}]"
        case ImageBlock():
            return "[image]"
        case OtherBlock():
            return f"[{block.type}]"
