"""Which shell commands are known to do no harm: plain words of a few programs, everything else is not known.

The question is never "is this dangerous", for no list of dangers is ever complete. A command passes only if every
character, the program, each of its flags and each of its paths is one that we know.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.environment import safe_search_path
from diligent_tui.tools.paths import locate

LONGEST_COMMAND_CHARS = 2_000
PLAIN = r"[A-Za-z0-9_./:=,@%+-]+"
QUOTED = r"""'[^'"$`\\!]*'|"[^'"$`\\!]*\""""
COMMAND = re.compile(rf"{PLAIN}(?: +(?:{PLAIN}|{QUOTED}))*")
WORD = re.compile(rf"{PLAIN}|{QUOTED}")

Rule = Callable[[list[str], Workplace], bool]


def is_harmless(command: str, workplace: Workplace, search_path: str) -> bool:
    """True only for a command that reads at most what lies open in the workspace, and changes nothing."""
    program, *words = parse_words(command) or [""]
    rule = RULES.get(program)
    if rule is None or not _is_the_systems_own(program, workplace, search_path):
        return False
    return rule(words, workplace)


def parse_words(command: str) -> list[str] | None:
    """The words of a command that consists of nothing but plain and simply quoted words, else None."""
    if len(command) > LONGEST_COMMAND_CHARS or not command.isprintable():
        return None
    command = command.strip(" ")
    if not COMMAND.fullmatch(command):
        return None
    return [word[1:-1] if word[0] in "'\"" else word for word in WORD.findall(command)]


def _is_the_systems_own(program: str, workplace: Workplace, search_path: str) -> bool:
    """Not a file of the workspace that happens to be called `ls` and to come first in PATH."""
    found = shutil.which(program, path=safe_search_path(search_path))
    if found is None:
        return False
    return not any(locate(str(path), workplace).is_inside for path in (Path(found), Path(found).parent))


def _anything(_words: list[str], _workplace: Workplace) -> bool:
    return True


def _one_of(allowed: frozenset[str], words: list[str], _workplace: Workplace) -> bool:
    return len(words) <= 1 and set(words) <= allowed


def _reads_paths(
    flags: str, with_number: frozenset[str], defaults_to_cwd: bool, words: list[str], workplace: Workplace
) -> bool:
    """Known flags, then paths that anyone may read; `with_number` are flags whose value is a number."""
    known_flag = re.compile(flags)
    paths: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            paths += rest
        elif word in with_number:
            if not re.fullmatch(r"[+-]?[0-9]{1,12}", next(rest, "")):
                return False
        elif word.startswith("-") and word != "-":
            if not known_flag.fullmatch(word):
                return False
        else:
            paths.append(word)
    if defaults_to_cwd and not paths:
        paths.append(".")
    return all(_is_open_to_all(path, workplace) for path in paths)


def _is_open_to_all(path: str, workplace: Workplace) -> bool:
    # In quotes the shell takes `~` for a name, while `locate` would look in the user's home.
    if not path or path.startswith("~"):
        return False
    try:
        return locate(path, workplace).is_open_to_all
    except ToolError:
        return False


_NO_WORDS = partial(_one_of, frozenset[str]())
_COUNTED = partial(_reads_paths, r"-[qv]|-[0-9]{1,12}|-[nc][0-9]{1,12}", frozenset({"-n", "-c"}), False)

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "echo": _anything,
        "true": _NO_WORDS,
        "false": _NO_WORDS,
        "pwd": _NO_WORDS,
        "date": _NO_WORDS,
        "whoami": _NO_WORDS,
        "uname": partial(_one_of, frozenset({"-a", "-s", "-r", "-m"})),
        "ls": partial(_reads_paths, r"-[1AFRSadhlrt]+", frozenset[str](), True),
        "wc": partial(_reads_paths, r"-[clmwL]+", frozenset[str](), False),
        "cat": partial(_reads_paths, r"-[nbsAETv]+", frozenset[str](), False),
        "head": _COUNTED,
        "tail": _COUNTED,
    }
)
