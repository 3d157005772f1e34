"""Programs that look for text or for files, in a whole folder if they are told."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.shell.open_files import Search, are_open
from diligent_tui.tools.shell.options import Options, Sorted, is_anything, is_number, one_of

_CONTEXT = dict.fromkeys("ABCm", is_number) | dict.fromkeys(
    ("after-context", "before-context", "context", "max-count"), is_number
)
_COLOUR = one_of("never", "auto", "always")
GREP = Options(
    "EFGPinvwxclLqsohHrRzaIUyb",
    "recursive line-number ignore-case invert-match word-regexp line-regexp count files-with-matches "
    "files-without-match quiet silent no-messages only-matching no-filename with-filename extended-regexp "
    "fixed-strings perl-regexp basic-regexp null text dereference-recursive",
    _CONTEXT
    | {"e": is_anything, "regexp": is_anything, "include": is_anything, "exclude": is_anything}
    | {"exclude-dir": is_anything, "binary-files": one_of("text", "without-match")},
    {"color": _COLOUR, "colour": _COLOUR},
    has_counts=True,
)
RIPGREP = Options(
    "ilnNcwvFPSosHIUxq0uap",
    "ignore-case files-with-matches files-without-match line-number no-line-number count word-regexp invert-match "
    "fixed-strings smart-case only-matching with-filename no-filename multiline line-regexp quiet null files hidden "
    "no-ignore no-ignore-vcs unrestricted text pcre2 no-heading heading column trim stats sort-files json vimgrep "
    "type-list no-messages count-matches multiline-dotall case-sensitive no-config pretty crlf glob-case-insensitive",
    _CONTEXT
    | dict.fromkeys("egtTr", is_anything)
    | dict.fromkeys(("regexp", "glob", "iglob", "type", "type-not", "replace"), is_anything)
    | {"M": is_number, "max-columns": is_number, "d": is_number, "max-depth": is_number, "j": is_number}
    | {"sort": is_anything, "sortr": is_anything, "color": _COLOUR, "threads": is_number, "max-filesize": is_anything},
)
FD = Options(
    "HIsigapuF0",
    "hidden no-ignore case-sensitive ignore-case glob absolute-path full-path unrestricted fixed-strings print0",
    {"e": is_anything, "extension": is_anything, "E": is_anything, "exclude": is_anything, "t": is_anything}
    | {"type": is_anything, "d": is_number, "max-depth": is_number, "min-depth": is_number, "S": is_anything}
    | {"max-results": is_number, "color": _COLOUR},
)
TREE = Options(
    "adfishugpDFrtvnCNQ",
    "dirsfirst noreport gitignore prune du inodes",
    {"L": is_number, "I": is_anything, "P": is_anything, "filelimit": is_number},
)
_FIND_ALONE_WORDS = """
-print -print0 -empty -depth -prune -not ! -a -and -o -or ( ) , -true -false -readable -writable -executable -ls
-quit -mount -xdev -noleaf -daystart -warn -nowarn -nouser -nogroup
"""
FIND_ALONE = frozenset(_FIND_ALONE_WORDS.split())
_FIND_WITH_WORD_WORDS = """
-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin
-atime -amin -ctime -cmin -maxdepth -mindepth -user -group -perm -links -inum -printf -lname
"""
FIND_WITH_WORD = frozenset(_FIND_WITH_WORD_WORDS.split())
FIND_WITH_PATH = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})


def _grep(words: Sequence[str], workplace: Workplace) -> bool:
    found = GREP.sort(words)
    if found is None:
        return False
    paths = _behind_pattern(found, "e", "regexp")
    if paths is None:
        return False
    if found.flags.isdisjoint({"r", "R", "recursive", "dereference-recursive"}):
        return are_open(paths, workplace)
    search = Search(
        # With both, a file that neither names may be read.
        only=[] if found.all_of("exclude") else found.all_of("include"),
        skipped=found.all_of("exclude-dir"),
        follows_links=not found.flags.isdisjoint({"R", "dereference-recursive"}),
    )
    return search.is_open(paths or ["."], workplace)


def _ripgrep(words: Sequence[str], workplace: Workplace) -> bool:
    found = RIPGREP.sort(words)
    if found is None:
        return False
    if "type-list" in found.flags:
        return True
    paths = found.words if "files" in found.flags else _behind_pattern(found, "e", "regexp")
    if paths is None:
        return False
    if "files" in found.flags:
        return are_open(paths or ["."], workplace)
    # A glob finds hidden files too, but then none that it does not name.
    globs = [glob for glob in found.all_of("g", "glob", "iglob") if not glob.startswith("!")]
    is_shown = bool(globs) or not found.flags.isdisjoint({"hidden", "u", "unrestricted"})
    only = [] if found.all_of("iglob") else globs
    return Search(only=only, has_hidden=is_shown).is_open(paths or ["."], workplace)


def _behind_pattern(found: Sorted, *pattern_flags: str) -> list[str] | None:
    """The paths: all words, but for the first if the pattern was not given by a flag; None if there is no pattern."""
    if found.all_of(*pattern_flags):
        return found.words
    return found.words[1:] if found.words else None


def _lists_names(options: Options, has_pattern: bool) -> Callable[[Sequence[str], Workplace], bool]:
    def rule(words: Sequence[str], workplace: Workplace) -> bool:
        found = options.sort(words)
        if found is None:
            return False
        paths = found.words[1:] if has_pattern else found.words
        return are_open(paths or ["."], workplace)

    return rule


def _find(words: Sequence[str], workplace: Workplace) -> bool:
    """Names are printed, nothing is followed, run, deleted or written."""
    waiting = list(reversed(words))
    while waiting and waiting[-1] == "-P":
        waiting.pop()
    paths: list[str] = []
    while waiting and not waiting[-1].startswith("-") and waiting[-1] not in FIND_ALONE:
        paths.append(waiting.pop())
    files: list[str] = []
    while waiting:
        word = waiting.pop()
        if word in FIND_ALONE:
            continue
        if word not in FIND_WITH_WORD | FIND_WITH_PATH or not waiting:
            return False
        value = waiting.pop()
        # `-mtime -7` is meant; another dash could only be meant to be misread.
        if value.startswith("-") and not value[1:2].isdigit():
            return False
        if word in FIND_WITH_PATH:
            files.append(value)
    return are_open([*(paths or ["."]), *files], workplace)


SEARCHING: Mapping[str, Callable[[Sequence[str], Workplace], bool]] = MappingProxyType(
    {
        "grep": _grep,
        "egrep": _grep,
        "fgrep": _grep,
        "rg": _ripgrep,
        "find": _find,
        "fd": _lists_names(FD, has_pattern=True),
        "tree": _lists_names(TREE, has_pattern=False),
    }
)
