"""What the first frame needs of the settings, read before pydantic is loaded; complaints wait for the full reading."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from diligent_tui.config.jsonc import JsoncError, JsonValue, parse
from diligent_tui.config.paths import Places
from diligent_tui.config.reading import read_plain

Theme = Literal["dark", "light", "ansi"]
THEMES: tuple[Theme, ...] = ("dark", "light", "ansi")


@dataclass(frozen=True, slots=True)
class Look:
    """Theme, keys and manners of the screen."""

    theme: Theme = "dark"
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    reduced_motion: bool = False
    mouse: bool = True


def read_look(places: Places, environ: Mapping[str, str], trusted: bool) -> Look:
    """The look by user, project and environment; whatever cannot be used is passed over."""
    user = _object(places.user_settings)
    project = _object(places.project_settings if trusted else None)
    said = (environ.get("DILIGENT_THEME"), project.get("theme"), user.get("theme"))
    wishes: list[Theme] = [theme for wish in said for theme in THEMES if wish == theme]
    keys = user.get("keys")
    return Look(
        theme=wishes[0] if wishes else "dark",
        keys={name: key for name, key in keys.items() if isinstance(key, str)} if isinstance(keys, Mapping) else {},
        reduced_motion=_switch(user, project, environ, "reducedMotion", "DILIGENT_UI__REDUCED_MOTION", usual=False),
        mouse=_switch(user, project, environ, "mouse", "DILIGENT_UI__MOUSE", usual=True),
    )


def _object(path: Path | None) -> Mapping[str, JsonValue]:
    if path is None:
        return {}
    try:
        value = parse(read_plain(path).decode()).value
    except (OSError, ValueError, JsoncError):
        return {}
    return value if isinstance(value, Mapping) else {}


def _switch(
    user: Mapping[str, JsonValue],
    project: Mapping[str, JsonValue],
    environ: Mapping[str, str],
    name: str,
    variable: str,
    *,
    usual: bool,
) -> bool:
    for layer in (user, project):
        ui = layer.get("ui")
        value = ui.get(name) if isinstance(ui, Mapping) else None
        usual = value if isinstance(value, bool) else usual
    match environ.get(variable, "").strip().lower():
        case "1" | "true" | "yes" | "on":
            return True
        case "0" | "false" | "no" | "off":
            return False
        case _:
            return usual
