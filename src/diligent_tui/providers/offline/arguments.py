"""Fits a call's arguments to the schema that the request offers, so that another spelling of a property still works."""

from collections.abc import Mapping
from typing import TypeGuard

from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.requests import ToolSpec

SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "path": ("path", "file_path", "file", "filename", "directory", "folder", "dir"),
    "pattern": ("pattern", "query", "regex", "text"),
    "command": ("command", "cmd", "script"),
    "content": ("content", "text", "contents"),
    "offset": ("offset", "first_line", "start_line", "start", "line"),
    "limit": ("limit", "line_count", "lines", "count"),
    "edits": ("edits", "changes"),
    "old": ("old", "old_text", "old_string", "search", "find"),
    "new": ("new", "new_text", "new_string", "replace", "replacement"),
    "type": ("type", "kind"),
    "items": ("items", "todos", "tasks"),
    "text": ("text", "content", "title", "task", "description"),
    "state": ("state", "status"),
}
KNOWLEDGE_HINTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("preference", ("prefer", "like", "always", "never", "want", "please", "favourite")),
    ("decision", ("decide", "decision", "chose", "choose", "we use", "agreed")),
    ("correction", ("wrong", "instead", "not ", "correct")),
    ("pattern", ("usually", "pattern", "convention", "every", "each")),
)
STATES: Mapping[str, tuple[str, ...]] = {
    "open": ("open", "pending", "todo", "to_do", "not_started"),
    "active": ("active", "in_progress", "doing", "started"),
}


def fitted(tool: ToolSpec, wanted: Mapping[str, object]) -> JsonObject:
    """The wanted arguments under the names that the tool's schema has for them; those it has no place for stay."""
    return _fitted(tool.input_schema, wanted)


def properties_of(tool: ToolSpec) -> tuple[str, ...]:
    """The names of the arguments that a tool takes."""
    return tuple(_object(tool.input_schema.get("properties")))


def knowledge_type(text: str) -> str:
    """Which kind of knowledge a sentence reads like."""
    lowered = text.lower()
    return next((kind for kind, hints in KNOWLEDGE_HINTS if any(hint in lowered for hint in hints)), "discovery")


def _fitted(schema: Mapping[str, object], wanted: Mapping[str, object]) -> JsonObject:
    properties = _object(schema.get("properties"))
    arguments: JsonObject = {}
    for key, value in wanted.items():
        if value is None:
            continue
        name = next((spelling for spelling in SPELLINGS.get(key, (key,)) if spelling in properties), key)
        # One edit may be asked for as a list of edits or, by a simpler tool, as its bare fields.
        if key == "edits" and properties and name not in properties and _is_list(value) and value:
            arguments |= _fitted(schema, _object(value[0]))
        else:
            arguments[name] = _value(key, value, _object(properties.get(name)))
    return arguments


def _value(key: str, value: object, schema: Mapping[str, object]) -> object:
    if _is_list(value):
        items = _object(schema.get("items"))
        return [_fitted(items, _object(item)) for item in value]
    choices = schema.get("enum")
    if not _is_list(choices) or not choices or value in choices:
        return value
    others = STATES.get(str(value), ()) if key == "state" else ()
    return next((other for other in others if other in choices), choices[0])


def _object(value: object) -> Mapping[str, object]:
    return value if is_object(value) else {}


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
