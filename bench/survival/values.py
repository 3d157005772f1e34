"""Values out of parsed JSON, each as what it should be."""

from collections.abc import Iterator
from typing import TypeGuard

from diligent_tui.domain.json_objects import JsonObject, is_object


def as_text(value: object) -> str:
    """The text, or nothing."""
    return value if isinstance(value, str) else ""


def as_bool(value: object) -> bool:
    """True only for true."""
    return value is True


def as_count(value: object) -> int:
    """The number, or zero."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def is_list(value: object) -> TypeGuard[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)


def objects_in(value: object) -> Iterator[JsonObject]:
    """The objects of an array."""
    if is_list(value):
        yield from filter(is_object, value)


def texts_in(value: object) -> Iterator[str]:
    """Every text in a value, however deep; keys are left out."""
    if isinstance(value, str):
        yield value
    elif is_list(value):
        for item in value:
            yield from texts_in(item)
    elif is_object(value):
        for item in value.values():
            yield from texts_in(item)
    elif value is not None:
        yield str(value)
