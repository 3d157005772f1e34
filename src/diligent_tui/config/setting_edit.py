"""Sets and takes away one setting in the user's or the project's file, refusing what a start would complain about."""

import copy
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from diligent_tui.agent.user_rules import read_rules
from diligent_tui.config.house import House
from diligent_tui.config.jsonc import JsoncError, JsonValue, parse
from diligent_tui.config.jsonc_edit import remove_value, set_value
from diligent_tui.config.load import check_alone
from diligent_tui.config.outline import NameOf
from diligent_tui.config.problems import Origin, SettingProblem
from diligent_tui.config.settings_file import change_file
from diligent_tui.config.survey import Survey, digest_of, take_survey
from diligent_tui.domain.errors import SettingsError, UsageError

FileLayer = Literal["user", "project"]


@dataclass(frozen=True, slots=True)
class Target:
    """The file to be changed, and whether it counted before."""

    layer: FileLayer
    path: Path
    was_known: bool
    """True if nothing strange stood in the project's file; then what we write there is known as well."""


def target_of(house: House, layer: FileLayer) -> Target:
    """The settings file of a layer; a project's that leads out of the project is refused."""
    places = house.places
    if layer == "user":
        return Target("user", places.user_settings, True)
    path = places.project_settings
    if not path.resolve().is_relative_to(places.root):
        raise SettingsError(
            f"{path} is a link that leads out of the project.", "Look at that link; change its target yourself."
        )
    return Target("project", path, all(finding.kind != "settings" for finding in house.strangers))


def value_for(path: NameOf, said: str, layer: FileLayer) -> JsonValue:
    """The value that a word of the command line means for a setting: JSON if that fits, else the text itself."""
    problems: list[SettingProblem] = []
    for value in _readings(said):
        checked = check_alone(path, copy.deepcopy(value), Origin(layer))
        problems += checked.problems
        if not checked.problems:
            _refuse_broken_rules(path, value)
            return value
    raise UsageError(problems[0].message, problems[0].remedy)


def save_value(house: House, target: Target, path: NameOf, value: JsonValue) -> bool:
    """Set it in the file, where comments and everything else stay; False if it was so already."""
    return _change(house, target, partial(_set, path, value))


def take_value_away(house: House, target: Target, path: NameOf) -> bool:
    """Take it out of the file; False if it was not there."""
    return target.path.exists() and _change(house, target, partial(_unset, path))


def keep_known(house: House, target: Target) -> None:
    """What the user just wrote into a file that counted counts on; raises StorageError if that cannot be saved."""
    if target.layer == "project" and target.was_known:
        found = [finding for finding in take_survey(house.places).findings if finding.kind == "settings"]
        if found:
            house.trust_list.trust(Survey(tuple(found)))


def _change(house: House, target: Target, change: Callable[[str], str]) -> bool:
    written = change_file(target.path, change, is_private=target.layer == "user")
    # Somebody else may have been quicker; what we did not write is asked about.
    if written is not None and digest_of(target.path) == hashlib.sha256(written).hexdigest():
        keep_known(house, target)
    return written is not None


def _set(path: NameOf, value: JsonValue, text: str) -> str:
    return set_value(text, path, value)


def _unset(path: NameOf, text: str) -> str:
    return remove_value(text, path)


def _readings(said: str) -> list[JsonValue]:
    try:
        document = parse(said)
    except JsoncError:
        return [said]
    # Blanks and comments alone mean an object to the parser, and text to whoever wrote them.
    return [document.value, said] if () in document.places else [said]


def _refuse_broken_rules(path: NameOf, value: JsonValue) -> None:
    if path[0] == "permissions" and isinstance(value, list):
        for complaint in read_rules([str(each) for each in value], [], [])[1]:
            raise UsageError(complaint, "Nothing was changed.")
