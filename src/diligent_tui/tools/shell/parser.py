"""Reads a command as a list of simple commands, or not at all."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from diligent_tui.tools.shell.words import Input, Operator, Token, Word, cut

Sign = Literal["&&", "||", "|", ";"]
MOST_COMMANDS = 30
_RESERVED_WORDS = """
! { } [[ ]] if then elif else fi for while until do done case esac in select function time coproc
"""
RESERVED = frozenset(_RESERVED_WORDS.split())
# These run or define other code with their words, so knowing the words is not knowing the command.
_RUNS_WORDS_WORDS = "eval source . exec trap alias unalias function builtin enable hash set shopt"
RUNS_WORDS = frozenset(_RUNS_WORDS_WORDS.split())
PROGRAM = re.compile(r"[A-Za-z0-9_./+-]+")


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A program and its words; `reads` are the files put to its input."""

    words: tuple[Word, ...]
    reads: tuple[Word, ...] = ()

    @property
    def program(self) -> str:
        """The first word."""
        return self.words[0].text

    @property
    def texts(self) -> list[str]:
        """The words behind the program."""
        return [word.text for word in self.words[1:]]


@dataclass(frozen=True, slots=True)
class CommandList:
    """Simple commands in their order, and what stands between each and the next."""

    commands: tuple[SimpleCommand, ...]
    operators: tuple[Sign, ...]


def parse(command: str) -> CommandList | None:
    """The command as simple commands; None if anything in it is more than plain words, pipes and lists."""
    tokens = cut(command)
    if tokens is None:
        return None
    commands: list[SimpleCommand] = []
    operators: list[Sign] = []
    for part, sign in _parts(tokens):
        simple = _simple(part)
        if simple is None:
            return None
        commands.append(simple)
        operators.append(sign)
    if not commands or len(commands) > MOST_COMMANDS or operators[-1] in ("&&", "||", "|"):
        return None
    return CommandList(tuple(commands), tuple(operators[:-1]))


def _parts(tokens: Sequence[Token]) -> Iterable[tuple[list[Token], Sign]]:
    """The tokens of each command with the operator behind it; a line end is a `;`, or nothing where none can stand."""
    part: list[Token] = []
    for token in tokens:
        if not isinstance(token, Operator):
            part.append(token)
        elif part or token.sign != "\n":
            yield part, ";" if token.sign == "\n" else token.sign
            part = []
    if part:
        yield part, ";"


def _simple(part: Sequence[Token]) -> SimpleCommand | None:
    words: list[Word] = []
    reads: list[Word] = []
    is_input = False
    for token in part:
        match token:
            case Word() if is_input:
                reads.append(token)
                is_input = False
            case Word():
                words.append(token)
            case Input() if not is_input:
                is_input = True
            case _:
                return None
    if is_input or not words or not _is_program(words[0]) or any(word.has_glob for word in reads):
        return None
    return SimpleCommand(tuple(words), tuple(reads))


def _is_program(word: Word) -> bool:
    """A bare name: not an assignment, not a word of the shell's grammar, not one that runs its words as code."""
    return (
        word.is_bare
        and not word.has_glob
        and PROGRAM.fullmatch(word.text) is not None
        and word.text not in RESERVED
        and word.text not in RUNS_WORDS
    )
