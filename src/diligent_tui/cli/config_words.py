"""Prints settings and what is wrong with them: as lines for people, as JSON for programs."""

import json
import sys
from collections.abc import Sequence

from diligent_tui.config.house import House
from diligent_tui.config.problems import Origin, SettingProblem
from diligent_tui.config.values import ValueInForce
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.ui.format import count

NAME_CHARS = 80
VALUE_CHARS = 48
FACT_CHARS = 12


def print_values(values: Sequence[ValueInForce], *, as_json: bool) -> None:
    """One line for each value with its origin; a single one with all that is known of it."""
    if as_json:
        sys.stdout.write(json.dumps([value_object(each) for each in values], indent=2) + "\n")
        return
    if len(values) == 1:
        _print_one(values[0])
        return
    rows = [
        (clean_line(each.name, NAME_CHARS), clean_line(shown(each.value), VALUE_CHARS), each.origin.text)
        for each in values
    ]
    name_chars, value_chars = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    sys.stdout.writelines(f"{name:<{name_chars}}  {value:<{value_chars}}  {origin}\n" for name, value, origin in rows)


def print_problems(house: House, problems: Sequence[SettingProblem], *, as_json: bool) -> None:
    """Every problem on a line of its own, and which files were looked at."""
    files = _files(house)
    if as_json:
        found = [
            {**origin_object(each.origin), "key": each.key, "message": each.message, "remedy": each.remedy}
            for each in problems
        ]
        sys.stdout.write(json.dumps({"files": files, "problems": found}, indent=2) + "\n")
        return
    sys.stdout.writelines(f"{each.text}\n" for each in problems)
    sys.stdout.writelines(f"{file['layer']}: {clean_line(str(file['file']))}, {file['state']}.\n" for file in files)
    said = f"{count(len(problems), 'thing')} cannot be used; the rest is." if problems else "All of it can be used."
    sys.stdout.write(f"{said}\n")


def value_object(value: ValueInForce) -> JsonObject:
    """A value for programs; of a secret only whether it is there."""
    return {
        "key": value.name,
        "path": list(value.path),
        "value": None if value.is_secret else value.value,
        "isSecret": value.is_secret,
        **origin_object(value.origin),
        "description": value.setting.description,
        "expected": value.setting.right,
    }


def origin_object(origin: Origin) -> JsonObject:
    """Where something came from, for programs."""
    return {
        "layer": origin.layer,
        "file": str(origin.file) if origin.file else None,
        "line": origin.line,
        "variable": origin.variable,
    }


def shown(value: object) -> str:
    """A value as one would write it in the file."""
    return json.dumps(value, ensure_ascii=False)


def _print_one(value: ValueInForce) -> None:
    facts = [
        ("value", shown(value.value)),
        ("from", value.origin.text),
        ("expected", value.setting.right),
        ("", value.setting.description),
    ]
    lines = [clean_line(value.name, NAME_CHARS)]
    lines += [f"  {name:<{FACT_CHARS}}  {clean(said)}" for name, said in facts]
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _files(house: House) -> list[JsonObject]:
    places = house.places
    is_strange = any(finding.kind == "settings" for finding in house.strangers)
    project = "not looked at, for it is not trusted (--trust)" if is_strange else "not there"
    if places.project_settings.is_file() and not is_strange:
        project = "read" if house.trusted else "not looked at, for the folder is not trusted (--trust)"
    return [
        {
            "layer": "user",
            "file": str(places.user_settings),
            "state": "read" if places.user_settings.is_file() else "not there",
        },
        {"layer": "project", "file": str(places.project_settings), "state": project},
    ]
