"""Puts an export where the user wants it: private, whole or not at all, and never over another file unasked."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from diligent_tui.domain.errors import StorageError, UsageError
from diligent_tui.storage.private import open_private, storage_error, sync_folder, write_all


def save_export(path: Path, pieces: Iterable[bytes], *, replaces: bool = False) -> int:
    """Write the pieces to a file that is there only when it is whole; returns its size in bytes."""
    if path.is_dir():
        raise UsageError(f"{path.name or path} is a folder.", "Name a file for the export.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", "Make it first, or name another one.")
    if os.path.lexists(path) and not replaces:
        raise _is_there(path)
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        size = _write(temporary, pieces)
        if replaces:
            temporary.replace(path)
        else:
            _name(temporary, path)
    except OSError as error:
        raise storage_error(error, path, "writing") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    sync_folder(path.parent)
    return size


def _write(path: Path, pieces: Iterable[bytes]) -> int:
    size = 0
    descriptor = open_private(path, os.O_WRONLY | os.O_EXCL)
    try:
        for piece in pieces:
            write_all(descriptor, piece)
            size += len(piece)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return size


def _name(temporary: Path, path: Path) -> None:
    """Give the file its name, unless somebody took that name meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise _is_there(path) from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):
            raise
        temporary.rename(path)


def _is_there(path: Path) -> StorageError:
    return StorageError(f"{path.name} is there already.", "Name another file, or add --force to replace it.")
