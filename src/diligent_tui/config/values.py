"""Every setting in force with its value and its origin, fit to be shown: secrets are masked here and nowhere later."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.config.load import Loaded
from diligent_tui.config.outline import NameOf, Setting, find_setting, is_tree
from diligent_tui.config.problems import Origin

MASK = "(hidden)"
_LOGIN_IN_ADDRESS = re.compile(r"(?<=://)[^/@\s]*@")


@dataclass(frozen=True, slots=True)
class ValueInForce:
    """One value, and where it came from; of a secret only whether it is there."""

    path: NameOf
    value: object
    is_secret: bool
    setting: Setting
    origin: Origin

    @property
    def name(self) -> str:
        """The dotted name."""
        return ".".join(self.path)

    @property
    def is_changed(self) -> bool:
        """True if somebody said so, even if it is as it would be anyhow."""
        return self.origin.layer != "built-in"


def values_in_force(loaded: Loaded) -> tuple[ValueInForce, ...]:
    """Every value, in the order of the settings' tree."""
    return tuple(_values(loaded))


def _values(loaded: Loaded) -> Iterator[ValueInForce]:
    tree: object = loaded.settings.model_dump(mode="json", by_alias=True)
    holders = {path[:length] for path in loaded.origins for length in range(len(path))}
    places = {name: number for number, name in enumerate(tree)} if is_tree(tree) else {}
    # A table of which somebody set a part is shown by its parts.
    shown = (path for path in loaded.origins if path not in holders)
    for path in sorted(shown, key=lambda path: places.get(path[0], 0)):
        if setting := find_setting(path):
            value = _at(tree, path)
            yield ValueInForce(
                path, _masked(value, setting), setting.is_secret and bool(value), setting, loaded.origins[path]
            )


def _masked(value: object, setting: Setting) -> object:
    if setting.is_secret and value:
        return MASK
    return _LOGIN_IN_ADDRESS.sub(f"{MASK}@", value) if isinstance(value, str) else value


def _at(tree: object, path: NameOf) -> object:
    for part in path:
        tree = tree.get(part) if is_tree(tree) else None
    return tree
