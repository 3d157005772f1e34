"""What stands in the workspace but runs or speaks outside it: looked at before a command and put back after.

A sandbox that cannot hold a path inside a writable folder is helped out so; one that can still needs it for what is
not there yet. Nothing is destroyed: what a command put there is set aside under another name.
"""

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

WATCHED = (".git", ".git/config", ".git/config.worktree", ".git/commondir", "diligent.jsonc")
WATCHED_FOLDER = ".git/hooks"
MOST_HOOKS = 500
LARGEST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """A path as it was: its mode, and the bytes of a file or where a link leads."""

    mode: int
    content: bytes = b""

    @property
    def kind(self) -> int:
        """Which sort of thing it is."""
        return stat.S_IFMT(self.mode)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The watched paths of a workspace at one moment."""

    root: Path
    found: Mapping[str, Found]

    def put_back(self, *, only_new: bool) -> tuple[str, ...]:
        """Undo what was done to them since and return the names; with `only_new`, what was there is left alone.

        What the sandbox itself keeps from being changed was changed by somebody else, who may.
        """
        if ".git" not in self.found and (self.root / ".git").is_dir():
            # `git init` makes all of it, and nothing of the user's was there.
            return ()
        now = _look(self.root)
        undone: list[str] = []
        for name in sorted({**self.found, **now}):
            before, after = self.found.get(name), now.get(name)
            if before == after or (only_new and before is not None) or (before and after is None and name == ".git"):
                continue
            if (self.root / name).parent.is_dir():
                _restore(self.root / name, before)
                undone.append(name)
        return tuple(undone)


def take_snapshot(root: Path) -> Snapshot:
    """Look at the watched paths of a workspace."""
    return Snapshot(root, _look(root))


def _look(root: Path) -> dict[str, Found]:
    names = [*WATCHED, *_hooks(root)]
    return {name: found for name in names if (found := _found(root / name)) is not None}


def _hooks(root: Path) -> Iterator[str]:
    yield WATCHED_FOLDER
    folder = root / WATCHED_FOLDER
    if folder.is_dir() and not folder.is_symlink():
        # A sample is not run, and neither is what was set aside.
        names = sorted(path.name for path in folder.iterdir() if path.suffix not in (".sample", ".refused"))
        yield from (f"{WATCHED_FOLDER}/{name}" for name in names[:MOST_HOOKS])


def _found(path: Path) -> Found | None:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return Found(mode, os.fsencode(path.readlink()))
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                return Found(mode, file.read(LARGEST_BYTES))
    except OSError:
        return None
    return Found(stat.S_IFMT(mode))


def _restore(path: Path, before: Found | None) -> None:
    if os.path.lexists(path):
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(3)}.refused"))
    if before is None:
        return
    if before.kind == stat.S_IFDIR:
        path.mkdir()
    elif before.kind == stat.S_IFLNK:
        path.symlink_to(os.fsdecode(before.content))
    elif before.kind == stat.S_IFREG:
        path.write_bytes(before.content)
        path.chmod(stat.S_IMODE(before.mode))
