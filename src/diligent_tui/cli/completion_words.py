"""What can stand at each place of the command line, ready for a shell's script."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from diligent_tui.cli.word_tree import Argument, CommandWords, Option
from diligent_tui.config.setting_names import value_names
from diligent_tui.providers.model_table import MODELS

Values = Literal["none", "words", "files", "folders"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word to offer, with what it means."""

    text: str
    help: str


@dataclass(frozen=True, slots=True)
class Flag:
    """An option, and what stands behind it."""

    names: tuple[str, ...]
    help: str
    values: Values
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """What can stand behind the words of `name`."""

    name: str
    commands: tuple[Word, ...]
    flags: tuple[Flag, ...]
    words: tuple[str, ...]
    takes_files: bool


Places = tuple[Place, ...]


def places_of(tree: CommandWords) -> Places:
    """Every place, the shorter names first."""
    return tuple(_place(each) for each in tree.walk())


def _place(command: CommandWords) -> Place:
    return Place(
        command.name,
        tuple(Word(each.name.rpartition(" ")[2], each.description.rstrip(".")) for each in command.commands),
        tuple(_flag(each) for each in command.options),
        tuple(_words_of(command.arguments)),
        any(each.metavar == "FILE" for each in command.arguments),
    )


def _flag(option: Option) -> Flag:
    values: Values = "none"
    words: tuple[str, ...] = ()
    if option.metavar == "FOLDER":
        values = "folders"
    elif option.metavar == "FILE":
        values = "files"
    elif option.metavar and not option.value_is_optional:
        values = "words"
        words = option.choices
        if "--model" in option.names:
            words = tuple(model.id for model in MODELS)
    return Flag(option.names, option.help, values, words)


def _words_of(arguments: Iterable[Argument]) -> Iterable[str]:
    for each in arguments:
        yield from each.choices
        if each.metavar == "KEY":
            yield from value_names()
