"""Settings from `DILIGENT_*` variables, read by pydantic-settings one by one, so that a bad one spoils no other."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from diligent_tui import config
from diligent_tui.config.outline import Setting, find_setting, is_tree, settings_in
from diligent_tui.config.problems import Origin, SettingProblem, unknown_name, wrong_value
from diligent_tui.config.settings import Settings

PREFIX = "DILIGENT_"
BETWEEN = "__"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that names a setting: its path and what it says."""

    origin: Origin
    path: tuple[str, ...]
    value: object


def read_environment(environ: Mapping[str, str]) -> tuple[list[Variable], list[SettingProblem]]:
    """The settings in the environment, sections before what is in them, and what cannot be used."""
    variables: list[Variable] = []
    problems: list[SettingProblem] = []
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        origin = Origin("environment", variable=name)
        parts = tuple(name.removeprefix(PREFIX).split(BETWEEN))
        paths = _resolve(parts, origin)
        if isinstance(paths, SettingProblem):
            problems.append(paths)
            continue
        path, field_path = paths
        try:
            variables.append(Variable(origin, path, _value(field_path, environ[name])))
        except ValueError:
            if setting := find_setting(path):
                problems.append(wrong_value(path, environ[name], setting, origin))
    return sorted(variables, key=lambda variable: len(variable.path)), problems


def _resolve(parts: tuple[str, ...], origin: Origin) -> tuple[tuple[str, ...], tuple[str, ...]] | SettingProblem:
    """The path on disk and by field names that `COMPACTION__RESERVE_TOKENS`, or `…RESERVETOKENS`, means."""
    path: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    section: type[BaseModel] | None = Settings
    takes_any_name = False
    for part in parts:
        if takes_any_name:
            path, fields, takes_any_name = (*path, part.lower()), (*fields, part.lower()), False
            continue
        known: Mapping[str, Setting] = settings_in(section) if section is not None else {}
        setting = next((one for one in known.values() if _fold(one.name) == _fold(part)), None)
        if setting is None:
            return unknown_name((*path, part.lower()), list(known), origin)
        path, fields = (*path, setting.name), (*fields, setting.field_name)
        section, takes_any_name = setting.section, setting.kind in ("sections", "table")
    return path, fields


def _value(field_path: tuple[str, ...], said: str) -> object:
    value: object = config.read_variable(f"{PREFIX}{BETWEEN.join(field_path)}".lower(), said)
    for _ in field_path:
        value = next(iter(value.values()), None) if is_tree(value) else None
    return value


def _fold(name: str) -> str:
    return name.replace("_", "").lower()
