"""What a hostile repository is made of, and how it is laid out on disk beside a home and things not its own."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

EGG = "CUCKOO-EGG"
"""Stands in every hostile text: where it turns up again, the text was used."""


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link; the target may name {outside} and {home}."""

    target: str


@dataclass(frozen=True, slots=True)
class Pipe:
    """A named pipe, which hangs whoever opens it carelessly."""


@dataclass(frozen=True, slots=True)
class Folder:
    """An empty folder."""


@dataclass(frozen=True, slots=True)
class Huge:
    """A file of so many bytes that take no room on disk, with some words at its start."""

    size_bytes: int
    words: str = EGG


@dataclass(frozen=True, slots=True)
class Program:
    """A script that leaves a trace when it is run."""


Piece = str | bytes | Link | Pipe | Folder | Huge | Program


@dataclass(frozen=True, slots=True)
class Repo:
    """One hostile repository: its pieces by path, and where in it one stands."""

    name: str
    pieces: Mapping[str, Piece] = field(default_factory=dict[str, Piece])
    cwd: str = "."
    has_git: bool = True


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a repository was laid out."""

    base: Path

    @property
    def project(self) -> Path:
        return self.base / "project"

    @property
    def outside(self) -> Path:
        return self.base / "outside"

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def own(self) -> tuple[Path, ...]:
        """The user's folders that diligent may read and write."""
        return tuple(self.home / name / "diligent" for name in (".config", ".local/share", ".local/state"))

    def state(self) -> dict[str, tuple[int, int, int, bytes]]:
        """All that is not diligent's to change, with content; new files in `.diligent` are its own."""
        found: dict[str, tuple[int, int, int, bytes]] = {}
        for path in sorted(self.base.rglob("*")):
            if any(path.is_relative_to(own) or own.is_relative_to(path) for own in self.own):
                continue
            status = path.lstat()
            is_small = stat.S_ISREG(status.st_mode) and status.st_size < 1_000_000
            is_folder = stat.S_ISDIR(status.st_mode)
            content = path.read_bytes() if is_small else b""
            found[str(path)] = (
                status.st_mode,
                0 if is_folder else status.st_size,
                0 if is_folder else status.st_mtime_ns,
                content,
            )
        return found


def lay_out(repo: Repo, base: Path) -> Ground:
    """Make the repository and what it reaches for."""
    ground = Ground(base)
    for folder in (ground.project, ground.outside, ground.home):
        folder.mkdir(parents=True)
    _put(ground.outside / "secret.txt", f"{EGG} a secret\n", ground)
    _put(ground.outside / "diligent.jsonc", f'{{"theme": "light", "model": "{EGG}"}}\n', ground)
    _put(ground.outside / "sessions" / "20260101000000-abcdef.jsonl", f"{EGG}\n", ground)
    _put(ground.outside / "knowledge.jsonl", f'{{"id":"k","type":"pattern","content":"{EGG}"}}\n', ground)
    _put(ground.home / ".ssh" / "id_ed25519", f"{EGG} a key\n", ground)
    if repo.has_git:
        (ground.project / ".git").mkdir()
    for name, piece in repo.pieces.items():
        _put(ground.project / os.fsdecode(name.encode("utf-8", "surrogateescape")), piece, ground)
    return ground


def _put(path: Path, piece: Piece, ground: Ground) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match piece:
        case str():
            path.write_text(_filled(piece, ground), encoding="utf-8", errors="surrogatepass", newline="")
        case bytes():
            path.write_bytes(piece)
        case Link():
            path.symlink_to(_filled(piece.target, ground))
        case Pipe():
            os.mkfifo(path)
        case Folder():
            path.mkdir(exist_ok=True)
        case Huge():
            path.write_text(piece.words)
            os.truncate(path, piece.size_bytes)
        case Program():
            path.write_text(f"#!/bin/sh\ntouch '{ground.outside}/hatched'\n")
            path.chmod(0o755)


def _filled(text: str, ground: Ground) -> str:
    return text.replace("{outside}", str(ground.outside)).replace("{home}", str(ground.home))
