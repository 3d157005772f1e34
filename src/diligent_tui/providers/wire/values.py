"""Questions about JSON values whose shape nobody vouches for."""

import json
import math
import re
from collections.abc import Iterator
from typing import TypeGuard

from diligent_tui.domain.json_objects import JsonObject

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
ANTHROPIC_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
RESPONSES_CALL_ID = re.compile(r"[!-~]{1,64}")
CHAT_CALL_ID = re.compile(r"[!-~]{1,40}")
"""OpenAI's own Chat server takes no longer ids; others have no such bound."""

PICTURE_KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What every server can look at."""

DEEPEST_BODY_LEVELS = 100
"""Of JSON nesting; far beyond any real request, and well inside Python's own limit of recursion."""
DEEPEST_VALUE_LEVELS = 80
"""Of one value in a body, which leaves room for what stands around it."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether this is a JSON object; its keys are looked at by `flaws`."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether this is a JSON array."""
    return isinstance(value, list)


def is_count(value: object) -> TypeGuard[int]:
    """Whether this is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_said(value: object) -> TypeGuard[str]:
    """Whether this is a text with more in it than white space."""
    return isinstance(value, str) and bool(value.strip())


def has_surrogate(text: str) -> bool:
    """Whether a text holds half a character, which UTF-8 cannot carry."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def holds_json_object(text: str) -> bool:
    """Whether a text is a JSON object, as the arguments of a call must be."""
    try:
        return is_object(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def flaws(value: object, place: str, levels: int = DEEPEST_BODY_LEVELS) -> Iterator[str]:
    """Everything in a value that cannot be sent as JSON, each with its place."""
    if value is None or isinstance(value, bool | int):
        return
    if isinstance(value, str):
        if has_surrogate(value):
            yield f"{place}: a lone surrogate cannot be sent"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield f"{place}: {value} is not a JSON number"
    elif (is_array(value) or is_object(value)) and levels == 0:
        yield f"{place}: nested too deeply"
    elif is_array(value):
        for index, item in enumerate(value):
            yield from flaws(item, f"{place}[{index}]", levels - 1)
    elif is_object(value):
        # An object from outside may have keys that its type denies.
        keys: list[object] = list(value)
        for key in keys:
            if not isinstance(key, str) or has_surrogate(key):
                yield f"{place}: {key!r} cannot be a JSON key"
        for key, item in value.items():
            yield from flaws(item, f"{place}.{key}" if place else str(key), levels - 1)
    else:
        yield f"{place}: {type(value).__name__} is not a JSON value"


def is_sendable(value: object) -> bool:
    """Whether a value can be sent as JSON just as it is."""
    return next(flaws(value, "", DEEPEST_VALUE_LEVELS), None) is None
