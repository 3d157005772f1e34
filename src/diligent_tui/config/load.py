"""All layers of settings into one valid whole, with the origin of every value and all that was wrong on the way."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.config.environment import read_environment
from diligent_tui.config.jsonc import Document, JsoncError, parse
from diligent_tui.config.layers import MOST_PROBLEMS_OF_A_LAYER, CheckedLayer, KeyPath, check_layer, merge
from diligent_tui.config.outline import NameOf, Tree, all_names, is_tree
from diligent_tui.config.paths import Places
from diligent_tui.config.problems import Layer, Origin, SettingProblem, shown_name
from diligent_tui.config.reading import NotPlainFile, read_plain
from diligent_tui.config.settings import Settings

BUILT_IN = Origin("built-in")
FOR_EDITORS = "$schema"
"""Tells an editor what may stand in the file; it is no setting."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings that can be used, where each came from, and what could not be used."""

    settings: Settings
    origins: Mapping[NameOf, Origin]
    problems: tuple[SettingProblem, ...]

    @property
    def provenance(self) -> Mapping[str, Origin]:
        """The origins by dotted name."""
        return {".".join(path): origin for path, origin in self.origins.items()}


@dataclass(frozen=True, slots=True)
class _Layer:
    checked: CheckedLayer
    origins: Mapping[tuple[str, ...], Origin]


def load_settings(places: Places, environ: Mapping[str, str], flags: Mapping[str, object], *, trusted: bool) -> Loaded:
    """Built-in < user < project < environment < flags; never fails, and leaves an untrusted project's file unopened.

    Flags are named like settings, with dots: `{"ui.mouse": False}`.
    """
    layers = [_file_layer(places.user_settings, "user")]
    if trusted:
        layers.append(_file_layer(places.project_settings, "project"))
    layers += [_environment_layer(environ), _flag_layer(flags)]

    tree: Tree = {}
    origins: dict[tuple[str, ...], Origin] = {
        name: BUILT_IN for name, setting in all_names() if setting.section is None and "*" not in name
    }
    for layer in layers:
        tree = merge(tree, layer.checked.tree)
        for path in _values(layer.checked.tree, ()):
            origins[path] = layer.origins[path]
    return Loaded(
        Settings.model_validate(tree),
        origins,
        tuple(problem for layer in layers for problem in _not_too_many(layer.checked.problems)),
    )


def _file_layer(path: Path, layer: Layer) -> _Layer:
    origin = Origin(layer, path)
    try:
        document = parse(read_plain(path).decode())
    except FileNotFoundError:
        return _unused()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _unused(_whole_file(Origin(layer, path, line), "it is not UTF-8 text", "Save it as UTF-8."))
    except JsoncError as error:
        return _unused(_whole_file(Origin(layer, path, error.position.line), error.complaint, "Mend this line."))
    except NotPlainFile as error:
        return _unused(_whole_file(origin, str(error), "Put a settings file in its place, or nothing."))
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else None
        return _unused(_whole_file(origin, said or "its name is not a file name", "Look at its permissions."))
    if not is_tree(document.value):
        start = Origin(layer, path, document.position(()).line)
        return _unused(_whole_file(start, "settings should be an object", "Put `{` and `}` around them."))
    return _document_layer(document, document.value, path, layer)


def _document_layer(document: Document, raw: Tree, path: Path, layer: Layer) -> _Layer:
    def locate_key(key: KeyPath) -> Origin:
        return Origin(layer, path, document.key_position(key).line)

    def locate_value(key: KeyPath) -> Origin:
        return Origin(layer, path, document.position(key).line)

    repeated = [
        SettingProblem(
            Origin(layer, path, again.position.line),
            shown_name(again.path),
            f"`{shown_name(again.path)}` is said twice.",
            "The later one counts; take one of them away.",
        )
        for again in document.duplicates[: MOST_PROBLEMS_OF_A_LAYER + 1]
    ]
    said = {name: value for name, value in raw.items() if name != FOR_EDITORS}
    checked = check_layer(said, layer, locate_key, locate_value)
    problems = sorted([*repeated, *checked.problems], key=lambda problem: problem.origin.line or 0)
    origins = {value: locate_key(value) for value in _values(checked.tree, ())}
    return _Layer(CheckedLayer(checked.tree, tuple(problems)), origins)


def _environment_layer(environ: Mapping[str, str]) -> _Layer:
    """Each variable is a small layer of its own, so that a complaint can name it."""
    variables, problems = read_environment(environ)
    tree: Tree = {}
    origins: dict[tuple[str, ...], Origin] = {}
    for variable in variables:
        checked = check_alone(variable.path, variable.value, variable.origin)
        problems += checked.problems
        tree = merge(tree, checked.tree)
        origins |= dict.fromkeys(_values(checked.tree, ()), variable.origin)
    return _Layer(CheckedLayer(tree, tuple(problems)), origins)


def _flag_layer(flags: Mapping[str, object]) -> _Layer:
    origin = Origin("flags")
    tree: Tree = {}
    problems: list[SettingProblem] = []
    for name, value in flags.items():
        checked = check_alone(tuple(name.split(".")), copy.deepcopy(value), origin)
        problems += checked.problems
        tree = merge(tree, checked.tree)
    return _Layer(CheckedLayer(tree, tuple(problems)), dict.fromkeys(_values(tree, ()), origin))


def check_alone(path: NameOf, value: object, origin: Origin) -> CheckedLayer:
    """One value as a small layer of its own; the value may be changed by it."""
    tree: Tree = {path[-1]: value}
    for name in reversed(path[:-1]):
        tree = {name: tree}
    return check_layer(tree, origin.layer, lambda _: origin, lambda _: origin)


def _values(tree: Tree, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, value in tree.items():
        if is_tree(value):
            yield from _values(value, (*above, name))
        else:
            yield (*above, name)


def _unused(*problems: SettingProblem) -> _Layer:
    return _Layer(CheckedLayer({}, problems), {})


def _whole_file(origin: Origin, why: str, remedy: str) -> SettingProblem:
    return SettingProblem(origin, "", f"This file is not used: {why}.", remedy)


def _not_too_many(problems: tuple[SettingProblem, ...]) -> Iterator[SettingProblem]:
    yield from problems[:MOST_PROBLEMS_OF_A_LAYER]
    if rest := problems[MOST_PROBLEMS_OF_A_LAYER:]:
        origin = Origin(rest[0].origin.layer, rest[0].origin.file)
        yield SettingProblem(origin, "", f"{len(rest)} more settings cannot be used.", "Mend the first ones.")
