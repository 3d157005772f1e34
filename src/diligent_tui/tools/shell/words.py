"""Cuts a command into words and operators exactly as bash would, or not at all.

Only what is known is taken: plain characters, quotes, a few escapes, a few operators. Expansions, substitutions,
braces, assignments, subshells, here-documents, tabs, control characters and unseen ones make the whole command unknown.
"""

import re
from dataclasses import dataclass
from typing import Literal

LONGEST_COMMAND_CHARS = 2_000

OperatorSign = Literal["&&", "||", "|", ";", "\n"]

# A `~` inside a word is a plain character unless it follows `=` or `:`; a leading one would be somebody's home.
PLAIN = re.compile(r"(?:[A-Za-z0-9_./:=,@%+^!-]|(?<=[A-Za-z0-9^~_])~)+")
GLOB = re.compile(r"[*?]+")
ESCAPED = re.compile(r"\\([()*?.+|\[\]{}$^;])")
SINGLE = re.compile(r"'([^']*)'")
# In double quotes `$` is only a sign where nothing that can be expanded follows it.
DOUBLE = re.compile(r'"((?:[^"\\$`]|\\.|\$(?=["|)/ ]))*)"')
DOUBLE_ESCAPE = re.compile(r'\\([$`"\\])')
BLANKS = re.compile(" +")
COMMENT = re.compile(r"#[^\n]*")
OPERATOR = re.compile(r"&&|\|\|(?!\|)|\|(?![|&])|;(?!;)|\n")
TO_NOWHERE = re.compile(r"(?:&>|[12]?>) *(?:/dev/null)(?=[ ;|\n]|&&|$)|(?:[12]?>&[12])(?=[ ;|\n]|&&|$)")
FROM_FILE = re.compile(r"<(?![<(&>]) *(?=[A-Za-z0-9_./'\"])")
GLOB_SIGNS = frozenset("*?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the program would get it; with `has_glob` the shell would first put file names in its place."""

    text: str
    has_glob: bool = False
    is_bare: bool = True
    """True if nothing in it was quoted or escaped."""


@dataclass(frozen=True, slots=True)
class Operator:
    """What stands between two commands."""

    sign: OperatorSign


@dataclass(frozen=True, slots=True)
class Input:
    """The next word is the file that the command reads from."""


Token = Word | Operator | Input
SIGNS: dict[str, OperatorSign] = {"&&": "&&", "||": "||", "|": "|", ";": ";", "\n": "\n"}


def cut(command: str) -> list[Token] | None:
    """The words and operators; None if any character of the command is not understood."""
    if len(command) > LONGEST_COMMAND_CHARS or not command.replace("\n", "").isprintable():
        return None
    tokens: list[Token] = []
    at = 0
    while at < len(command):
        if found := BLANKS.match(command, at) or COMMENT.match(command, at) or TO_NOWHERE.match(command, at):
            at = found.end()
        elif found := OPERATOR.match(command, at):
            tokens.append(Operator(SIGNS[found.group()]))
            at = found.end()
        elif found := FROM_FILE.match(command, at):
            tokens.append(Input())
            at = found.end()
        else:
            read = _word(command, at)
            if read is None:
                return None
            word, at = read
            tokens.append(word)
    return tokens


def _word(command: str, start: int) -> tuple[Word, int] | None:
    """One word of any pieces that stand together, and where it ends."""
    pieces: list[str] = []
    has_glob = has_hidden_glob = False
    is_bare = True
    at = start
    while at < len(command):
        if found := PLAIN.match(command, at):
            piece = found.group()
        elif found := GLOB.match(command, at):
            piece = found.group()
            has_glob = True
        elif found := SINGLE.match(command, at) or DOUBLE.match(command, at) or ESCAPED.match(command, at):
            whole = found.group()
            piece = whole[1:-1] if whole[0] in "'\"" else whole[1:]
            if "\n" in piece:
                return None
            if whole[0] == '"':
                piece = DOUBLE_ESCAPE.sub(r"\1", piece)
            is_bare = False
            has_hidden_glob = has_hidden_glob or not GLOB_SIGNS.isdisjoint(piece)
        else:
            break
        pieces.append(piece)
        at = found.end()
    if not pieces or (has_glob and has_hidden_glob) or not _ends_here(command, start, at):
        return None
    return Word("".join(pieces), has_glob, is_bare), at


def _ends_here(command: str, start: int, end: int) -> bool:
    """A word ends at a blank, an operator or the end; digits before `<` or `>` would be a file descriptor."""
    rest = command[end : end + 2]
    if not rest or rest[0] in " \n;|" or rest == "&&":
        return True
    return False if rest[0] != "<" else not command[start:end].isdigit()
