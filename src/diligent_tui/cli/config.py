"""`diligent config`: see, check and change settings, without a screen and without a model."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping

from diligent_tui import config
from diligent_tui.cli.config_arguments import ConfigArguments, parse_config
from diligent_tui.cli.config_words import print_problems, print_values, shown
from diligent_tui.cli.exit_codes import DONE, FAILED
from diligent_tui.cli.headless import Complain, enter_house
from diligent_tui.cli.paging import show_paged
from diligent_tui.config.house import House, enter
from diligent_tui.config.load import Loaded
from diligent_tui.config.outline import find_setting
from diligent_tui.config.problems import SettingProblem
from diligent_tui.config.setting_edit import (
    FileLayer,
    Target,
    keep_known,
    save_value,
    take_value_away,
    target_of,
    value_for,
)
from diligent_tui.config.setting_names import find_name, find_value_name
from diligent_tui.config.settings_file import change_file
from diligent_tui.config.values import MASK, ValueInForce, values_in_force
from diligent_tui.domain.errors import SettingsError, UsageError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.storage.private import make_private_folder

EDITORS = ("nano", "vi")
STANDARD_INPUT = "-"
LONGEST_VALUE_CHARS = 100_000
NEW_FILE = """\
// Settings of diligent. `diligent config show` lists every one, `diligent config check` looks this over.
{
}
"""


def run_config(words: list[str], complain: Complain) -> int:
    """Understand the words behind `config` and do what they say; returns the exit code."""
    arguments = parse_config(words)
    # A check tells all of it by itself, and a way to a file must not depend on what is in it.
    is_quiet = arguments.verb in ("check", "path")
    house = enter_house(arguments.cwd, {}, trust=arguments.trust, complain=(lambda _: None) if is_quiet else complain)
    layer: FileLayer = "project" if "project" in arguments and arguments.project else "user"
    match arguments.verb:
        case "show":
            chosen = choose(house, arguments)
            return show_paged(lambda: print_values(chosen, as_json=arguments.json))
        case "check":
            return _check(house, as_json=arguments.json)
        case "path":
            return _path(house, layer, as_json=arguments.json)
        case "edit":
            return _edit(house, target_of(house, layer), arguments, complain)
        case "set":
            return _set(house, target_of(house, layer), arguments, complain)
        case "unset":
            return _unset(house, target_of(house, layer), arguments, complain)


def choose(house: House, arguments: ConfigArguments) -> list[ValueInForce]:
    """The values that the words name; raises UsageError for a word that names none."""
    values = [each for each in values_in_force(house.loaded) if each.is_changed or not arguments.changed]
    if not arguments.words:
        return values
    paths = [find_name(word) for word in arguments.words]
    return [each for each in values if any(each.path[: len(path)] == path for path in paths)]


def _check(house: House, *, as_json: bool) -> int:
    problems = (*house.loaded.problems, *_doubts_about(house.loaded))
    show_paged(lambda: print_problems(house, problems, as_json=as_json))
    return FAILED if problems else DONE


def _doubts_about(loaded: Loaded) -> tuple[SettingProblem, ...]:
    """What is well written and yet leads nowhere, keys of the screen among it."""
    doubts = config.doubts_about(loaded)
    if not loaded.settings.keys:
        return doubts
    # What knows the commands is loaded only for who changed a key.
    from diligent_tui.cli.key_doubts import doubts_about_keys

    return (*doubts, *doubts_about_keys(loaded))


def _path(house: House, layer: FileLayer, *, as_json: bool) -> int:
    path = house.places.user_settings if layer == "user" else house.places.project_settings
    if as_json:
        sys.stdout.write(json.dumps({"layer": layer, "file": str(path), "exists": path.exists()}) + "\n")
    else:
        sys.stdout.write(f"{clean_line(str(path))}\n")
    return DONE


def _edit(house: House, target: Target, arguments: ConfigArguments, complain: Complain) -> int:
    editor = find_editor(os.environ)
    if not target.path.exists():
        make_private_folder(target.path.parent)
        change_file(target.path, lambda text: text or NEW_FILE, is_private=target.layer == "user")
    try:
        code = subprocess.run([*editor, str(target.path)], check=False).returncode
    except OSError as error:
        raise SettingsError(f"{editor[0]} cannot be started: {error.strerror}.", "Set EDITOR to another.") from error
    if code != 0:
        complain(f"{editor[0]} ended with {code}.")
        return FAILED
    keep_known(house, target)
    now = enter(house.places.cwd, house.environ, {}, trust_once=arguments.trust)
    return _check(now, as_json=arguments.json)


def find_editor(environ: Mapping[str, str]) -> list[str]:
    """The user's editor, as words; raises UsageError if there is none."""
    for name in ("VISUAL", "EDITOR"):
        if said := environ.get(name, "").strip():
            try:
                return shlex.split(said)
            except ValueError as error:
                raise UsageError(f"{name} cannot be read: {error}.", f"Try: {name}=vi") from error
    found = next((name for name in EDITORS if shutil.which(name)), None)
    if found is None:
        raise UsageError("There is no editor.", "Set EDITOR, or use `diligent config set KEY VALUE`.")
    return [found]


def _set(house: House, target: Target, arguments: ConfigArguments, complain: Complain) -> int:
    path = find_value_name(arguments.key)
    setting = find_setting(path)
    is_secret = setting is not None and setting.is_secret
    said = arguments.value
    if said == STANDARD_INPUT:
        said = sys.stdin.read(LONGEST_VALUE_CHARS).rstrip("\r\n")
    elif is_secret and setting is not None and setting.field_name == "api_key":
        complain("Your shell may keep this key in its history; with - it is read from standard input.")
    value = value_for(path, said, target.layer)
    save_value(house, target, path, value)
    _tell(house, target, arguments, complain, "set", MASK if is_secret and value else shown(value))
    return DONE


def _unset(house: House, target: Target, arguments: ConfigArguments, complain: Complain) -> int:
    was_there = take_value_away(house, target, find_name(arguments.key))
    if not was_there and not arguments.json:
        complain(f"`{arguments.key}` is not set in {target.path}.")
        return DONE
    _tell(house, target, arguments, complain, "unset", "")
    return DONE


def _tell(house: House, target: Target, arguments: ConfigArguments, complain: Complain, done: str, value: str) -> None:
    """Say what stands there now, and who stands above it."""
    path = find_name(arguments.key)
    now = enter(house.places.cwd, house.environ, {}, trust_once=arguments.trust)
    in_force = [each for each in values_in_force(now.loaded) if each.path[: len(path)] == path]
    if arguments.json:
        sys.stdout.write(
            json.dumps(
                {
                    "key": ".".join(path),
                    "done": done,
                    "layer": target.layer,
                    "file": str(target.path),
                    "inForce": [each.origin.layer for each in in_force[:1]] == [target.layer],
                }
            )
            + "\n"
        )
    elif done == "set":
        sys.stdout.write(f"{clean_line(arguments.key)} = {clean_line(value)}\n")
    if target.layer == "project" and not now.trusted:
        complain("This folder is not trusted, so its settings are not used yet.")
    for each in in_force:
        if each.is_changed and each.origin.layer != target.layer:
            complain(f"In force is what {each.origin.text} says: {each.name} = {shown(each.value)}.")
    for doubt in _doubts_about(now.loaded):
        if doubt.key == ".".join(path):
            complain(f"{doubt.message} {doubt.remedy}")
