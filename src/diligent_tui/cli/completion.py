"""`diligent completion`: prints a script for a shell, made from the parsers themselves."""

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

from diligent_tui.cli.completion_arguments import CompletionArguments, Shell, make_completion_parser
from diligent_tui.cli.completion_words import Places, places_of
from diligent_tui.cli.headless import until_the_reader_leaves
from diligent_tui.cli.shells import bash, fish, zsh
from diligent_tui.cli.word_tree import command_tree

SCRIPTS: Mapping[Shell, Callable[[Places], str]] = MappingProxyType(
    {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}
)


def run_completion(words: list[str]) -> int:
    """Understand the words behind `completion` and print the script; returns the exit code."""
    arguments = make_completion_parser().parse_args(words, CompletionArguments())
    text = SCRIPTS[arguments.shell](places_of(command_tree()))
    return until_the_reader_leaves(lambda: _print(text))


def _print(text: str) -> None:
    sys.stdout.write(text)
