"""What a folder would bring along: settings, instructions, knowledge and sessions found in it, each with its hash."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diligent_tui.config.paths import Places
from diligent_tui.config.reading import open_plain
from diligent_tui.domain.plain_text import clean_line

Kind = Literal["settings", "instructions", "knowledge", "sessions"]

INSTRUCTION_NAMES = ("AGENTS.md", "CLAUDE.md")
LARGEST_HASHED_BYTES = 64_000_000
LONGEST_NAME_CHARS = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; `digest` changes when it does."""

    kind: Kind
    path: Path
    name: str
    digest: str

    @property
    def words(self) -> str:
        """The finding as the question names it."""
        link = ", a link" if self.path.is_symlink() else ""
        return f"{self.kind} ({clean_line(self.name, LONGEST_NAME_CHARS)}{link})"


@dataclass(frozen=True, slots=True)
class Survey:
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
    if _has_sessions(places.sessions) and (digest := digest_of(places.data)):
        yield Finding("sessions", places.data, str(places.sessions.relative_to(places.root)), digest)


def _files(places: Places, kind: Kind, paths: list[Path]) -> Iterator[Finding]:
    for path in paths:
        if not path.is_dir() and (digest := digest_of(path)):
            yield Finding(kind, path, str(path.relative_to(places.root)), digest)


def _has_sessions(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".jsonl") for entry in entries)
    except OSError:
        return False
