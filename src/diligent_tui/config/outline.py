"""The settings tree as a checker sees it: which names there are, who may set them, and what a right value is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Literal, TypeGuard, Union, get_args, get_origin

from annotated_types import Ge, Gt, MinLen
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from diligent_tui.config.settings import Settings

Kind = Literal["value", "section", "sections", "table"]
NameOf = tuple[str, ...]
Tree = dict[str, object]


@dataclass(frozen=True, slots=True)
class Setting:
    """One name: a value, a section, sections by a free name (`provider.*`), or a table of values by a free name."""

    name: str
    field_name: str
    kind: Kind
    section: type[BaseModel] | None
    project_may_set: bool
    user_only: bool
    """True if a project may not set it even where it may set the section around it."""
    is_secret: bool
    right: str
    """What would be right, in words that follow "expected"."""
    description: str


def is_tree(value: object) -> TypeGuard[Tree]:
    """Whether this is an object of a settings file; their names are always text."""
    return isinstance(value, dict)


@cache
def settings_in(section: type[BaseModel]) -> Mapping[str, Setting]:
    """The settings of a section, by their names on disk."""
    found = (_setting(name, info) for name, info in section.model_fields.items())
    return {setting.name: setting for setting in found}


def all_names(section: type[BaseModel] = Settings, above: NameOf = ()) -> Iterator[tuple[NameOf, Setting]]:
    """Every setting of the tree with its full name; what has a free name stands as `*`."""
    for name, setting in settings_in(section).items():
        path = (*above, name)
        yield path, setting
        if setting.section is not None:
            yield from all_names(setting.section, path if setting.kind == "section" else (*path, "*"))


def find_setting(path: tuple[str | int, ...]) -> Setting | None:
    """The setting that a path of a settings file belongs to: the deepest that is known."""
    section: type[BaseModel] | None = Settings
    found: Setting | None = None
    is_free_name = False
    for part in path:
        if is_free_name:
            is_free_name = False
            continue
        setting = settings_in(section).get(str(part)) if section is not None else None
        if setting is None:
            break
        found, section, is_free_name = setting, setting.section, setting.kind == "sections"
    return found


def _setting(field_name: str, info: FieldInfo) -> Setting:
    kind, section = _kind(info.annotation)
    marks: object = info.json_schema_extra
    extra = marks if is_tree(marks) else {}
    said = extra.get("right")
    return Setting(
        name=info.alias or field_name,
        field_name=field_name,
        kind=kind,
        section=section,
        project_may_set=extra.get("project") is True,
        user_only=extra.get("project") is False,
        is_secret="Secret" in str(info.annotation) or field_name == "api_key_command",
        right=said if isinstance(said, str) else _right(info.annotation, info.metadata),
        description=info.description or "",
    )


def _kind(annotation: object) -> tuple[Kind, type[BaseModel] | None]:
    if isinstance(annotation, type) and get_origin(annotation) is None and issubclass(annotation, BaseModel):
        return "section", annotation
    if get_origin(annotation) is dict:
        inner: object = get_args(annotation)[1]
        kind, section = _kind(inner)
        return ("sections", section) if kind == "section" else ("table", None)
    return "value", None


def _right(annotation: object, metadata: list[object]) -> str:
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        plain = [part for part in get_args(annotation) if part is not NoneType]
        return f"{_right(plain[0], metadata)}, or null"
    if origin is Literal:
        *others, last = (f'"{word}"' for word in get_args(annotation))
        return f"{', '.join(others)} or {last}"
    if origin is tuple:
        inner: object = get_args(annotation)[0]
        words = "texts in double quotes" if inner is str else _right(inner, [])
        return f"a list [ … ] of {words}"
    if origin is dict:
        return "an object { … } of texts in double quotes" if _kind(annotation)[0] == "table" else "an object { … }"
    if annotation is bool:
        return "true or false"
    if annotation is int:
        return "a whole number" + _bounds(metadata)
    if annotation is float:
        return "a number" + _bounds(metadata)
    if annotation is str or annotation is SecretStr:
        return "some text in double quotes" if any(isinstance(m, MinLen) for m in metadata) else "text in double quotes"
    return "an object { … }"


def _bounds(metadata: list[object]) -> str:
    for bound in metadata:
        match bound:
            case Ge(ge=least):
                return f", {least} or more"
            case Gt(gt=limit):
                return f" above {limit}"
            case _:
                pass
    return ""
