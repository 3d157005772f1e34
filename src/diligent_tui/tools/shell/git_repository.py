"""Whether git would run somebody's program while it only reads: a repository's own settings and hooks can say so.

What the user set for all repositories is theirs. What stands in the repository came with it, so of its settings only
those are taken that are known to run nothing.
"""

import os
import re
import stat
from pathlib import Path

from diligent_tui.tools.base import Workplace

LARGEST_SETTINGS_BYTES = 64_000
LARGEST_INDEX_BYTES = 64_000_000
SECTION = re.compile(r'\[([A-Za-z][A-Za-z0-9-]*)(?: +"([^"\\\n]*)")?\]')
SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)(?: *= *([^\\\n]*))?")
KNOWN_SETTINGS = re.compile(
    r"""
    core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol
        |safecrlf|longpaths|abbrev|quotepath|compression|bigfilethreshold|untrackedcache|preloadindex|commitgraph
        |protecthfs|protectntfs|sparsecheckout|sparsecheckoutcone|checkstat|trustctime|whitespace)
    | remote\..*\.(?:url|pushurl|fetch|tagopt|prune|gh-resolved) | branch\.[^\n]*
    | user\.(?:name|email|signingkey) | init\.\w+ | pull\.\w+ | push\.\w+ | rebase\.\w+ | advice\.\w+ | color\.[\w.]+
    | gc\.\w+ | pack\.\w+ | index\.\w+ | status\.\w+ | rerere\.\w+ | maintenance\.\w+
    | merge\.(?:conflictstyle|ff|log|stat) | fetch\.(?:prune|writecommitgraph|parallel) | commit\.gpgsign | tag\.gpgsign
    | submodule\.active | log\.(?:date|decorate) | extensions\.objectformat | lfs\.repositoryformatversion
    | diff\.(?:algorithm|renames|colormoved|mnemonicprefix|noprefix|context|interhunkcontext|indentheuristic)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A hook that reading can set off: `status` and `diff` write the index anew.
HOOK = "post-index-change"
# The mode of an entry that is another repository, as the index holds it; git would go in and read its settings too.
OTHER_REPOSITORY = b"\x00\x00\xe0\x00"


def runs_nothing(workplace: Workplace) -> bool:
    """True if the repository around the working folder is a plain one in the workspace, and nothing in it is run."""
    found = _repository(workplace)
    return (
        found is not None
        and not any((found / name).exists() for name in ("commondir", "config.worktree", "modules"))
        and not os.path.lexists(found / "hooks" / HOOK)
        and _settings_run_nothing(found / "config")
        and _has_no_repository_inside(found)
    )


def _repository(workplace: Workplace) -> Path | None:
    """The `.git` folder that git would find; None if it is a file, a link, or not inside the workspace."""
    root = Path(os.path.realpath(workplace.root))
    folder = Path(os.path.realpath(workplace.cwd))
    while folder.is_relative_to(root):
        place = folder / ".git"
        if os.path.lexists(place):
            return place if stat.S_ISDIR(place.lstat().st_mode) else None
        # A folder that is itself a repository, settings and all, could lie anywhere in a project.
        if os.path.lexists(folder / "HEAD"):
            return None
        folder = folder.parent
    return None


def _settings_run_nothing(path: Path) -> bool:
    text = _text(path)
    if text is None:
        return False
    section = ""
    for line in text.split("\n"):
        said = line.strip(" \t\r")
        if not said or said[0] in "#;":
            continue
        if header := SECTION.fullmatch(said):
            section = header[1] + (f".{header[2]}" if header[2] is not None else "")
            continue
        setting = SETTING.fullmatch(said)
        if setting is None or not section or not KNOWN_SETTINGS.fullmatch(f"{section}.{setting[1]}"):
            return False
    return True


def _text(path: Path) -> str | None:
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_SETTINGS_BYTES:
            return None
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _has_no_repository_inside(repository: Path) -> bool:
    index = repository / "index"
    try:
        # A split index keeps its entries elsewhere.
        if any(path.name.startswith("sharedindex") for path in repository.iterdir()):
            return False
        if not os.path.lexists(index):
            return True
        found = index.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_INDEX_BYTES:
            return False
        return OTHER_REPOSITORY not in index.read_bytes()
    except OSError:
        return False
