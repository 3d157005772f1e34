"""One layer of settings, checked by itself: what is wrong is named and dropped, the rest stays."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeGuard

from pydantic import BaseModel, ValidationError

from diligent_tui.config.outline import Setting, Tree, find_setting, is_tree, settings_in
from diligent_tui.config.problems import (
    Layer,
    Origin,
    SettingProblem,
    forbidden_in_project,
    unknown_name,
    wrong_value,
)
from diligent_tui.config.settings import Settings

KeyPath = tuple[str | int, ...]
Locate = Callable[[KeyPath], Origin]
Said = ParamSpec("Said")

MOST_PROBLEMS_OF_A_LAYER = 100


@dataclass(frozen=True, slots=True)
class CheckedLayer:
    """What a layer validly says, by names on disk, and what it said wrongly."""

    tree: Tree
    problems: tuple[SettingProblem, ...]


def check_layer(raw: Tree, layer: Layer, locate_key: Locate, locate_value: Locate) -> CheckedLayer:
    """Keep what this layer may say and says well; files are held to JSON's types, variables and flags are not."""
    checker = _Checker(layer, locate_key, locate_value)
    tree = checker.known_part(raw, Settings, (), is_open=layer != "project")
    checker.drop_wrong_values(tree, strict=layer in ("user", "project"))
    return CheckedLayer(tree, tuple(checker.problems))


def merge(lower: Tree, upper: Tree) -> Tree:
    """The lower tree with the upper one laid over it, object by object."""
    merged = dict(lower)
    for name, value in upper.items():
        below = merged.get(name)
        merged[name] = merge(below, value) if is_tree(below) and is_tree(value) else value
    return merged


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


class _Checker:
    def __init__(self, layer: Layer, locate_key: Locate, locate_value: Locate) -> None:
        self.layer = layer
        self.locate_key = locate_key
        self.locate_value = locate_value
        self.problems: list[SettingProblem] = []

    def complain(self, make: Callable[Said, SettingProblem], *args: Said.args, **more: Said.kwargs) -> None:
        """Past the ones that will be shown only the number counts; a flood of them must not hold up the start."""
        is_shown = len(self.problems) < MOST_PROBLEMS_OF_A_LAYER
        self.problems.append(make(*args, **more) if is_shown else self.problems[-1])

    def known_part(self, raw: Tree, section: type[BaseModel], above: tuple[str, ...], *, is_open: bool) -> Tree:
        kept: Tree = {}
        known = settings_in(section)
        for name, value in raw.items():
            path = (*above, name)
            setting = known.get(name)
            if setting is None:
                self.complain(unknown_name, path, list(known), self.locate_key(path))
            elif not (is_open or setting.project_may_set) or (setting.user_only and self.layer == "project"):
                self.complain(forbidden_in_project, path, self.locate_key(path))
            elif setting.section is None:
                kept[name] = value
            elif not is_tree(value):
                self.complain(wrong_value, path, value, setting, self.locate_value(path))
            elif setting.kind == "section":
                kept[name] = self.known_part(value, setting.section, path, is_open=True)
            else:
                kept[name] = self.known_sections(value, setting, setting.section, path)
        return kept

    def known_sections(self, raw: Tree, setting: Setting, section: type[BaseModel], above: tuple[str, ...]) -> Tree:
        kept: Tree = {}
        for name, value in raw.items():
            path = (*above, name)
            if is_tree(value):
                kept[name] = self.known_part(value, section, path, is_open=True)
            else:
                self.complain(wrong_value, path, value, setting, self.locate_value(path))
        return kept

    def drop_wrong_values(self, tree: Tree, *, strict: bool) -> None:
        """All wrong values are told at once, so a second round finds none; an empty tree has nothing to complain of."""
        while tree:
            try:
                _validate(tree, strict=strict)
            except ValidationError as error:
                places = {_existing(tree, complaint["loc"]) for complaint in error.errors(include_url=False)}
                # From the back, so that an item that goes does not move the ones still to go.
                for path in sorted(places, key=_from_the_back, reverse=True):
                    value = _take_out(tree, path)
                    if setting := find_setting(path):
                        self.complain(wrong_value, path, value, setting, self.locate_value(path))
            else:
                return


def _validate(tree: Tree, *, strict: bool) -> None:
    if strict:
        Settings.model_validate_json(json.dumps(tree), strict=True)
    else:
        Settings.model_validate(tree)


def _existing(tree: Tree, loc: KeyPath) -> KeyPath:
    """The part of an error's place that is in the tree; pydantic adds words of its own to it."""
    for length in range(len(loc), 0, -1):
        if _holds(tree, loc[:length]):
            return loc[:length]
    return ()


def _holds(tree: Tree, path: KeyPath) -> bool:
    value: object = tree
    for part in path:
        if isinstance(part, str):
            if not is_tree(value) or part not in value:
                return False
            value = value[part]
        else:
            if not _is_list(value) or part >= len(value):
                return False
            value = value[part]
    return True


def _take_out(tree: Tree, path: KeyPath) -> object:
    if not path:
        tree.clear()
        return None
    holder: object = tree
    for part in path[:-1]:
        if is_tree(holder):
            holder = holder[str(part)]
        elif _is_list(holder):
            holder = holder[int(part)]
    if is_tree(holder):
        return holder.pop(str(path[-1]), None)
    return holder.pop(int(path[-1])) if _is_list(holder) else None


def _from_the_back(path: KeyPath) -> tuple[str, ...]:
    return tuple(f"{part:09}" if isinstance(part, int) else part for part in path)
