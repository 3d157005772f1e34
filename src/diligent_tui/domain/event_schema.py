"""The JSON Schema of what `stream-json` prints, made from the classes themselves.

The package ships it as a file, so that it can be printed without loading anything. To renew the file:
`python -m diligent_tui.domain.event_schema`.
"""

import dataclasses
import json
import sys
import types
from importlib import resources
from pathlib import Path
from typing import Literal, Union, get_args, get_origin, get_type_hints

from pydantic.alias_generators import to_camel

from diligent_tui.domain.events import EVENT_CLASSES, event_name
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.records import Record
from diligent_tui.domain.run_report import FORMAT_VERSION, RunFinished, RunStarted

FILE_NAME = "events.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", types.NoneType: "null"}


def shipped_schema() -> str:
    """The schema as the package ships it."""
    return resources.files("diligent_tui.domain").joinpath(FILE_NAME).read_text(encoding="utf-8")


def schema_text() -> str:
    """The schema as the classes say it now."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False) + "\n"


def event_schema() -> JsonObject:
    """One definition for each kind of line; a line is exactly one of them."""
    lines: JsonObject = {
        "run_started": _record(RunStarted),
        **{event_name(event): _dataclass(event, event_name(event)) for event in EVENT_CLASSES},
        "run_finished": _record(RunFinished),
    }
    return {
        "$schema": DIALECT,
        "title": f"diligent -p --output-format stream-json, version {FORMAT_VERSION}",
        "description": "One line of the output. --output-format json prints a single run_finished.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in lines],
        "$defs": lines,
    }


def _dataclass(wanted: type, name: str = "") -> JsonObject:
    hints, says = get_type_hints(wanted), wanted.__doc__
    fields: JsonObject = {"type": {"const": name}} if name else {}
    if dataclasses.is_dataclass(wanted):
        fields |= {to_camel(field.name): _schema(hints[field.name]) for field in dataclasses.fields(wanted)}
    return _object(says, fields)


def _record(wanted: type[Record]) -> JsonObject:
    fields = wanted.model_fields
    return _object(wanted.__doc__, {to_camel(name): _schema(field.annotation) for name, field in fields.items()})


def _object(says: str | None, fields: JsonObject) -> JsonObject:
    """Every field is always printed, so that readers need not ask whether it is there."""
    return {
        "description": (says or "").strip(),
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _schema(wanted: object) -> JsonObject:
    if isinstance(wanted, type) and wanted in PLAIN:
        return {"type": PLAIN[wanted]}
    if isinstance(wanted, type) and issubclass(wanted, Record):
        return _record(wanted)
    if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
        return _dataclass(wanted)
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each) for each in inner]}
    if origin is tuple and inner[1:] == (...,):
        return {"type": "array", "items": _schema(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(each) for each in inner], "items": False}
    if origin is dict:
        return {"type": "object"}
    raise TypeError(f"No JSON Schema is known for {wanted}.")


if __name__ == "__main__":
    Path(__file__).with_name(FILE_NAME).write_text(schema_text(), encoding="utf-8")
    sys.stdout.write(f"{FILE_NAME} is renewed.\n")
