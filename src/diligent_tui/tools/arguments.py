"""Reading what a model gave a tool, with words that help it to mend what is wrong."""

import math
from collections.abc import Iterable
from json import loads
from typing import TypeGuard

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject, is_object


def known_only(arguments: JsonObject, names: Iterable[str]) -> None:
    """Refuse names that the tool does not have: passing over them would do something else than was meant."""
    known = list(names)
    for name in arguments:
        if name not in known:
            raise ToolError(f"`{name}` is not known here: the arguments are {_listed(known)}.")


def required_text(arguments: JsonObject, name: str, purpose: str) -> str:
    """The words of an argument that must be there."""
    text = optional_text(arguments, name)
    if text is None or not text.strip():
        raise ToolError(f"`{name}` is missing: {purpose}.")
    return text


def optional_text(arguments: JsonObject, name: str) -> str | None:
    """The words of an argument, or None if it is left out."""
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise ToolError(f"`{name}` must be text, not {type(value).__name__}.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ToolError(f"`{name}` holds half a character (a lone surrogate): write it again.") from None
    if "\0" in value:
        raise ToolError(f"`{name}` holds a NUL character: leave it out.")
    return value


def optional_flag(arguments: JsonObject, name: str) -> bool:
    """True if it is set; left out is False, and a model may write it as text."""
    value = arguments.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str) and value.casefold() in ("true", "false"):
        return value.casefold() == "true"
    raise ToolError(f"`{name}` must be true or false.")


def object_list(arguments: JsonObject, name: str, purpose: str) -> list[JsonObject]:
    """A list of objects, also where a model wrote it as JSON in text."""
    value = arguments.get(name)
    if isinstance(value, str):
        try:
            value = loads(value)
        except (ValueError, RecursionError):
            raise ToolError(f"`{name}` must be a list, not text.") from None
    if value is None:
        raise ToolError(f"`{name}` is missing: {purpose}.")
    if not _is_list(value) or not all(is_object(item) for item in value):
        raise ToolError(f"`{name}` must be a list of objects: {purpose}.")
    return [item for item in value if is_object(item)]


def text_list(arguments: JsonObject, name: str) -> list[str] | None:
    """A list of texts, also where a model wrote it as JSON or gave one text alone; None if it is left out."""
    value = arguments.get(name)
    if isinstance(value, str):
        try:
            value = loads(value)
        except (ValueError, RecursionError):
            value = [value]
    if value is None:
        return None
    if not _is_list(value) or not all(isinstance(item, str) for item in value):
        raise ToolError(f"`{name}` must be a list of texts.")
    return [text for item in value if (text := optional_text({name: item}, name)) is not None]


def optional_count(arguments: JsonObject, name: str) -> int | None:
    """A whole number from 1 up, or None if it is left out."""
    number = optional_number(arguments, name)
    if number is None:
        return None
    if number < 1 or number != int(number):
        raise ToolError(f"`{name}` must be a whole number from 1 up.")
    return int(number)


def optional_number(arguments: JsonObject, name: str) -> float | None:
    """A finite number, also where a model wrote it as text; None if it is left out."""
    value = arguments.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        number = float(value)
        if not math.isfinite(number):
            raise ValueError
    except (ValueError, OverflowError):
        raise ToolError(f"`{name}` must be a number.") from None
    return number


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
