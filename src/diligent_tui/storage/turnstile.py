"""One process at a time at a file that many append to: each waits its turn, which lasts as long as one write.

The lock is on the file itself, for a lock file beside it would travel through git. Git and editors replace files, so a
turn counts only while the name still means the file that was locked.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import open_private, storage_error, sync_folder

PAUSES_SECONDS = (0.0005, 0.001, 0.002, 0.005)
"""Waiting begins short, for a turn takes about as long as a sync; the last pause is repeated."""
LONGEST_WAIT_SECONDS = 5.0


@contextmanager
def taking_turn(path: Path) -> Generator[int]:
    """A descriptor for reading and appending, made private, while nobody else has a turn; waits in its thread."""
    descriptor = _locked(path)
    try:
        yield descriptor
    finally:
        # A child being started may hold a copy of the descriptor; closing alone would leave it the lock.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def is_still(path: Path, descriptor: int) -> bool:
    """Whether the name means the open file, and not one that took its place."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _locked(path: Path) -> int:
    pauses = iter(PAUSES_SECONDS)
    waited_seconds = 0.0
    while True:
        is_new = not os.path.lexists(path)
        descriptor = open_private(path, os.O_RDWR | os.O_APPEND | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise storage_error(OSError(errno.EINVAL, "not a file"), path, "opening")
            if _try_lock(descriptor, path) and is_still(path, descriptor):
                if is_new:
                    sync_folder(path.parent)
                return descriptor
        except (OSError, StorageError):
            os.close(descriptor)
            raise
        os.close(descriptor)
        if waited_seconds >= LONGEST_WAIT_SECONDS:
            raise StorageError(
                f"Another process has kept {path.name} locked for {waited_seconds:.0f} seconds.",
                "Look for a diligent that hangs or was stopped, then try again.",
            )
        pause = next(pauses, PAUSES_SECONDS[-1])
        time.sleep(pause)
        waited_seconds += pause


def _try_lock(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
            return False
        raise storage_error(error, path, "locking") from error
    return True
