"""Deleted sessions: moved aside whole and brought back whole, never overwritten and never through a planted link.

Each deletion has a folder of its own in the trash, so names never meet. The session's file is moved first and brought
back last: a crash in between leaves it in the trash, out of the list, with its own folder at one place or the other,
and bringing it back copes with both. The other order would leave a listed session whose long outputs are gone.
"""

import contextlib
import errno
import os
import stat
from datetime import datetime
from pathlib import Path

from diligent_tui.domain.errors import SessionLocked, SessionNotFound, StorageError
from diligent_tui.domain.ids import new_session_id
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.store import folder_of
from diligent_tui.storage.lock import FileLock
from diligent_tui.storage.private import make_private_folder, storage_error, sync_folder

LOCK_NAME = "lock"


def move_to_trash(path: Path, trash: Path, moment: datetime) -> Path:
    """Move a closed session and its folder into the trash; the answer is its file's new place."""
    _must_be_file(path)
    lock = FileLock(folder_of(path) / LOCK_NAME)
    try:
        lock.take()
    except SessionLocked as error:
        raise SessionLocked(f"{error.message} It was not deleted.", "Close it there, then delete it.") from error
    try:
        make_private_folder(trash.parent)
        make_private_folder(trash)
        place = _new_folder(trash, moment)
        try:
            _move(path, place / path.name)
            _move(folder_of(path), place / folder_of(path).name)
        except StorageError:
            # Half a deletion is none.
            with contextlib.suppress(OSError):
                (place / path.name).rename(path)
            with contextlib.suppress(OSError):
                place.rmdir()
            raise
    finally:
        lock.free()
    return place / path.name


def restore_from_trash(trashed: Path, sessions: Path) -> Path:
    """Bring a deleted session and its folder back to where they were; what stands there is never overwritten."""
    path = sessions / trashed.name
    _must_be_folder(trashed.parent)
    _must_be_file(trashed)
    make_private_folder(sessions)
    if os.path.lexists(path):
        raise StorageError(
            f"{clean_line(path.name)} is in the sessions again already; nothing was overwritten.",
            "Rename or move one of the two files, then undo again.",
        )
    if os.path.lexists(folder_of(trashed)):
        _must_be_folder(folder_of(trashed))
        _make_room(folder_of(path))
        _move(folder_of(trashed), folder_of(path))
    _move(trashed, path)
    with contextlib.suppress(OSError):
        trashed.parent.rmdir()
    return path


def _new_folder(trash: Path, moment: datetime) -> Path:
    while not make_private_folder(place := trash / new_session_id(moment)):
        pass
    return place


def _make_room(folder: Path) -> None:
    """Take away a folder that holds no more than a lock, such as a crash in the middle of a deletion leaves."""
    if not os.path.lexists(folder):
        return
    _must_be_folder(folder)
    try:
        if {item.name for item in folder.iterdir()} <= {LOCK_NAME}:
            (folder / LOCK_NAME).unlink(missing_ok=True)
            folder.rmdir()
            return
    except OSError as error:
        raise storage_error(error, folder, "making room at") from error
    raise StorageError(
        f"The folder {clean_line(folder.name)} is in the sessions already; nothing was overwritten.",
        "Move that folder away, then undo again.",
    )


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise storage_error(error, source, "moving") from error
    sync_folder(target.parent)
    sync_folder(source.parent)


def _must_be_file(path: Path) -> None:
    if not stat.S_ISREG(_mode_of(path)):
        raise StorageError(f"{clean_line(path.name)} is not a file.", "Look at what it is; nothing was moved.")


def _must_be_folder(path: Path) -> None:
    if not stat.S_ISDIR(_mode_of(path)):
        raise StorageError(f"{clean_line(path.name)} is not a folder.", "Look at what it is; nothing was moved.")


def _mode_of(path: Path) -> int:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError as error:
        raise SessionNotFound(f"{clean_line(path.name)} is not there any more.") from error
    except OSError as error:
        raise storage_error(error, path, "looking at") from error
    if stat.S_ISLNK(mode):
        raise storage_error(OSError(errno.ELOOP, "symbolic link"), path, "moving")
    return mode
