"""What JSON calls an object or an array, as Python sees it; importing this costs nothing."""

from typing import TypeGuard

JsonObject = dict[str, object]


def is_object(value: object) -> TypeGuard[JsonObject]:
    """True for a JSON object; its keys are strings by the grammar."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)
