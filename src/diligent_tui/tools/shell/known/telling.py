"""Programs that read no files: they say what they are told, what time it is, or where something is."""

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.shell.options import Options, is_anything, is_number, one_of

SETS_VARIABLE = re.compile(r"%[^a-zA-Z%]*[hjlLtz]*n")
NAME = re.compile(r"[A-Za-z0-9_.+-]+")
TR_SET = Options("cdsC", "delete squeeze-repeats complement truncate-set1")
# A shim in the user's home may run what a file of the project names; these folders hold programs, not shims.
SYSTEM_FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin")


def _anything(_words: Sequence[str], _workplace: Workplace) -> bool:
    return True


def _one_of(allowed: frozenset[str], words: Sequence[str], _workplace: Workplace) -> bool:
    return len(words) <= 1 and set(words) <= allowed


def _only(options: Options, most_words: int, words: Sequence[str], _workplace: Workplace) -> bool:
    found = options.sort(words)
    return found is not None and len(found.words) <= most_words


def _date(words: Sequence[str], _workplace: Workplace) -> bool:
    """Any word that does not begin with `+` would set the clock."""
    optional = {"iso-8601": one_of("date", "hours", "minutes", "seconds", "ns")}
    found = Options("uIR", "utc universal rfc-email", optional=optional).sort(words)
    return found is not None and len(found.words) <= 1 and all(word.startswith("+") for word in found.words)


def _prints(words: Sequence[str], _workplace: Workplace) -> bool:
    """`-v` and `%n` would set a variable, such as PATH for the commands that follow."""
    return bool(words) and not words[0].startswith("-") and not SETS_VARIABLE.search(words[0])


def _looks_up(flags: str, words: Sequence[str], _workplace: Workplace) -> bool:
    found = Options(flags).sort(words)
    return found is not None and bool(found.words) and all(NAME.fullmatch(word) for word in found.words)


def _command(words: Sequence[str], workplace: Workplace) -> bool:
    """Without `-v` it would run its words."""
    return len(words) > 1 and words[0] in ("-v", "-V") and _looks_up("", words[1:], workplace)


def _version(program: str, words: Sequence[str], _workplace: Workplace) -> bool:
    # `python -v` and `node version` are something else.
    fits = len(words) == 1 and words[0] in ({"--version"} if program != "node" else {"--version", "-v"})
    found = shutil.which(program, path=":".join(SYSTEM_FOLDERS)) if fits else None
    return found is not None and str(Path(found).parent) in SYSTEM_FOLDERS


_NO_WORDS = partial(_one_of, frozenset[str]())

TELLING: Mapping[str, Callable[[Sequence[str], Workplace], bool]] = MappingProxyType(
    {
        "echo": _anything,
        "printf": _prints,
        "true": _NO_WORDS,
        "false": _NO_WORDS,
        "pwd": partial(_one_of, frozenset({"-P", "-L"})),
        "date": _date,
        "whoami": _NO_WORDS,
        "id": partial(_one_of, frozenset({"-u", "-g", "-un", "-gn"})),
        "hostname": _NO_WORDS,
        "nproc": _NO_WORDS,
        "arch": _NO_WORDS,
        "uptime": _NO_WORDS,
        "tty": _NO_WORDS,
        "uname": partial(_one_of, frozenset({"-a", "-s", "-r", "-m", "-n", "-o", "-sr", "-sm", "-srm"})),
        "free": partial(_only, Options("bkmghtw", "human"), 0),
        "seq": partial(_only, Options("w", "equal-width", {"s": is_anything}), 3),
        "tr": partial(_only, TR_SET, 2),
        "basename": partial(_only, Options("az", "", {"s": is_anything}), 20),
        "dirname": partial(_only, Options("z"), 20),
        "which": partial(_looks_up, "a"),
        "type": partial(_looks_up, "apPt"),
        "command": _command,
        "sleep": lambda words, _: len(words) == 1 and is_number(words[0]) and int(words[0]) <= 10,
        "python3": partial(_version, "python3"),
        "python": partial(_version, "python"),
        "node": partial(_version, "node"),
        "gcc": partial(_version, "gcc"),
        "make": partial(_version, "make"),
    }
)
