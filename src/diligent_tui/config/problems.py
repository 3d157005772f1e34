"""What is wrong with a setting: where it stands, what it is, and what would be right."""

import json
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from diligent_tui.config.outline import Setting, all_names
from diligent_tui.domain.plain_text import clean_line

Layer = Literal["built-in", "user", "project", "environment", "flags"]

LONGEST_NAME_CHARS = 80
LONGEST_VALUE_CHARS = 40


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from: the layer, and the file and line, or the variable."""

    layer: Layer
    file: Path | None = None
    line: int | None = None
    variable: str | None = None

    @property
    def text(self) -> str:
        """The origin in words, fit to be shown."""
        if self.file is not None:
            return f"{self.layer} {self.place}"
        return f"{self.layer} {self.place}" if self.variable else self.layer

    @property
    def place(self) -> str:
        """The file and line, the variable, or the layer."""
        if self.file is not None:
            return clean_line(str(self.file)) + (f":{self.line}" if self.line else "")
        return clean_line(self.variable, LONGEST_NAME_CHARS) if self.variable else self.layer


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A setting that is not used, and why; its texts are clean."""

    origin: Origin
    key: str
    message: str
    remedy: str

    @property
    def text(self) -> str:
        """The whole on one line."""
        return f"{self.origin.place}: {self.message} {self.remedy}".rstrip()


def shown_name(path: tuple[str | int, ...]) -> str:
    """The dotted name of a setting, fit to be shown."""
    return clean_line(".".join(str(part) for part in path), LONGEST_NAME_CHARS)


def unknown_name(path: tuple[str, ...], known: list[str], origin: Origin) -> SettingProblem:
    """A name that is no setting, with the nearest that is."""
    name = shown_name(path)
    nearest = _nearest(path, known)
    beside = f"Known here: {', '.join(sorted(known))}." if known else "Nothing can stand below this name."
    remedy = f"Did you mean {nearest}?" if nearest else beside
    return SettingProblem(origin, name, f"`{name}` is not a setting.", remedy)


def wrong_value(path: tuple[str | int, ...], value: object, setting: Setting, origin: Origin) -> SettingProblem:
    """A value of the wrong kind or out of bounds; a secret is never repeated."""
    name = shown_name(path)
    hides = setting.is_secret or path[:1] == ("provider",)
    said = "this value" if hides else _shown_value(value)
    right = setting.right
    if path and isinstance(path[-1], int) and setting.kind == "value":
        right = right.removeprefix("a list [ … ] of ").replace("texts", "text")
    elif setting.kind == "table" and path[-1] != setting.name:
        right = "text in double quotes"
    if origin.file is None:
        right = right.replace(" in double quotes", "").replace('"', "")
    return SettingProblem(origin, name, f"`{name}` cannot be {said}.", f"Expected {right}.")


def forbidden_in_project(path: tuple[str, ...], origin: Origin) -> SettingProblem:
    """A setting that only the user may make."""
    name = shown_name(path)
    return SettingProblem(
        origin,
        name,
        f"A project may not set `{name}`.",
        "It is not used; set it in your own settings if you want it.",
    )


def _nearest(path: tuple[str, ...], known: list[str]) -> str:
    """The same name in other writing, else the same name elsewhere in the tree, else the one or two nearest beside."""
    above, wanted = path[:-1], _fold(path[-1][:LONGEST_NAME_CHARS])
    beside = {_fold(name): shown_name((*above, name)) for name in known}
    if wanted in beside:
        return f"`{beside[wanted]}`"
    for name, _ in all_names():
        if _fold(name[-1]) == wanted and "*" not in name:
            return f"`{shown_name(name)}`"
    close = get_close_matches(wanted, beside, n=2, cutoff=0.75) or get_close_matches(wanted, beside, n=1, cutoff=0.6)
    return " or ".join(f"`{beside[name]}`" for name in close)


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _shown_value(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return clean_line(json.dumps(value, ensure_ascii=False, default=str), LONGEST_VALUE_CHARS)
