"""A file at one moment: not there, its bytes and mode, or a thing that must not be touched."""

import errno
import hashlib
import os
import stat
from dataclasses import dataclass, field

from diligent_tui.agent.file_history.places import Place, missing_folders, open_folder

READ_BYTES = 1024 * 1024
READ_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FileState:
    """Two states are equal if bytes and mode are; an empty digest means that there is no file."""

    digest: str = ""
    mode: int = 0
    size_bytes: int = field(default=0, compare=False)
    links: int = field(default=1, compare=False)
    """How many names the file has."""
    missing_folders: int = field(default=0, compare=False)
    """Of a file that is not there: how many of the folders above it are not there either."""
    stamp: Stamp | None = field(default=None, compare=False)
    """Tells without reading whether the file is still the one that was looked at."""

    @property
    def is_absent(self) -> bool:
        """True if there is no file."""
        return not self.digest


@dataclass(frozen=True, slots=True)
class Unsafe:
    """Something that is neither read nor replaced; `what` goes on after "it"."""

    what: str


Seen = FileState | Unsafe
KINDS = {
    stat.S_IFLNK: "is a link",
    stat.S_IFDIR: "is a folder",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


def stamp_of(status: os.stat_result) -> Stamp:
    """What changes whenever somebody else writes a file or puts another in its place."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def look(place: Place, most_bytes: int) -> Seen:
    """What stands there now; nothing is followed, and nothing but a plain file is opened."""
    try:
        folder = open_folder(place)
    except FileNotFoundError:
        return FileState(missing_folders=missing_folders(place))
    except OSError as error:
        return Unsafe(_folder_trouble(error))
    try:
        return _look_in(folder, place.file_name, most_bytes)
    finally:
        os.close(folder)


def stamp_now(folder: int, name: str) -> Stamp | None:
    """The stamp of what stands there now, None if nothing does."""
    try:
        return stamp_of(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return None


def _look_in(folder: int, name: str, most_bytes: int) -> Seen:
    try:
        kind = stat.S_IFMT(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        if kind != stat.S_IFREG:
            return Unsafe(KINDS.get(kind, "is no plain file"))
        descriptor = os.open(name, READ_FILE, dir_fd=folder)
    except FileNotFoundError:
        return FileState()
    except OSError as error:
        return Unsafe("is a link" if error.errno == errno.ELOOP else f"cannot be read ({error.strerror})")
    try:
        return _read(descriptor, most_bytes)
    finally:
        os.close(descriptor)


def _read(descriptor: int, most_bytes: int) -> Seen:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        return Unsafe(KINDS.get(stat.S_IFMT(before.st_mode), "is no plain file"))
    if before.st_size > most_bytes:
        return Unsafe(f"is too large to be kept ({before.st_size // 1_000_000:,} MB)")
    digest = hashlib.sha256()
    read = 0
    try:
        while chunk := os.read(descriptor, READ_BYTES):
            digest.update(chunk)
            read += len(chunk)
            if read > most_bytes:
                return Unsafe("grows while it is read")
    except OSError as error:
        return Unsafe(f"cannot be read ({error.strerror})")
    status = os.fstat(descriptor)
    return FileState(digest.hexdigest(), stat.S_IMODE(status.st_mode), read, status.st_nlink, 0, stamp_of(status))


def _folder_trouble(error: OSError) -> str:
    if error.errno in (errno.ENOTDIR, errno.ELOOP):
        return "lies behind a link, or behind a file where a folder was"
    return f"cannot be reached ({error.strerror})"
