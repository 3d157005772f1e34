"""The file that holds the whole of an output too long to keep: private, made on need, of bounded size."""

import os
import threading
from pathlib import Path

from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, sync_folder, write_all

SPILL_LIMIT_BYTES = 200_000_000


class Spill:
    """Takes the bytes as they came; `problem` says why some are missing. Its methods may be called from any thread."""

    def __init__(self, path: Path, limit_bytes: int = SPILL_LIMIT_BYTES) -> None:
        """Nothing is made until the first byte is written."""
        self.path = path
        self.saved_bytes = 0
        self.problem = ""
        self._limit_bytes = limit_bytes
        self._descriptor: int | None = None
        self._is_closed = False
        # A write may still run in its thread when a cancelled call closes the file.
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        """Append what fits; what does not is dropped, and `problem` says so."""
        with self._lock:
            if self._is_closed or self.problem:
                return
            fitting = data[: self._limit_bytes - self.saved_bytes]
            try:
                write_all(self._opened(), fitting)
                self.saved_bytes += len(fitting)
            except StorageError as error:
                self.problem = error.message
            except OSError as error:
                self.problem = storage_error(error, self.path, "writing").message
            if len(fitting) < len(data) and not self.problem:
                self.problem = f"It ends after {self._limit_bytes:,} bytes; the rest was dropped."

    def finish(self) -> None:
        """Have all of it on the disk, then close: a result that names the file must not outlive it. May take long."""
        with self._lock:
            # A copy, so that whoever closes the file meanwhile does not wait for the disk.
            descriptor = None if self._descriptor is None else os.dup(self._descriptor)
        if descriptor is not None:
            try:
                os.fsync(descriptor)
                sync_folder(self.path.parent)
            except StorageError as error:
                self.problem = self.problem or error.message
            except OSError as error:
                self.problem = self.problem or storage_error(error, self.path, "saving").message
            finally:
                os.close(descriptor)
        self.close()

    def close(self) -> None:
        """Close the file, if one was made."""
        with self._lock:
            self._is_closed = True
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def _opened(self) -> int:
        if self._descriptor is None:
            make_private_folder(self.path.parent)
            self._descriptor = open_private(self.path, os.O_WRONLY | os.O_EXCL)
        return self._descriptor
