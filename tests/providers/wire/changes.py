"""Puts one flaw into a good body, at a named place."""

import copy

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.values import is_array, is_object

Path = tuple[str | int, ...]
Change = tuple[Path, object, str]
"""A place in a good body, what is put there, and what the finding must say."""

GONE = object()
"""Put at a place: what stands there is taken out."""


class Also:
    """Put at a place in an array: stands before what is there."""

    def __init__(self, *values: object) -> None:
        self.values = values


def changed(good: JsonObject, path: Path, value: object) -> JsonObject:
    body = copy.deepcopy(good)
    at: object = body
    for key in path[:-1]:
        at = (
            at[key]
            if isinstance(key, int) and is_array(at)
            else at[key]
            if is_object(at) and isinstance(key, str)
            else 0
        )
    last = path[-1]
    if is_object(at) and isinstance(last, str):
        if value is GONE:
            del at[last]
        else:
            at[last] = value
    else:
        assert is_array(at)
        assert isinstance(last, int)
        if value is GONE:
            del at[last]
        elif isinstance(value, Also):
            at[last:last] = value.values
        else:
            at[last] = value
    return body


MARK: JsonObject = {"type": "ephemeral"}
SCHEMA: JsonObject = {"type": "object", "properties": {}}
