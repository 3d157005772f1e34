"""Every word of the command line as data, read from the parsers; completion and documents are made from it."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from diligent_tui.cli.arguments import Parser, make_parser
from diligent_tui.cli.completion_arguments import make_completion_parser
from diligent_tui.cli.config_arguments import make_config_parser
from diligent_tui.cli.doctor.arguments import make_doctor_parser
from diligent_tui.cli.knowledge_arguments import make_knowledge_parser
from diligent_tui.cli.models import make_models_parser
from diligent_tui.cli.schema import make_schema_parser
from diligent_tui.cli.sessions_arguments import make_sessions_parser
from diligent_tui.domain.json_objects import is_object

COMMANDS: Mapping[str, Callable[[], Parser]] = MappingProxyType(
    {
        "sessions": make_sessions_parser,
        "knowledge": make_knowledge_parser,
        "models": make_models_parser,
        "config": make_config_parser,
        "doctor": make_doctor_parser,
        "schema": make_schema_parser,
        "completion": make_completion_parser,
    }
)
"""The commands by their first word; `run` has a line for each."""


@dataclass(frozen=True, slots=True)
class Option:
    """A word that begins with a dash."""

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    """What stands behind it; empty if nothing does."""
    choices: tuple[str, ...] = ()
    value_is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """A word that stands for itself."""

    metavar: str
    help: str
    choices: tuple[str, ...] = ()
    is_optional: bool = False
    may_repeat: bool = False


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command with its words; `name` has all words that lead to it."""

    name: str
    description: str
    epilog: str
    options: tuple[Option, ...]
    arguments: tuple[Argument, ...]
    commands: tuple["CommandWords", ...] = ()

    def walk(self) -> Iterator["CommandWords"]:
        """This command and all below it."""
        yield self
        for each in self.commands:
            yield from each.walk()


def command_tree() -> CommandWords:
    """Every word there is."""
    top = _read("diligent", make_parser())
    below = tuple(_read(f"diligent {name}", make()) for name, make in COMMANDS.items())
    return CommandWords(top.name, top.description, top.epilog, top.options, top.arguments, below)


def _read(name: str, parser: Parser) -> CommandWords:
    options: list[Option] = []
    arguments: list[Argument] = []
    commands: list[CommandWords] = []
    for action in parser.actions:
        verbs = _verbs(action)
        if verbs:
            commands += [_read(f"{name} {verb}", inner) for verb, inner in verbs.items()]
        elif action.option_strings:
            options.append(_option(action))
        else:
            arguments.append(_argument(action))
    return CommandWords(
        name, parser.description or "", parser.epilog or "", tuple(options), tuple(arguments), tuple(commands)
    )


def _verbs(action: argparse.Action) -> dict[str, Parser]:
    choices: object = action.choices
    pairs = choices if is_object(choices) else {}
    return {name: inner for name, inner in pairs.items() if isinstance(inner, Parser)}


def _option(action: argparse.Action) -> Option:
    takes_value = action.nargs != 0
    metavar = action.metavar if isinstance(action.metavar, str) else "|".join(_choices(action)) or action.dest.upper()
    return Option(
        tuple(action.option_strings),
        _help(action),
        metavar if takes_value else "",
        _choices(action),
        action.nargs == "?",
    )


def _argument(action: argparse.Action) -> Argument:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return Argument(metavar, _help(action), _choices(action), action.nargs in ("?", "*"), action.nargs in ("*", "+"))


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(str(choice) for choice in action.choices or ())


def _help(action: argparse.Action) -> str:
    said = action.help or ""
    return said % {"default": action.default} if "%(" in said else said
