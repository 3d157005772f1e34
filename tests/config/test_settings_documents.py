"""What editors and readers are told of the settings is what the settings are."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from diligent_tui.config import settings_schema
from diligent_tui.config.load import load_settings
from diligent_tui.config.outline import Setting, all_names, settings_in
from diligent_tui.config.paths import Places
from diligent_tui.config.settings import Settings
from diligent_tui.config.settings_page import settings_page
from diligent_tui.config.settings_schema import NOT_FOR_PROJECTS, schema_text
from diligent_tui.domain.json_objects import JsonObject, is_object

SCHEMA: JsonObject = json.loads(schema_text())
DOCS = Path(__file__).parents[2] / "docs"
NAMES = list(all_names())


def described(path: tuple[str, ...]) -> JsonObject:
    """What the schema says of a setting, references followed."""
    found: JsonObject = SCHEMA
    for part in path:
        if "$ref" in found:
            found = inner(inner(SCHEMA, "$defs"), str(found["$ref"]).rpartition("/")[2])
        found = inner(found, "additionalProperties") if part == "*" else inner(inner(found, "properties"), part)
    return found


def inner(schema: JsonObject, name: str) -> JsonObject:
    found = schema[name]
    assert is_object(found), name
    return found


def test_the_shipped_schema_is_that_of_the_settings() -> None:
    shipped = Path(settings_schema.__file__).with_name(settings_schema.FILE_NAME)
    assert shipped.read_text(encoding="utf-8") == schema_text(), "run: make documents"


@pytest.mark.parametrize(("path", "setting"), NAMES, ids=[".".join(path) for path, _ in NAMES])
def test_every_setting_is_described_by_its_own_field(path: tuple[str, ...], setting: Setting) -> None:
    said = str(described(path)["description"])
    assert setting.description
    assert said.removesuffix(NOT_FOR_PROJECTS).strip() == setting.description
    shown = ".".join("NAME" if part == "*" else part for part in path)
    if setting.section is None:
        (row,) = [line for line in settings_page().splitlines() if line.startswith(f"| `{shown}` |")]
        assert setting.description in row
        assert setting.right in row


def test_the_schema_and_the_page_agree_with_the_gate_on_what_a_project_may_set(places: Places) -> None:
    """Each setting is really set in a project's file, with the value that it has anyhow."""
    for path, setting in NAMES:
        if setting.section is not None or "*" in path:
            continue
        section: type[BaseModel] = Settings
        for part in path[:-1]:
            holder = settings_in(section)[part].section
            assert holder is not None
            section = holder
        value = section().model_dump(mode="json", by_alias=True)[path[-1]]
        tree: object = value
        for part in reversed(path):
            tree = {part: tree}
        places.project_settings.write_text(json.dumps(tree))
        loaded = load_settings(places, {}, {}, trusted=True)
        may = "yes" if not loaded.problems else "no"
        (row,) = [line for line in settings_page().splitlines() if line.startswith(f"| `{'.'.join(path)}` |")]
        assert row.split(" | ")[3] == may, path
        told = [str(described(path[:length])["description"]) for length in range(1, len(path) + 1)]
        assert any(NOT_FOR_PROJECTS in said for said in told) == (may == "no"), path


def test_the_page_is_current() -> None:
    assert (DOCS / "settings.md").read_text(encoding="utf-8") == settings_page(), "run: make documents"


def test_a_schema_named_in_the_file_is_no_setting(places: Places) -> None:
    places.user_settings.parent.mkdir(parents=True)
    places.user_settings.write_text('{"$schema": "./diligent.schema.json", "theme": "light"}')
    loaded = load_settings(places, {}, {}, trusted=True)
    assert (loaded.settings.theme, loaded.problems) == ("light", ())
