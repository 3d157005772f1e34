"""Which files tell every later session what to do, so that a change of them is always asked about."""

import os
import unicodedata
from pathlib import Path, PurePath

from diligent_tui.tools.base import Workplace

NAMES = ("AGENTS.md", "CLAUDE.md")
_FOLDED = frozenset(name.casefold() for name in NAMES)


def is_instructions(given: PurePath, real: Path, workplace: Workplace) -> bool:
    """True for a file of that name, and for one that a link of that name leads to."""
    return not _FOLDED.isdisjoint({_folded(given.name), _folded(real.name)}) or _is_linked_to(real, workplace)


def _folded(name: str) -> str:
    # Some file systems pass over case and invisible characters.
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")


def _is_linked_to(real: Path, workplace: Workplace) -> bool:
    root, cwd = (Path(os.path.realpath(folder)) for folder in (workplace.root, workplace.cwd))
    read_from = {root, *(folder for folder in (cwd, *cwd.parents) if folder.is_relative_to(root))}
    links = (folder / name for folder in read_from for name in NAMES)
    return any(link.is_symlink() and os.path.realpath(link) == str(real) for link in links)
