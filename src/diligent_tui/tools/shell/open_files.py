"""What a command may read without a question: paths, and whole folders, that hold no secrets and lead nowhere else."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import locate
from diligent_tui.tools.secret_files import looks_secret

MOST_ENTRIES = 20_000
MOST_NAMES = 2_000
PLAIN_PATTERN = re.compile(r"[A-Za-z0-9_.=*?-]+")
PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]+")


def is_open(path: str, workplace: Workplace) -> bool:
    """True if anyone may read it: in the workspace, and no secret."""
    # A `~` that reaches a program is a name to it, while `locate` would look in the user's home.
    if not path or path.startswith("~"):
        return False
    try:
        return locate(path, workplace).is_open_to_all
    except ToolError:
        return False


def are_open(paths: Iterable[str], workplace: Workplace) -> bool:
    """True if anyone may read all of them; `-` is the input."""
    return all(path == "-" or is_open(path, workplace) for path in paths)


@dataclass(frozen=True, slots=True)
class Search:
    """What a search through folders would look into."""

    only: Sequence[str] = ()
    """Patterns of names, if it reads no other files."""
    skipped: Sequence[str] = ()
    """Names of folders that it passes over."""
    has_hidden: bool = True
    follows_links: bool = False

    def is_open(self, paths: Sequence[str], workplace: Workplace) -> bool:
        """True if neither the paths nor anything below them is a secret; what is too much to look at is not known."""
        entries = 0
        if not are_open(paths, workplace):
            return False
        for path in paths:
            for entry in _walk(workplace.cwd / path, frozenset(filter(PLAIN_NAME.fullmatch, self.skipped))):
                entries += 1
                if entries > MOST_ENTRIES or (self.follows_links and entry.is_symlink()):
                    return False
                if self._is_read(entry.name) and looks_secret(PurePath(entry.path)):
                    return False
        return True

    def _is_read(self, name: str) -> bool:
        if name.startswith(".") and not self.has_hidden:
            return False
        if self.only and all(PLAIN_PATTERN.fullmatch(pattern) for pattern in self.only):
            return any(fnmatchcase(name, pattern) for pattern in self.only)
        return True


def names_for(pattern: str, workplace: Workplace) -> list[str] | None:
    """The words that the shell may put in place of a pattern in the last part of a path; None if that is not known."""
    folder, _, last = pattern.rpartition("/")
    if not PLAIN_PATTERN.fullmatch(last) or not set(folder).isdisjoint("*?"):
        return None
    place = workplace.cwd / (folder or ("/" if pattern.startswith("/") else "."))
    try:
        with os.scandir(place) as entries:
            names = [entry.name for entry in entries if fnmatchcase(entry.name, last)]
    except OSError:
        return [pattern]
    # No wildcard stands for a leading dot.
    names = [name for name in names if not name.startswith(".") or last.startswith(".")]
    if len(names) > MOST_NAMES or any(name.startswith("-") and not folder for name in names):
        return None
    prefix = pattern[: len(pattern) - len(last)]
    return [prefix + name for name in sorted(names)] or [pattern]


def _walk(top: Path, skipped: frozenset[str]) -> Iterator[os.DirEntry[str]]:
    waiting = [str(top)]
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and entry.name in skipped:
                    continue
                yield entry
                if is_folder:
                    waiting.append(entry.path)
