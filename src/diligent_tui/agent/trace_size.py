"""What of an event a trace keeps: everything short, and of what is long its beginning and its length."""

import dataclasses
import re
from typing import TYPE_CHECKING, TypeGuard

from diligent_tui.domain.events import Event

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MOST_TEXT_CHARS = 1_000
MOST_ITEMS = 50
DEEPEST = 6
LONG_TEXT_FIELDS = ("text", "output", "summary", "content")
CUT = re.compile(r" … \[[\d,]+ characters in all\]\Z")
"""What stands behind a text that lost its end."""


def slimmed(event: Event) -> Event:
    """The event with its long texts cut and its deep or long arguments bounded."""
    changes = _changes(event, 0)
    return dataclasses.replace(event, **changes) if changes else event


def length_chars(event: Event) -> int:
    """How much text an event brings."""
    values = (getattr(event, name, None) for name in LONG_TEXT_FIELDS)
    return sum(len(value) for value in values if isinstance(value, str))


def _changes(fact: "DataclassInstance", depth: int) -> dict[str, object]:
    """Those fields that are slim only when they are others."""
    return {
        field.name: slim
        for field in dataclasses.fields(fact)
        if (slim := _slim(before := getattr(fact, field.name), depth)) is not before
    }


def _slim(value: object, depth: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= MOST_TEXT_CHARS else _cut(value)
    if _is_dict(value):
        if depth >= DEEPEST:
            return "…"
        return {_slim(key, depth): _slim(item, depth + 1) for key, item in list(value.items())[:MOST_ITEMS]}
    if _is_row(value):
        if depth >= DEEPEST:
            return "…"
        slim = [_slim(item, depth + 1) for item in value[:MOST_ITEMS]]
        return slim if isinstance(value, list) else tuple(slim)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **_changes(value, depth + 1))
    return value


def _cut(text: str) -> str:
    return f"{text[:MOST_TEXT_CHARS]} … [{len(text):,} characters in all]"


def _is_dict(value: object) -> TypeGuard[dict[object, object]]:
    return isinstance(value, dict)


def _is_row(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)
