"""Holds a value against a JSON Schema; knows as much of it as our own schemas use, and refuses any other word."""

from collections.abc import Callable, Mapping
from typing import TypeGuard

from diligent_tui.domain.json_objects import JsonObject, is_object


def is_list(value: object) -> TypeGuard[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)


TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
    "array": is_list,
    "object": is_object,
}
SAYS_NOTHING = {"$schema", "$defs", "title", "description", "additionalProperties", "required", "prefixItems"}


def flaws(value: object, schema: object, root: JsonObject, at: str = "$") -> list[str]:
    """What does not fit, each with its place; nothing if all fits."""
    if not is_object(schema):
        return [] if schema is True else [f"{at} should not be there"]
    found: list[str] = []
    for word, says in schema.items():
        match word:
            case "$ref":
                found += flaws(value, referred(str(says), root), root, at)
            case "type":
                found += [] if TYPES[str(says)](value) else [f"{at} is no {says}: {value!r}"]
            case "const":
                found += [] if value == says and type(value) is type(says) else [f"{at} is not {says!r}: {value!r}"]
            case "enum":
                found += [] if value in listed(says) else [f"{at} is none of {says}: {value!r}"]
            case "anyOf" | "oneOf":
                fitting = [each for each in listed(says) if not flaws(value, each, root, at)]
                fits = len(fitting) == 1 if word == "oneOf" else bool(fitting)
                found += [] if fits else [f"{at} fits {len(fitting)} of {len(listed(says))}: {value!r}"]
            case "properties":
                found += _properties(value, schema, root, at) if is_object(value) else []
            case "items":
                known = len(listed(schema.get("prefixItems", [])))
                rest = value[known:] if is_list(value) else []
                found += [flaw for each in rest for flaw in flaws(each, says, root, f"{at}[…]")]
            case _ if word not in SAYS_NOTHING:
                found.append(f"the schema says {word}, which is not known here")
            case _:
                pass
    if is_list(value):
        for index, (each, wanted) in enumerate(zip(value, listed(schema.get("prefixItems", [])), strict=False)):
            found += flaws(each, wanted, root, f"{at}[{index}]")
    return found


def _properties(value: JsonObject, schema: JsonObject, root: JsonObject, at: str) -> list[str]:
    known = schema["properties"]
    assert is_object(known)
    found = [f"{at}.{name} is missing" for name in listed(schema.get("required", [])) if name not in value]
    for name, each in value.items():
        wanted = known.get(name, schema.get("additionalProperties", True))
        found += flaws(each, wanted, root, f"{at}.{name}")
    return found


def referred(name: str, root: JsonObject) -> object:
    """What a reference within the schema points to."""
    there: object = root
    for part in name.removeprefix("#/").split("/"):
        assert is_object(there)
        there = there[part]
    return there


def listed(value: object) -> list[object]:
    """A list of the schema."""
    assert is_list(value)
    return value
