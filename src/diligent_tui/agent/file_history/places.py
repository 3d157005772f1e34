"""How files are named in the history, and the way to their folder without ever going through a link.

A name is the path below the project, so that a project may be moved; a file elsewhere is named by its whole path. What
is not plain ASCII is written as %xx, so that any bytes a file system allows come back as they were.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.tools.protected_paths import is_protected

FOLDER: int = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
SAFE_CHARACTERS = "/ !#$&'()*+,:;=?@[]^{|}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is: a folder that may be reached through links, and the parts below it, which may not."""

    name: str
    base: Path
    parts: tuple[str, ...]
    is_outside: bool

    @property
    def path(self) -> Path:
        """The whole path."""
        return self.base.joinpath(*self.parts)

    @property
    def file_name(self) -> str:
        """The last part."""
        return self.parts[-1]

    @property
    def shown(self) -> str:
        """The path as people are told it, not yet cleaned."""
        return mend_surrogates(str(self.path) if self.is_outside else "/".join(self.parts))

    @property
    def is_protected(self) -> bool:
        """True for what makes other programs act, such as a git folder."""
        return is_protected(self.path, self.base)


def place_of(path: Path, root: Path) -> Place:
    """The place of a file, with all links on the way to it and at its end followed once, now."""
    real = Path(os.path.realpath(path))
    is_outside = not real.is_relative_to(root)
    inner = real if is_outside else real.relative_to(root)
    name = quote_from_bytes(os.fsencode(inner), safe=SAFE_CHARACTERS)
    return Place(name, Path(real.anchor) if is_outside else root, _parts(inner), is_outside)


def place_named(name: str, root: Path) -> Place | None:
    """The place that a name means; None for a name that no history of ours holds."""
    raw = unquote_to_bytes(name)
    inner = Path(os.fsdecode(raw))
    parts = _parts(inner)
    if b"\0" in raw or not parts or ".." in parts:
        return None
    is_outside = inner.is_absolute()
    return Place(name, Path(inner.anchor) if is_outside else root, parts, is_outside)


def open_folder(place: Place) -> int:
    """The folder of a file; a link among the parts is refused with ENOTDIR."""
    descriptor = os.open(place.base, FOLDER)
    for part in place.parts[:-1]:
        try:
            inner = os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def missing_folders(place: Place) -> int:
    """How many of the folders between base and file are not there."""
    folders = place.path.parents[: len(place.parts) - 1]
    return sum(not os.path.lexists(folder) for folder in folders)


def _parts(inner: Path) -> tuple[str, ...]:
    return inner.parts[1:] if inner.is_absolute() else inner.parts
