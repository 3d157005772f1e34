"""One writer for each file: a lock that ends with its process and says who holds it."""

import contextlib
import errno
import fcntl
import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import SessionLocked
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, write_all


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that holds a lock, as far as it said so."""

    pid: int | None
    host: str

    def __str__(self) -> str:
        """The owner in words."""
        return f"process {self.pid} on {self.host}" if self.pid else "another process"


class FileLock:
    """A lock file. The system frees the lock when its holder dies, so none is ever stale on a local disk."""

    def __init__(self, path: Path) -> None:
        """Name the lock; nothing is taken yet."""
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> None:
        """Take the lock, or say who holds it."""
        make_private_folder(self._path.parent)
        descriptor = open_private(self._path, os.O_RDWR)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = _read_owner(descriptor)
            os.close(descriptor)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise storage_error(error, self._path, "locking") from error
            raise SessionLocked(f"This session is open in {owner}.") from error
        # The note is a courtesy: a full disk must not keep a session from being opened.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            write_all(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
        self._descriptor = descriptor

    def free(self) -> None:
        """Give the lock back; the file stays, for removing it would race with the next holder."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _read_owner(descriptor: int) -> Owner:
    try:
        said = json.loads(os.pread(descriptor, 4096, 0))
        return Owner(int(said["pid"]), str(said["host"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Owner(None, "")
