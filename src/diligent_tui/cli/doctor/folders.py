"""The folders that we write: who may read them, whether we may write, how much room there is, and how fast it is."""

import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.cli.doctor.findings import Finding, broken, doubtful, well
from diligent_tui.config.paths import Places
from diligent_tui.domain.plain_text import clean_line

MOUNTS = Path("/proc/self/mountinfo")
SLOW = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "drvfs", "afs", "ceph", "davfs", "glusterfs", "vboxsf"})
SLOW_BEHIND_FUSE = re.compile(r"fuse\.(sshfs|rclone|s3fs|gcsfuse|davfs2?|glusterfs|vmhgfs\S*)")
LITTLE_BYTES = 1_000_000_000
TOO_LITTLE_BYTES = 50_000_000
OTHERS = 0o077
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Mount:
    """A file system and where it begins."""

    point: Path
    kind: str


def about_folders(places: Places) -> Iterator[Finding]:
    """Permissions of each folder, then space and speed of each disk."""
    folders = {
        "project data": places.data,
        "user config": places.user_config,
        "user data": places.user_data,
        "user state": places.user_state,
    }
    for name, folder in folders.items():
        yield _permissions(name, folder)
    yield from _disks([places.root, places.user_state])


def read_mounts(text: str) -> list[Mount]:
    """The mounts of /proc/self/mountinfo, the longest paths first."""
    found: list[Mount] = []
    for line in text.splitlines():
        before, _, behind = line.partition(" - ")
        words, kinds = before.split(" "), behind.split(" ")
        if len(words) > 4 and kinds[0]:
            point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), words[4])
            found.append(Mount(Path(point), kinds[0]))
    return sorted(found, key=lambda mount: len(str(mount.point)), reverse=True)


def is_slow(kind: str) -> bool:
    """True for file systems that reach over a network or out of a virtual machine."""
    return kind in SLOW or SLOW_BEHIND_FUSE.fullmatch(kind) is not None


def _permissions(name: str, folder: Path) -> Finding:
    shown = clean_line(str(folder))
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return _not_there(name, folder, shown)
    except OSError as error:
        return broken("folders", name, f"{shown}: {error.strerror}.", "Look at the folder above it.")
    if stat.S_ISLNK(found.st_mode):
        return broken("folders", name, f"{shown} is a link, which is not followed.", f"Look at it: ls -l {shown}")
    if not stat.S_ISDIR(found.st_mode):
        return broken("folders", name, f"{shown} is not a folder.", "Move it out of the way.")
    if found.st_uid != os.geteuid():
        return broken("folders", name, f"{shown} belongs to somebody else.", f"Make it yours: chown -R $USER {shown}")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return broken("folders", name, f"{shown} cannot be written.", f"Allow it: chmod u+rwx {shown}")
    if found.st_mode & OTHERS and name != "user config":
        return doubtful("folders", name, f"{shown} can be entered by others.", f"Close it: chmod 700 {shown}")
    return well("folders", name, f"{shown} is yours and can be written.")


def _not_there(name: str, folder: Path, shown: str) -> Finding:
    above = next((parent for parent in folder.parents if parent.exists()), Path("/"))
    if os.access(above, os.W_OK | os.X_OK):
        return well("folders", name, f"{shown} is not there yet and can be made.")
    parent = clean_line(str(above))
    return broken("folders", name, f"{shown} cannot be made, for {parent} cannot be written.", f"chmod u+w {parent}")


def _disks(folders: Sequence[Path]) -> Iterator[Finding]:
    try:
        mounts = read_mounts(MOUNTS.read_text(errors="replace"))
    except OSError:
        mounts = []
    seen: set[int] = set()
    for folder in folders:
        there = next((each for each in (folder, *folder.parents) if each.exists()), Path("/"))
        device = there.stat().st_dev
        if device in seen:
            continue
        seen.add(device)
        yield _space(there)
        mount = next((mount for mount in mounts if there.is_relative_to(mount.point)), None)
        if mount is not None:
            yield _speed(there, mount)


def _space(folder: Path) -> Finding:
    shown = clean_line(str(folder))
    try:
        free_bytes = shutil.disk_usage(folder).free
    except OSError as error:
        return doubtful("folders", "space", f"{shown}: {error.strerror}.", "Look at the disk.")
    said = f"{free_bytes / MEGABYTE:,.0f} MB are free at {shown}."
    if free_bytes < TOO_LITTLE_BYTES:
        return broken("folders", "space", said, "Free some space; a session could not be saved.")
    if free_bytes < LITTLE_BYTES:
        return doubtful("folders", "space", said, "Free some space before it runs out.")
    return well("folders", "space", said)


def _speed(folder: Path, mount: Mount) -> Finding:
    shown, kind = clean_line(str(folder)), clean_line(mount.kind)
    if is_slow(mount.kind):
        return doubtful(
            "folders",
            "file system",
            f"{shown} is on {kind}, where saving and searching are slow and locks may not hold.",
            "Work on a local disk, and open a session in one place at a time.",
        )
    return well("folders", "file system", f"{shown} is on {kind}.")
