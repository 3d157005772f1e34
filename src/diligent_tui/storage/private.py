"""Files and folders that only their owner may read, whatever the umask; planted links are refused."""

import contextlib
import errno
import os
import secrets
from pathlib import Path

from diligent_tui.domain.errors import StorageError, StorageFull, StorageReadOnly

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def storage_error(error: OSError, path: Path, doing: str) -> StorageError:
    """The system's complaint as one of ours, saying what was being done to which file."""
    what = f"{doing} {path.name}: {os.strerror(error.errno) if error.errno else error}"
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return StorageFull(f"The disk is full; {what}.")
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return StorageReadOnly(f"Not allowed: {what}.")
        case errno.ELOOP:
            return StorageError(
                f"{path.name} is a symbolic link where diligent keeps its own file; it is not followed.",
                "Look at that link; remove it if you did not make it.",
            )
        case _:
            return StorageError(f"Could not finish {what}.")


def make_private_folder(folder: Path) -> bool:
    """Make the folder, and its parents, for the owner only; True if it was not there before."""
    try:
        if folder.is_symlink():
            raise storage_error(OSError(errno.ELOOP, "symbolic link"), folder, "opening")
        if folder.is_dir():
            return False
        if not folder.parent.exists():
            make_private_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER)
        folder.chmod(PRIVATE_FOLDER)
    except FileExistsError:
        if not folder.is_dir():
            raise StorageError(f"{folder.name} is a file where diligent needs a folder.") from None
        return False
    except OSError as error:
        raise storage_error(error, folder, "making the folder") from error
    sync_folder(folder.parent)
    return True


def open_private(path: Path, flags: int) -> int:
    """Open a file for the owner only, never through a link at its end; made if it is not there."""
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
    except OSError as error:
        raise storage_error(error, path, "opening") from error
    try:
        os.fchmod(descriptor, PRIVATE_FILE)
    except OSError as error:
        os.close(descriptor)
        raise storage_error(error, path, "closing to others") from error
    return descriptor


def write_private(path: Path, data: bytes) -> None:
    """Replace a file as a whole: readers see the old or the new, never a half."""
    make_private_folder(path.parent)
    if path.is_symlink():
        raise storage_error(OSError(errno.ELOOP, "symbolic link"), path, "writing")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = open_private(temporary, os.O_WRONLY | os.O_EXCL)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise storage_error(error, path, "writing") from error
    sync_folder(path.parent)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however short the single writes are."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def is_torn(descriptor: int) -> bool:
    """Whether the last line of a file has no end: its writer was cut off."""
    size_bytes = os.fstat(descriptor).st_size
    return size_bytes > 0 and os.pread(descriptor, 1, size_bytes - 1) != b"\n"


def sync_folder(folder: Path) -> None:
    """Make a new name durable; that a file system cannot is no fault, that a disk fails is."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
            raise storage_error(error, folder, "syncing") from error
