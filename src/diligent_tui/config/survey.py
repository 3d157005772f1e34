"""What a folder would bring along: settings, instructions, knowledge and sessions found in it, each with its hash.

A link that leads out of the project is noted, and where to; what lies there is not opened before the user says yes.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from diligent_tui.config.paths import Places
from diligent_tui.config.reading import open_plain
from diligent_tui.domain.plain_text import clean_line

Kind = Literal["settings", "instructions", "knowledge", "sessions"]

INSTRUCTION_NAMES = ("AGENTS.md", "CLAUDE.md")
LARGEST_HASHED_BYTES = 64_000_000
LONGEST_NAME_CHARS = 120
MOST_NAMES = 3


class Finding(NamedTuple):
    """One thing found; `digest` changes when it does."""

    kind: Kind
    path: Path
    name: str
    digest: str
    leads_to: Path | None = None
    """Where it really is, if that is outside the project."""

    @property
    def words(self) -> str:
        """The finding as the question names it."""
        link = ", a link out of this folder" if self.leads_to else ", a link" if self.path.is_symlink() else ""
        return f"{self.kind} ({clean_line(self.name, LONGEST_NAME_CHARS)}{link})"


class Survey(NamedTuple):
    """All that a folder would bring along."""

    findings: tuple[Finding, ...]

    @property
    def fingerprint(self) -> str:
        """One hash over the names and contents of all findings."""
        parts = (f"{finding.kind}\0{finding.name}\0{finding.digest}\0" for finding in self.findings)
        return hashlib.sha256("".join(parts).encode(errors="surrogatepass")).hexdigest()


def take_survey(places: Places) -> Survey:
    """Look at what is there; nothing is believed, and nothing that cannot be read counts."""
    return Survey(tuple(_findings(places)))


def names_of(findings: Sequence[Finding]) -> str:
    """The findings by name for a sentence, the first few of them."""
    names = [clean_line(finding.name, LONGEST_NAME_CHARS) for finding in findings]
    *first, last = names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES:,} more"]
    return f"{', '.join(first)} and {last}" if first else last


def digest_of(path: Path) -> str | None:
    """A hash of a plain file's content, or of a folder's identity; None if there is neither."""
    try:
        if path.is_dir():
            status = path.lstat()
            return f"folder {status.st_dev}:{status.st_ino}"
        with os.fdopen(open_plain(path), "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_size > LARGEST_HASHED_BYTES:
                return f"large {status.st_size}:{status.st_mtime_ns}:{status.st_ino}"
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def _findings(places: Places) -> Iterator[Finding]:
    yield from _files(places, "settings", [places.project_settings])
    instructions = [folder / name for folder in places.folders_to_cwd for name in INSTRUCTION_NAMES]
    yield from _files(places, "instructions", instructions)
    yield from _files(places, "knowledge", [places.knowledge])
    yield from _sessions(places)


def _files(places: Places, kind: Kind, paths: list[Path]) -> Iterator[Finding]:
    for path in paths:
        target = _leads_out(path, places.root)
        digest = _identity(target, is_folder=False) if target else None if path.is_dir() else digest_of(path)
        if digest is None and kind == "knowledge":
            digest = _obstacle(path)
        if digest:
            yield Finding(kind, path, str(path.relative_to(places.root)), digest, target)


def _sessions(places: Places) -> Iterator[Finding]:
    target = _leads_out(places.sessions, places.root)
    has_some = _identity(target, is_folder=True) if target else _has_sessions(places.sessions)
    if has_some and (digest := digest_of(places.data)):
        name = str(places.sessions.relative_to(places.root))
        yield Finding("sessions", places.data, name, f"{digest} {has_some}" if target else digest, target)


def _leads_out(path: Path, root: Path) -> Path | None:
    """Where a path really leads, if out of the project; links are followed by name, nothing is opened."""
    target = Path(os.path.realpath(path))
    return None if target.is_relative_to(root) else target


def _identity(path: Path, *, is_folder: bool) -> str | None:
    """What of something outside changes when it does, without a look into it; None if it is not of this kind."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(status.st_mode) != is_folder:
        return None
    # A device counts too: to open one may do something.
    content = "" if is_folder else f":{status.st_size}:{status.st_mtime_ns}"
    return f"link {path} {status.st_dev}:{status.st_ino}{content}"


def _obstacle(path: Path) -> str | None:
    """Something in the place of a file: knowledge cannot be read past it, so it counts as brought and is left alone."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return f"not a file {status.st_dev}:{status.st_ino}"


def _has_sessions(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".jsonl") for entry in entries)
    except OSError:
        return False
