"""Items of OpenAI's Responses as blocks, each with the item itself, which goes back exactly as it came."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.providers.call_arguments import read_arguments, unfinished_call
from diligent_tui.providers.wire.values import is_array, is_object, is_sendable

BETWEEN_THOUGHTS = "\n\n"


def block_of(item: JsonObject, call_id: str = "") -> Block | None:
    """The block for an item that is done; `call_id` is the id its call goes by here. None if it says nothing."""
    match item.get("type"):
        case "message":
            words = mend_surrogates(words_of(item))
            return TextBlock(text=words, raw=_own(item)) if words else None
        case "reasoning":
            return ThinkingBlock(thinking=mend_surrogates(thoughts_of(item)), raw=_own(item))
        case "function_call":
            name, arguments = text_in(item, "name"), text_in(item, "arguments")
            given = arguments_of(item)
            if given is None:
                return unfinished_call(name, arguments)
            is_unchanged = call_id == item.get("call_id")
            return ToolCallBlock(
                id=mend_surrogates(call_id),
                name=mend_surrogates(name),
                input=given,
                raw=_own(item) if is_unchanged else None,
            )
        case _:
            return None


def words_of(item: JsonObject) -> str:
    """What a message says, be it an answer or a refusal."""
    return "".join(text_in(part, "text") or text_in(part, "refusal") for part in _parts(item, "content"))


def thoughts_of(item: JsonObject) -> str:
    """What of the reasoning may be read."""
    parts = [*_parts(item, "summary"), *_parts(item, "content")]
    return BETWEEN_THOUGHTS.join(text for part in parts if (text := text_in(part, "text")))


def refuses(item: JsonObject) -> bool:
    """Whether a message is a refusal."""
    return any(text_in(part, "refusal") for part in _parts(item, "content"))


def arguments_of(item: JsonObject) -> JsonObject | None:
    """A call's arguments if the call is whole."""
    if item.get("status") not in (None, "completed"):
        return None
    # Some models say nothing at all where a tool takes nothing.
    return read_arguments(text_in(item, "arguments") or "{}")


def text_in(value: JsonObject, key: str) -> str:
    """The text under a key, or none."""
    text = value.get(key)
    return text if isinstance(text, str) else ""


def _parts(item: JsonObject, key: str) -> list[JsonObject]:
    values = item.get(key)
    return [value for value in values if is_object(value)] if is_array(values) else []


def _own(item: JsonObject) -> JsonObject | None:
    return item if is_sendable(item) else None
