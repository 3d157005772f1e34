"""Programs that print files, or what they say of files."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.shell.open_files import Search, are_open
from diligent_tui.tools.shell.options import Options, is_anything, is_number, one_of

# Only printing, deleting from the stream, counting and stopping: no `w`, `e`, `r` or `s`, and no `[` in an address,
# about whose end the kinds of sed do not agree.
_ADDRESS = r"(?:[0-9]+|\$|/[^/\\\[]*/)"
_STEP = rf"(?:{_ADDRESS}(?:,(?:{_ADDRESS}|\+[0-9]+))?)?[pdq=]"
SED_SCRIPT = re.compile(rf"{_STEP}(?:; ?{_STEP})*;?")
# Possessive, for a field may read as a word or as its letters: no second way may be tried.
JQ_FILTER = re.compile(
    r"""(?:\.[A-Za-z_]\w*|[ .\[\]|,:?()0-9-]|"[\w -]*"|(?:keys|length|type|has|map|select|values)\b|==)++"""
)
SIZE = re.compile(r"[+-]?[0-9]{1,12}[bkKMG]?")


def _is_size(text: str) -> bool:
    return SIZE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Reader:
    """A program whose words are files that it reads."""

    options: Options = field(default_factory=Options)
    most_words: int | None = None
    """A further word would be a file that it writes."""
    needs_cwd: bool = False
    """True if it reads the working folder where no path is given."""
    is_deep: bool = False
    """True if it reads what is in folders too, and follows the links there."""

    def __call__(self, words: Sequence[str], workplace: Workplace) -> bool:
        """Whether all flags are known and all paths lie open."""
        found = self.options.sort(words)
        if found is None or (self.most_words is not None and len(found.words) > self.most_words):
            return False
        paths = found.words or (["."] if self.needs_cwd else [])
        # Some programs take further options from a file that is named so.
        if any(path.startswith("@") for path in paths):
            return False
        return Search(follows_links=True).is_open(paths, workplace) if self.is_deep else are_open(paths, workplace)


def _sed(words: Sequence[str], workplace: Workplace) -> bool:
    found = Options("nEr", "quiet silent regexp-extended", {"e": is_anything}).sort(words)
    if found is None:
        return False
    scripts = found.all_of("e")
    files = found.words
    if not scripts:
        scripts, files = files[:1], files[1:]
    return bool(scripts) and all(SED_SCRIPT.fullmatch(each) for each in scripts) and are_open(files, workplace)


def _jq(words: Sequence[str], workplace: Workplace) -> bool:
    found = Options("rcSMCsj", "raw-output compact-output sort-keys slurp tab", {"indent": is_number}).sort(words)
    if found is None or not found.words:
        return False
    program, *files = found.words
    return JQ_FILTER.fullmatch(program) is not None and are_open(files, workplace)


def _tests_a_file(words: Sequence[str], workplace: Workplace) -> bool:
    return len(words) == 2 and words[0] in ("-e", "-f", "-d", "-s", "-r", "-w", "-x") and are_open(words[1:], workplace)


_FIELDS = {"f": is_anything, "d": is_anything, "c": is_anything, "b": is_anything, "output-delimiter": is_anything}
_COUNTED = {"n": _is_size, "c": _is_size, "lines": _is_size, "bytes": _is_size}
_SORT = {"k": is_anything, "t": is_anything, "key": is_anything, "field-separator": is_anything}
_CONTEXT = {
    "U": is_number,
    "C": is_number,
    "unified": is_number,
    "context": is_number,
    "color": one_of("never", "auto"),
}
_DUMP = {"A": is_anything, "t": is_anything, "j": is_number, "N": is_number, "w": is_number}
_SUMS = Reader(Options("b", "binary tag"))

READING: Mapping[str, Callable[[Sequence[str], Workplace], bool]] = MappingProxyType(
    {
        "ls": Reader(
            Options(
                "1AFGRSaBcdghiklmnopqrstuxCX",
                "all almost-all human-readable recursive reverse size full-time group-directories-first directory",
                {"sort": one_of("size", "time", "extension", "name", "none"), "time-style": is_anything},
                {"color": one_of("never", "auto"), "time": one_of("mtime", "ctime", "atime")},
            ),
            needs_cwd=True,
        ),
        "cat": Reader(Options("nbsAETve", "number number-nonblank squeeze-blank show-all show-ends show-tabs")),
        "head": Reader(Options("qv", "quiet verbose", _COUNTED, has_counts=True)),
        "tail": Reader(Options("qv", "quiet verbose", _COUNTED, has_counts=True)),
        "wc": Reader(Options("clmwL", "lines words chars bytes max-line-length")),
        "nl": Reader(Options("", "", {"b": is_anything, "w": is_number, "s": is_anything, "n": is_anything})),
        "tac": Reader(),
        "rev": Reader(),
        "cut": Reader(Options("sz", "complement only-delimited", _FIELDS)),
        "paste": Reader(Options("sz", "serial", {"d": is_anything})),
        "fold": Reader(Options("bs", "", {"w": is_number})),
        "expand": Reader(Options("i", "", {"t": is_number})),
        "column": Reader(Options("tx", "table", {"s": is_anything, "c": is_number, "o": is_anything})),
        "sort": Reader(
            Options(
                "bdfgiMhnRrVcmsuz",
                "unique reverse numeric-sort human-numeric-sort version-sort ignore-case stable general-numeric-sort",
                _SORT,
            )
        ),
        "uniq": Reader(
            Options("cdiuDz", "count repeated unique ignore-case", {"f": is_number, "s": is_number, "w": is_number}),
            most_words=1,
        ),
        "comm": Reader(Options("123z")),
        "cmp": Reader(Options("bls", "silent quiet verbose", {"n": is_number})),
        "diff": Reader(
            Options(
                "uqrNwbBiEsayp",
                "brief recursive side-by-side ignore-all-space ignore-space-change ignore-blank-lines "
                "ignore-case report-identical-files new-file suppress-common-lines minimal text",
                {**_CONTEXT, "W": is_number, "width": is_number},
                {"unified": is_number, "color": one_of("never", "auto")},
            ),
            most_words=2,
            is_deep=True,
        ),
        "file": Reader(Options("bihLkNr", "brief mime mime-type mime-encoding")),
        "stat": Reader(
            Options("Lft", "dereference terse", {"c": is_anything, "format": is_anything, "printf": is_anything})
        ),
        "du": Reader(
            Options(
                "abchkmsx",
                "human-readable summarize all total apparent-size one-file-system bytes",
                {"d": is_number, "max-depth": is_number, "exclude": is_anything, "t": _is_size},
            ),
            needs_cwd=True,
        ),
        "readlink": Reader(Options("fnem", "canonicalize no-newline canonicalize-existing")),
        "realpath": Reader(Options("emLPsqz", "no-symlinks canonicalize-existing canonicalize-missing")),
        "od": Reader(Options("abcdfiloxsv", "", _DUMP)),
        "hexdump": Reader(Options("bcCdovx", "canonical", {"n": is_number, "s": is_number})),
        "xxd": Reader(
            Options("abpuei", "plain", {"l": is_number, "s": is_number, "c": is_number, "g": is_number}), most_words=1
        ),
        "strings": Reader(Options("a", "all", {"n": is_number, "t": one_of("d", "o", "x")}, has_counts=True)),
        "md5sum": _SUMS,
        "sha1sum": _SUMS,
        "sha256sum": _SUMS,
        "sha512sum": _SUMS,
        "shasum": Reader(Options("b", "", {"a": is_number})),
        "cksum": Reader(),
        "df": Reader(Options("hkTiPm", "human-readable total local")),
        "test": _tests_a_file,
        "sed": _sed,
        "jq": _jq,
    }
)
