"""What somebody means who names a setting with dots; names such as `openai/gpt-6.1-sol` have dots of their own."""

from collections.abc import Mapping

from pydantic import BaseModel

from diligent_tui.config.outline import NameOf, Setting, all_names, find_setting, settings_in
from diligent_tui.config.problems import Origin, unknown_name
from diligent_tui.config.settings import Settings
from diligent_tui.domain.errors import UsageError

BETWEEN = "."


def find_name(said: str) -> NameOf:
    """The path that a dotted name means: a value, a section, or an entry of a table; raises UsageError."""
    parts = tuple(said.split(BETWEEN))
    found = _resolve(parts, Settings)
    if found is None:
        raise _unknown(parts)
    return found


def find_value_name(said: str) -> NameOf:
    """The path of something that takes a value of its own; raises UsageError for a section."""
    path = find_name(said)
    setting = find_setting(path)
    if setting is None or setting.section is None:
        return path
    inner = settings_in(setting.section)
    if setting.kind == "sections" and path[-1] == setting.name:
        raise UsageError(f"`{said}` holds sections by a name.", f"Say which: {said}.NAME.{next(iter(inner))}")
    if setting.kind == "sections" and BETWEEN in path[-1]:
        raise _unknown((*path[:-1], *path[-1].split(BETWEEN, 1)))
    raise UsageError(f"`{said}` is a section.", f"Name one of its values: {', '.join(inner)}.")


def value_names() -> tuple[str, ...]:
    """Every name that takes a value; a free name stands as NAME."""
    return tuple(
        BETWEEN.join("NAME" if part == "*" else part for part in path)
        for path, setting in all_names()
        if setting.section is None
    )


def _resolve(parts: NameOf, section: type[BaseModel]) -> NameOf | None:
    setting = settings_in(section).get(parts[0])
    if setting is None:
        return None
    rest = parts[1:]
    if not rest:
        return (setting.name,)
    if not all(rest):
        return None
    if setting.kind == "table":
        return (setting.name, BETWEEN.join(rest))
    if setting.section is None:
        return None
    if setting.kind == "section":
        inner = _resolve(rest, setting.section)
        return (setting.name, *inner) if inner else None
    for length in range(1, len(rest)):
        if inner := _resolve(rest[length:], setting.section):
            return (setting.name, BETWEEN.join(rest[:length]), *inner)
    return (setting.name, BETWEEN.join(rest))


def _unknown(parts: NameOf) -> UsageError:
    """The complaint about the first part that is not known, with the nearest that is."""
    known: Mapping[str, Setting] = settings_in(Settings)
    is_free_name = False
    for number, part in enumerate(parts):
        if is_free_name:
            is_free_name = False
            continue
        setting = known.get(part)
        if setting is None:
            problem = unknown_name(parts[: number + 1], list(known), Origin("flags"))
            return UsageError(problem.message, problem.remedy)
        known = settings_in(setting.section) if setting.section is not None else {}
        is_free_name = setting.kind == "sections"
    return UsageError(f"`{BETWEEN.join(parts)}` is not a setting.", "`diligent config show` lists them all.")
