"""The JSON Schema of `diligent.jsonc`, made from the settings themselves, for editors that complete and check.

The package ships it as a file, so that it can be printed without loading the settings. To renew the file:
`python -m diligent_tui.config.settings_schema`.
"""

import json
import sys
from pathlib import Path
from typing import TypeGuard

from diligent_tui.config.load import FOR_EDITORS
from diligent_tui.config.outline import settings_in
from diligent_tui.config.settings import Settings
from diligent_tui.domain.json_objects import JsonObject, is_object

FILE_NAME = "settings.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
OWN_MARKS = ("project", "right", "title")
"""What the fields carry for our own checks, and what pydantic makes up; an editor has no use for either."""
NOT_FOR_PROJECTS = "Not for project settings."


def schema_text() -> str:
    """The schema as the settings say it now."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


def settings_schema() -> JsonObject:
    """What a settings file may say; a trusted project's may say less of it, as the descriptions tell."""
    schema: JsonObject = Settings.model_json_schema(by_alias=True)
    told = schema.get("properties")
    properties = {
        # What nobody marked is the user's alone. Pydantic leaves out words that a section says of itself.
        name: {"project": False, "description": settings_in(Settings)[name].description, **said}
        for name, said in (told if is_object(told) else {}).items()
        if is_object(said)
    }
    editors: JsonObject = {"type": "string", "description": "Where an editor finds this schema; no setting."}
    return {
        "$schema": DIALECT,
        "title": "Settings of diligent",
        "type": "object",
        "allowTrailingCommas": True,
        "additionalProperties": False,
        "properties": {FOR_EDITORS: editors, **{name: _cleaned(said) for name, said in properties.items()}},
        "$defs": _cleaned(schema.get("$defs")),
    }


def _cleaned(said: object) -> object:
    if _is_list(said):
        return [_cleaned(each) for each in said]
    if not is_object(said):
        return said
    # A setting may itself be called like one of our marks, but then it is described by an object.
    kept = {name: _cleaned(inner) for name, inner in said.items() if name not in OWN_MARKS or is_object(inner)}
    if said.get("project") is False:
        kept["description"] = f"{kept.get('description', '')} {NOT_FOR_PROJECTS}".strip()
    return kept


def _is_list(said: object) -> TypeGuard[list[object]]:
    return isinstance(said, list)


if __name__ == "__main__":
    Path(__file__).with_name(FILE_NAME).write_text(schema_text(), encoding="utf-8")
    sys.stdout.write(f"{FILE_NAME} is renewed.\n")
