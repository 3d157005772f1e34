"""Which files a shell command reads and changes, as far as its words tell; it is read, never run or expanded."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import join, normpath
from types import MappingProxyType

LONGEST_COMMAND_CHARS = 8_000
"""Beyond that only the beginning is read; scripts carried along in a command are cut out first."""

READERS = frozenset(
    (
        "cat",
        "head",
        "tail",
        "less",
        "more",
        "nl",
        "wc",
        "bat",
        "diff",
        "cmp",
        "stat",
        "file",
        "sort",
        "uniq",
        "cut",
        "tac",
        "xxd",
        "od",
        "view",
        "md5sum",
    )
)
PATTERN_FIRST = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk", "jq"))
"""Their first plain word is what to look for, not where."""
SEARCHERS = frozenset(("grep", "egrep", "fgrep", "rg", "ag"))
"""They look below folders as well."""
RUNNERS = frozenset(
    (
        *(
            "python",
            "python3",
            "node",
            "deno",
            "bun",
            "tsx",
            "ruby",
            "perl",
            "php",
            "bash",
            "sh",
            "zsh",
            "lua",
            "elixir",
        ),
        *("pytest", "jest", "vitest", "mocha", "rspec", "tsc", "ruff", "mypy", "eslint", "prettier", "gcc", "rustc"),
    )
)
"""The files they are given they read, to run or to check them."""
WRAPPERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "uv": frozenset(("run",)),
        "poetry": frozenset(("run",)),
        "npx": frozenset(),
        "bunx": frozenset(),
        "mix": frozenset(("test", "run", "format", "credo")),
        "go": frozenset(("run", "test", "vet")),
    }
)
"""What they run is named behind them, or behind one of these words; then what is said of runners holds."""
REMOVERS = frozenset(("rm", "touch", "tee", "truncate", "unlink", "shred", "patch"))
LOOKERS = (
    READERS
    | PATTERN_FIRST
    | frozenset(("ls", "find", "tree", "pwd", "echo", "which", "type", "git", "cd", "true", "test", "[", "fd", "du"))
)
LOOKING_GIT = frozenset(("diff", "show", "log", "status", "blame", "grep", "ls-files", "branch"))

_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_WRITTEN_BY_PYTHON = re.compile(r"""open\(\s*['"]([^'"\n]{1,200})['"]\s*,\s*['"](?:w|a|x|r\+)""")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (\S[^\n]*)$", re.MULTILINE)
_FILE_NAME = re.compile(r"[\w@%+=,.~/-]*[\w-]\.[A-Za-z][\w-]{0,9}|[\w@%+=,.~-]*/[\w@%+=,.~/-]*[\w-]|[A-Z][\w-]*file")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_FIGURE = re.compile(r"[\d.,]+\w?")
_OPERATORS = frozenset(";|&()\n")
_PLAIN = re.compile(r"[;|&<>()\n]+|[^\s;|&<>()]+")
_OPTIONS_WITH_VALUE = frozenset(("-n", "-c", "-e", "-f", "-A", "-B", "-C", "-m", "-d", "-k", "-t"))


@dataclass(frozen=True, slots=True)
class Touches:
    """Files by name, in the order of the words; `only_looks` if nothing but reading was asked for."""

    read: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    only_looks: bool = False


def shell_touches(command: str) -> Touches:
    """What a command line touches."""
    read: dict[str, None] = {}
    changed: dict[str, None] = dict.fromkeys(_WRITTEN_BY_PYTHON.findall(command) + _PATCHED.findall(command))
    folder = ""
    only_looks = True
    for said in _simple_commands(command):
        kept, written = _without_redirections(said)
        changed.update((_in(folder, name), None) for name in written)
        words = _without_prefixes(kept)
        if not words:
            continue
        verb, *rest = words
        if verb == "cd":
            folder = join(folder, rest[0]) if rest else ""
            continue
        program, verb = verb, verb.rpartition("/")[2]
        looked_at, written = _arguments(verb, rest)
        if "/" in program and _has_ending(program):
            looked_at = [program, *looked_at]
        read.update((_in(folder, name), None) for name in looked_at)
        changed.update((_in(folder, name), None) for name in written)
        only_looks = only_looks and _only_looks(verb, rest)
    return Touches(tuple(name for name in read if name not in changed), tuple(changed), only_looks and not changed)


def command_name(command: str) -> str:
    """The first two words that say what a command does, the same for every run of it."""
    for said in _simple_commands(command):
        words = [word for word in _without_prefixes(_without_redirections(said)[0]) if not word.startswith("-")]
        if words and words[0] not in ("cd", "export", "source", "."):
            return " ".join(" ".join(words[:2]).split())
    return command.strip()[:40]


@lru_cache(maxsize=16)
def _simple_commands(command: str) -> tuple[tuple[str, ...], ...]:
    """The commands of a line, each as its words; kept for a moment, for a line is looked at in several ways."""
    commands: list[tuple[str, ...]] = []
    words: list[str] = []
    for word in _shell_words(_HEREDOC.sub(r"<<\2\3", command)[:LONGEST_COMMAND_CHARS]):
        if word and set(word) <= _OPERATORS:
            commands.append(tuple(words))
            words = []
        else:
            words.append(word)
    return (*commands, tuple(words))


def _shell_words(text: str) -> Iterator[str]:
    if not any(sign in text for sign in "'\"\\"):
        # Nothing is quoted, so that spaces and operators are all there is to know; many times as quick.
        yield from _PLAIN.findall(text)
        return
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";|&<>()\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    lexer.whitespace_split = True
    try:
        yield from lexer
    except ValueError:
        # A quote that is never closed: what was read before it is still true.
        return


def _without_redirections(words: Sequence[str]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    written: list[str] = []
    rest = iter(words)
    for word in rest:
        if not word or not set(word) <= set("<>&|"):
            kept.append(word)
            continue
        if kept and kept[-1] in ("1", "2"):
            kept.pop()
        target = next(rest, "")
        if ">" in word and "&" not in word.partition(">")[2] and _is_file(target):
            written.append(target)
    return kept, written


def _without_prefixes(words: list[str]) -> list[str]:
    while words and (
        words[0] in ("sudo", "time", "env", "nohup", "command", "exec", "xargs", "then", "do", "!")
        or ("=" in words[0] and _ASSIGNMENT.match(words[0]))
    ):
        words = words[1:]
    return words


def _arguments(verb: str, rest: Sequence[str]) -> tuple[list[str], list[str]]:
    """Files that a simple command reads and changes."""
    options = [word for word in rest if word.startswith("-")]
    plain = list(_plain_words(rest))
    if verb in ("sed", "perl") and any(re.match(r"-\w*i|--in-place", option) for option in options):
        return [], [word for word in plain[1:] or plain if _is_file(word)]
    if verb in PATTERN_FIRST:
        has_pattern = any(option in ("-e", "-f") or option.startswith("--regexp") for option in options)
        is_file = _has_ending if verb in SEARCHERS else _is_file
        return [word for word in (plain if has_pattern else plain[1:]) if is_file(word)], []
    if verb in READERS:
        return [word for word in plain if _is_file(word)], []
    if verb in REMOVERS:
        return [], [word for word in plain if _is_file(word)]
    if verb in ("mv", "cp", "install", "ln") and len(plain) > 1:
        target = [plain[-1]] if _is_file(plain[-1]) else []
        sources = [word for word in plain[:-1] if _is_file(word)]
        return ([], sources + target) if verb == "mv" else (sources, target)
    if _runs(verb, plain):
        # Code in the command itself is no file; which test of a file is meant stands behind its name.
        has_code = "-c" in options or "-e" in options
        named = [] if has_code else [word.partition("::")[0] for word in plain]
        return [word for word in named if _has_ending(word)], []
    if verb == "git" and plain[:1] in (["checkout"], ["restore"], ["rm"], ["mv"]):
        return [], [word for word in plain[1:] if _is_file(word) and "." in word]
    return [], []


def _runs(verb: str, plain: Sequence[str]) -> bool:
    inner = WRAPPERS.get(verb)
    return verb in RUNNERS or (inner is not None and (not inner or plain[:1] == [] or plain[0] in inner))


def _plain_words(rest: Sequence[str]) -> Iterator[str]:
    skips_next = False
    for word in rest:
        if word.startswith("-"):
            # `-n 20` has a value behind it, `-n '1,5p'` of sed is told apart by not being a number.
            skips_next = word in _OPTIONS_WITH_VALUE
            continue
        # An empty word is what a Mac's `sed -i ''` is told.
        if word and not (skips_next and word.isdigit()):
            yield word
        skips_next = False


def _only_looks(verb: str, rest: Sequence[str]) -> bool:
    if verb == "git":
        return next((word in LOOKING_GIT for word in rest if not word.startswith("-")), False)
    return verb in LOOKERS


def _is_file(word: str) -> bool:
    return (
        len(word) <= 300
        and not word.startswith(("/dev/", "http:", "https:", "-"))
        and _FILE_NAME.fullmatch(word) is not None
        and not _FIGURE.fullmatch(word)
    )


def _has_ending(word: str) -> bool:
    """Whether a word is a file by its ending."""
    return _is_file(word) and "." in word.rpartition("/")[2]


def _in(folder: str, name: str) -> str:
    return name if name.startswith(("/", "~")) or not folder else normpath(join(folder, name))
