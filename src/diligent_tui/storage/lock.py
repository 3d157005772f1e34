"""One writer for each file: a lock that ends with its process and says who holds it."""

import contextlib
import errno
import fcntl
import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import SessionLocked, StorageError
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, write_all
from diligent_tui.storage.turnstile import is_still

PAUSE_SECONDS = 0.01
MOST_TRIES = 200
"""A process that is killed while it starts another leaves its lock to that one, until that has become a program."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that holds a lock, as far as it said so."""

    pid: int | None
    host: str

    @property
    def is_gone(self) -> bool:
        """True if it ran on this machine and does not any more."""
        if not self.pid or self.pid < 0 or self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            return False
        return False

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
        while (descriptor := self._locked()) is None:
            # Its last holder took the file away meanwhile.
            pass
        # The note is a courtesy: a full disk must not keep a session from being opened.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            write_all(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
        self._descriptor = descriptor

    @property
    def is_held(self) -> bool:
        """Whether it was taken and not given back."""
        return self._descriptor is not None

    def _locked(self) -> int | None:
        """A locked descriptor, or None if the name means another file by now."""
        make_private_folder(self._path.parent)
        descriptor = open_private(self._path, os.O_RDWR)
        try:
            self._wait_for(descriptor)
            if is_still(self._path, descriptor):
                return descriptor
        except OSError as error:
            os.close(descriptor)
            raise storage_error(error, self._path, "locking") from error
        except StorageError:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None

    def _wait_for(self, descriptor: int) -> None:
        for _ in range(MOST_TRIES):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise storage_error(error, self._path, "locking") from error
            owner = _read_owner(descriptor)
            if not owner.is_gone:
                raise SessionLocked(f"This session is open in {owner}.")
            time.sleep(PAUSE_SECONDS)
        raise SessionLocked("This session is still held by something that another process left behind.")

    def free(self) -> None:
        """Give the lock back; the file stays."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def remove(self) -> None:
        """Give the lock back and take its file away; a file that cannot be taken away stays, and does no harm."""
        if self._descriptor is not None:
            # While it is held, so that it is not the file of the next holder.
            with contextlib.suppress(OSError):
                self._path.unlink()
            self.free()


def _read_owner(descriptor: int) -> Owner:
    try:
        said = json.loads(os.pread(descriptor, 4096, 0))
        return Owner(int(said["pid"]), str(said["host"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return Owner(None, "")
