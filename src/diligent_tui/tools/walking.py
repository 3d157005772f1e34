"""Goes through a folder of the workspace as git sees it: links not followed, ignored files left out, in order."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.ignoring import IgnoreRules
from diligent_tui.tools.paths import SAFE_OPEN

NEVER_ENTERED = frozenset({".git", ".diligent"})
"""Entered only if the walk begins inside them."""
LONGEST_RULES_BYTES = 1_000_000
DEEPEST_FOLDER = 64
"""Each level holds a descriptor open; no project is as deep."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name that is not a folder; `folder` is the open folder that it lies in, good until the walk goes on."""

    names: tuple[str, ...]
    """From where the walk began."""
    folder: int

    @property
    def path(self) -> str:
        """The names as one path."""
        return "/".join(self.names)


@dataclass(slots=True)
class Walk:
    """One walk; `was_too_deep` if something below was not entered."""

    top: int
    start: Path
    workplace: Workplace
    is_over: Callable[[], bool]
    was_too_deep: bool = False
    _rules: dict[str, IgnoreRules] = field(default_factory=dict[str, IgnoreRules])

    def __iter__(self) -> Iterator[Found]:
        """What is found, files of a folder before those of its sub-folders; stops when `is_over`."""
        above = _rules_above(self.start, Path(os.path.realpath(self.workplace.root)))
        prefix = above.folder
        for path, folders, files, descriptor in os.fwalk(".", dir_fd=self.top, follow_symlinks=False):
            names = tuple(path.split("/")[1:])
            rules = self._rules.pop(path, above.rules)
            if above.counts and (text := _rules_in(descriptor)):
                rules = rules.with_file(text, (*prefix, *names))
            folders[:] = sorted(
                name
                for name in folders
                if name not in NEVER_ENTERED and not rules.ignores((*prefix, *names, name), is_folder=True)
            )
            if len(names) >= DEEPEST_FOLDER and folders:
                self.was_too_deep = True
                folders.clear()
            for name in folders:
                self._rules[f"{path}/{name}"] = rules
            for name in sorted(files):
                if self.is_over():
                    return
                if not rules.ignores((*prefix, *names, name), is_folder=False):
                    yield Found((*names, name), descriptor)


@dataclass(frozen=True, slots=True)
class _Above:
    rules: IgnoreRules
    folder: tuple[str, ...]
    counts: bool = True
    """False where nothing is left out, for all of it is ours or git's."""


def _rules_above(start: Path, root: Path) -> _Above:
    """The rules of the folders from the workspace down to the start; none of them if they leave the start out."""
    if not start.is_relative_to(root):
        return _Above(IgnoreRules(), ())
    rules = IgnoreRules()
    below = start.relative_to(root).parts
    rules = rules.with_file(_rules_text(root / ".git" / "info" / "exclude"), ())
    for depth, name in enumerate(below):
        rules = rules.with_file(_rules_text(root.joinpath(*below[:depth], ".gitignore")), below[:depth])
        if name in NEVER_ENTERED:
            return _Above(IgnoreRules(), below, counts=False)
        # Whoever names an ignored folder wants to see what is in it.
        if rules.ignores(below[: depth + 1], is_folder=True):
            return _Above(IgnoreRules(), below)
    return _Above(rules, below)


def _rules_in(folder: int) -> str:
    try:
        return _text_of(os.open(".gitignore", SAFE_OPEN, dir_fd=folder))
    except OSError:
        return ""


def _rules_text(path: Path) -> str:
    try:
        return _text_of(os.open(path, SAFE_OPEN))
    except OSError:
        return ""


def _text_of(descriptor: int) -> str:
    try:
        return os.read(descriptor, LONGEST_RULES_BYTES).decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)
