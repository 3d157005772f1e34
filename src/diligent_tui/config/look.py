"""What the first frame needs of the settings, read before pydantic is loaded; complaints wait for the full reading."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from diligent_tui.config.jsonc import JsoncError, JsonValue, parse
from diligent_tui.config.paths import Places
from diligent_tui.config.reading import read_plain
from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import write_private

Theme = Literal[
    "auto",
    "dark",
    "light",
    "ansi",
    "contrast",
    "atom-one-dark",
    "atom-one-light",
    "catppuccin-frappe",
    "catppuccin-latte",
    "catppuccin-macchiato",
    "catppuccin-mocha",
    "dracula",
    "flexoki",
    "gruvbox",
    "monokai",
    "nord",
    "rose-pine",
    "rose-pine-dawn",
    "rose-pine-moon",
    "solarized-dark",
    "solarized-light",
    "textual-dark",
    "textual-light",
    "tokyo-night",
]
THEMES: tuple[Theme, ...] = get_args(Theme)
LIGHT_THEMES: frozenset[Theme] = frozenset(
    {"light", "atom-one-light", "catppuccin-latte", "rose-pine-dawn", "solarized-light", "textual-light"}
)
GROUND_NAME = "background"
Ground = Literal["dark", "light"]


@dataclass(frozen=True, slots=True)
class Look:
    """Theme, keys and manners of the screen."""

    theme: Theme = "auto"
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    reduced_motion: bool = False
    mouse: bool = True
    notifications: bool = True
    bell: bool = False


def read_look(places: Places, environ: Mapping[str, str], trusted: bool) -> Look:
    """The look by user, project and environment; whatever cannot be used is passed over."""
    user = _object(places.user_settings)
    project = _object(places.project_settings if trusted else None)
    said = (environ.get("DILIGENT_THEME"), project.get("theme"), user.get("theme"))
    wishes: list[Theme] = [theme for wish in said for theme in THEMES if wish == theme]
    keys = user.get("keys")
    return Look(
        theme=wishes[0] if wishes else "auto",
        keys={name: key for name, key in keys.items() if isinstance(key, str)} if isinstance(keys, Mapping) else {},
        reduced_motion=_switch(user, project, environ, "reducedMotion", "DILIGENT_UI__REDUCED_MOTION", usual=False),
        mouse=_switch(user, project, environ, "mouse", "DILIGENT_UI__MOUSE", usual=True),
        notifications=_switch(user, project, environ, "notifications", "DILIGENT_UI__NOTIFICATIONS", usual=True),
        bell=_switch(user, project, environ, "bell", "DILIGENT_UI__BELL", usual=False),
    )


def load_ground(state_folder: Path) -> Ground | None:
    """What the terminal said of its background at the first start."""
    try:
        said = read_plain(state_folder / GROUND_NAME).decode("ascii", "replace").strip()
    except OSError:
        return None
    return "light" if said == "light" else "dark" if said == "dark" else None


def save_ground(state_folder: Path, ground: Ground) -> None:
    """Keep it, so that the terminal is asked once; that this fails troubles nobody."""
    with contextlib.suppress(StorageError):
        write_private(state_folder / GROUND_NAME, f"{ground}\n".encode())


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
