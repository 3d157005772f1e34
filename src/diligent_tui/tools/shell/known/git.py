"""The verbs of git that only read, in a repository whose own settings run nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from types import MappingProxyType

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import locate
from diligent_tui.tools.secret_files import looks_secret
from diligent_tui.tools.shell.git_repository import runs_nothing
from diligent_tui.tools.shell.open_files import is_open
from diligent_tui.tools.shell.options import Check, Options, Sorted, is_anything, is_number, one_of

SETTING_NAMES = frozenset({"user.name", "user.email", "remote.origin.url", "init.defaultBranch", "core.autocrlf"})
RANGE = re.compile(r"\.\.\.?")


def _is_format(text: str) -> bool:
    """`%G` and `%(signature)` would have a signature checked by another program."""
    return "%G" not in text and "signature" not in text


def _any_words(_found: Sorted) -> bool:
    return True


def _no_words(found: Sorted) -> bool:
    return not found.words


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with the flags that are known of it; its words are revisions and paths."""

    options: Options = field(default_factory=Options)
    fits: Callable[[Sorted], bool] = _any_words
    begins: tuple[str, ...] = ()
    """What the first word must be, of verbs to which any other says to change something."""

    def __call__(self, words: Sequence[str], workplace: Workplace) -> bool:
        """Whether the flags are known, and no word names a secret or leads out of the workspace."""
        if self.begins and (not words or words[0] not in self.begins):
            return False
        found = self.options.sort(words)
        return found is not None and self.fits(found) and all(_lies_open(word, workplace) for word in found.words)


def _lies_open(word: str, workplace: Workplace) -> bool:
    """A word may be a path, a revision, a range, or `revision:path`."""
    if not is_open(word, workplace):
        return False
    named = [part.rpartition(":")[2] for part in RANGE.split(word)]
    return not any(looks_secret(PurePath(name)) for name in named if name)


_DIFF_FLAGS = (
    "stat shortstat numstat dirstat summary name-only name-status patch no-patch raw minimal patience histogram "
    "ignore-space-change ignore-all-space ignore-blank-lines ignore-space-at-eol check full-index binary no-renames "
    "no-color no-ext-diff no-textconv cached staged merge-base exit-code quiet function-context text pickaxe-all "
    "no-prefix compact-summary find-renames word-diff color-words patch-with-stat reverse"
)
_DIFF_VALUES: dict[str, Check] = {
    "U": is_number,
    "unified": is_number,
    "diff-filter": is_anything,
    "S": is_anything,
    "G": is_anything,
    "diff-algorithm": is_anything,
    "inter-hunk-context": is_number,
    "stat-width": is_number,
}
_DIFF_OPTIONAL: dict[str, Check] = {
    "stat": is_anything,
    "color": one_of("never", "auto"),
    "word-diff": one_of("plain", "porcelain", "none"),
    "find-renames": is_anything,
    "ignore-submodules": one_of("all", "dirty", "untracked", "none"),
}
_LOG_FLAGS = (
    "oneline graph all branches tags remotes decorate no-decorate follow reverse no-merges merges first-parent "
    "abbrev-commit no-abbrev-commit date-order topo-order author-date-order full-history simplify-merges parents "
    "relative-date left-right cherry-pick cherry-mark boundary no-notes walk-reflogs count"
)
_LOG_VALUES: dict[str, Check] = {
    "n": is_number,
    "L": is_anything,
    "max-count": is_number,
    "skip": is_number,
    "since": is_anything,
    "until": is_anything,
    "after": is_anything,
    "before": is_anything,
    "author": is_anything,
    "committer": is_anything,
    "grep": is_anything,
    "format": _is_format,
    "date": is_anything,
    "abbrev": is_number,
}
_LOG_OPTIONAL: dict[str, Check] = {
    **_DIFF_OPTIONAL,
    "pretty": _is_format,
    "decorate": one_of("short", "full", "auto", "no"),
}
_DIFF = Options("pzwbR", _DIFF_FLAGS, _DIFF_VALUES, _DIFF_OPTIONAL)
_LOG = Options(
    "pzwbicEFgm", f"{_LOG_FLAGS} {_DIFF_FLAGS}", {**_DIFF_VALUES, **_LOG_VALUES}, _LOG_OPTIONAL, has_counts=True
)


def _lists(found: Sorted) -> bool:
    """A bare word would make a branch or a tag; behind `--list` it is a pattern."""
    return "list" in found.flags or not found.words


