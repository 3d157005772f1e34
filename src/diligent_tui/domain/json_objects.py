"""What JSON calls an object, as Python sees it; importing this costs nothing."""

from typing import TypeGuard

JsonObject = dict[str, object]


def is_object(value: object) -> TypeGuard[JsonObject]:
    """True for a JSON object; its keys are strings by the grammar."""
    return isinstance(value, dict)
