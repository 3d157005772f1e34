"""The session files of a folder, told from its names alone: none of them is opened."""

import os
from pathlib import Path
from typing import NamedTuple

SUFFIX = ".jsonl"


class SessionFile(NamedTuple):
    """A session as its folder tells of it, unopened; its path is put together when asked for, as few of many are."""

    folder: Path
    name: str
    changed_s: float
    size_bytes: int

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / self.name

    @property
    def id(self) -> str:
        """The session's id: the name without its ending."""
        return self.name.removesuffix(SUFFIX)


def newest_session(folder: Path, wanted: str = "") -> Path | None:
    """The session that changed last, of those whose id begins so."""
    return next((file.path for file in session_files(folder) if file.name.startswith(wanted)), None)


def session_files(folder: Path) -> list[SessionFile]:
    """The session files of a folder, newest change first; none of them is opened."""
    found: list[tuple[float, str, int]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.endswith(SUFFIX) or not entry.is_file(follow_symlinks=False):
                    continue
                try:
                    state = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    # One that vanishes meanwhile does not spoil the list.
                    continue
                found.append((state.st_mtime, entry.name, state.st_size))
    except OSError:
        return []
    found.sort(reverse=True)
    return [SessionFile(folder, name, changed_s, size_bytes) for changed_s, name, size_bytes in found]