def _lists_tags(found: Sorted) -> bool:
    return "l" in found.flags or _lists(found)


def _remote(found: Sorted) -> bool:
    return not found.words or (len(found.words) == 2 and found.words[0] == "get-url")


def _config(found: Sorted) -> bool:
    return len(found.words) == 1 and found.words[0] in SETTING_NAMES


_POINTS: dict[str, Check] = {
    **dict.fromkeys(("sort", "contains", "points-at", "no-contains"), is_anything),
    "format": _is_format,
}
_MERGED: dict[str, Check] = {"merged": is_anything, "no-merged": is_anything}
_LS_FILES = "cached deleted modified others stage exclude-standard full-name unmerged error-unmatch directory"
_REV_PARSE = (
    "show-toplevel is-inside-work-tree git-dir show-prefix show-cdup is-bare-repository verify quiet symbolic "
    "symbolic-full-name all branches tags remotes absolute-git-dir is-inside-git-dir short abbrev-ref git-common-dir"
)

VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "status": Verb(
            Options(
                "sbvz",
                "short branch long verbose ignored no-renames ahead-behind show-stash",
                {"u": one_of("no", "normal", "all")},
                {
                    "porcelain": one_of("v1", "v2", "1", "2"),
                    "untracked-files": one_of("no", "normal", "all"),
                    "ignored": one_of("no", "traditional", "matching"),
                    "ignore-submodules": one_of("all"),
                },
            )
        ),
        "diff": Verb(_DIFF),
        "log": Verb(_LOG),
        "show": Verb(_LOG),
        "shortlog": Verb(Options("snec", "summary numbered email no-merges all", _LOG_VALUES)),
        "rev-list": Verb(_LOG),
        "diff-tree": Verb(Options("rtpz", f"{_DIFF_FLAGS} no-commit-id root", _DIFF_VALUES, _DIFF_OPTIONAL)),
        "blame": Verb(Options("welsftnpcMC", "porcelain line-porcelain show-email root date", {"L": is_anything})),
        "grep": Verb(
            Options(
                "nilcwvEFPGohHIap",
                "line-number ignore-case files-with-matches count word-regexp fixed-strings extended-regexp cached "
                "show-function function-context name-only heading break full-name and or not",
                {"e": is_anything, "A": is_number, "B": is_number, "C": is_number, "max-depth": is_number},
            )
        ),
        "ls-files": Verb(Options("cdmostuz", _LS_FILES)),
        "ls-tree": Verb(Options("rdtlz", "name-only name-status full-tree full-name long abbrev")),
        "rev-parse": Verb(Options("q", _REV_PARSE, optional={"short": is_number, "abbrev-ref": is_anything})),
        "branch": Verb(Options("arv", "list all remotes verbose show-current no-color", _POINTS, _MERGED), _lists),
        "tag": Verb(Options("l", "list", {**_POINTS, "n": is_number}, _MERGED), _lists_tags),
        "describe": Verb(Options("", "tags all always dirty long first-parent", {"abbrev": is_number})),
        "remote": Verb(Options("v", "verbose"), _remote),
        "stash": Verb(Options("p", "stat patch name-only name-status"), begins=("list", "show")),
        "reflog": Verb(_LOG, _no_words),
        "worktree": Verb(Options("v", "porcelain verbose"), begins=("list",)),
        "config": Verb(Options("", "get"), _config),
        "cat-file": Verb(Options("pts")),
        "merge-base": Verb(Options("a", "all is-ancestor fork-point octopus")),
        "show-ref": Verb(Options("dsq", "heads tags head hash verify")),
        "name-rev": Verb(Options("", "name-only tags")),
        "count-objects": Verb(Options("vH"), _no_words),
        "check-ignore": Verb(Options("vnq", "verbose non-matching quiet no-index")),
        "version": Verb(Options(), _no_words),
    }
)


def _git(words: Sequence[str], workplace: Workplace) -> bool:
    rest = list(words)
    while rest and rest[0] in ("--no-pager", "-C"):
        if rest.pop(0) == "-C":
            if not rest or not is_open(rest[0], workplace):
                return False
            workplace = replace(workplace, cwd=locate(rest.pop(0), workplace).real)
    if rest == ["--version"]:
        return True
    verb = VERBS.get(rest[0]) if rest else None
    return verb is not None and verb(rest[1:], workplace) and runs_nothing(workplace)


GIT: Mapping[str, Callable[[Sequence[str], Workplace], bool]] = MappingProxyType({"git": _git})
