"""Puts one file into an earlier state: wholly or not at all, and only while what was looked at still stands there."""

import contextlib
import errno
import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.agent.file_history.blobs import Blobs
from diligent_tui.agent.file_history.places import Place, open_folder
from diligent_tui.agent.file_history.states import FileState, stamp_now
from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import PRIVATE_FILE, sync_folder, write_all

NEW_FOLDER = 0o777
"""Before the umask, as any program makes a folder."""


@dataclass(frozen=True, slots=True)
class Putting:
    """One file on its way: `now` is what was looked at, `aside` the name under which its bytes are written first."""

    place: Place
    now: FileState
    put: FileState
    aside: str
    folder_modes: tuple[int, ...] = ()


def put_file(task: Putting, blobs: Blobs) -> None:
    """Do it; raises StorageError if the file was changed meanwhile, and OSError if the system refuses."""
    if task.put.is_absent:
        _delete(task)
    else:
        with _folders_made(task.place, task.folder_modes), _opened_folder(task.place) as folder:
            if task.put.digest == task.now.digest:
                _change_mode(folder, task)
            else:
                _write(folder, task, blobs.chunks(task.put.digest))
    _sync_nearest(task.place)


def clear_aside(place: Place, aside: str) -> None:
    """Take away what a kill left of a file that was being written."""
    with contextlib.suppress(OSError), _opened_folder(place) as folder:
        os.unlink(aside, dir_fd=folder)


def folder_modes(place: Place, number: int) -> tuple[int, ...]:
    """The modes of so many folders above a file, the nearest first."""
    modes: list[int] = []
    for folder in place.path.parents[: min(number, len(place.parts) - 1)]:
        try:
            modes.append(folder.lstat().st_mode & 0o7777)
        except OSError:
            break
    return tuple(modes)


def _delete(task: Putting) -> None:
    with _opened_folder(task.place) as folder:
        _must_be_as_it_was(folder, task)
        os.unlink(task.place.file_name, dir_fd=folder)
    # The folders that were made for it go too, unless somebody else uses them by now.
    for above in task.place.path.parents[: min(task.put.missing_folders, len(task.place.parts) - 1)]:
        try:
            above.rmdir()
        except OSError:
            break


@contextlib.contextmanager
def _opened_folder(place: Place) -> Generator[int]:
    folder = open_folder(place)
    try:
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def _folders_made(place: Place, modes: tuple[int, ...]) -> Generator[None]:
    """Make the folders above a file; those made go again if the file does not come."""
    made: list[Path] = []
    above = place.path.parents[: len(place.parts) - 1]
    try:
        for folder, mode in reversed(list(zip(above, (*modes, *[None] * len(above)), strict=False))):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(NEW_FOLDER)
                made.append(folder)
                if mode is not None:
                    folder.chmod(mode)
        yield
    except (OSError, StorageError):
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _change_mode(folder: int, task: Putting) -> None:
    descriptor = os.open(task.place.file_name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        _must_be_as_it_was(folder, task)
        os.fchmod(descriptor, task.put.mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(folder: int, task: Putting, chunks: Iterable[bytes]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(task.aside, flags, PRIVATE_FILE, dir_fd=folder)
    try:
        try:
            for chunk in chunks:
                write_all(descriptor, chunk)
            _keep_owner(folder, task, descriptor)
            os.fchmod(descriptor, task.put.mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _must_be_as_it_was(folder, task)
        _give_name(folder, task)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(task.aside, dir_fd=folder)


def _give_name(folder: int, task: Putting) -> None:
    name = task.place.file_name
    if task.now.is_absent:
        try:
            os.link(task.aside, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise _changed_meanwhile() from None
        except OSError as error:
            # Some file systems have no second names; then the look a moment ago must do.
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
                raise
        else:
            return
    os.rename(task.aside, name, src_dir_fd=folder, dst_dir_fd=folder)


def _keep_owner(folder: int, task: Putting, descriptor: int) -> None:
    if task.now.is_absent:
        return
    status = os.stat(task.place.file_name, dir_fd=folder, follow_symlinks=False)
    # Only root can give a file away; anybody else owns what they replace, or gets it now.
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, status.st_uid, status.st_gid)


def _must_be_as_it_was(folder: int, task: Putting) -> None:
    if stamp_now(folder, task.place.file_name) != task.now.stamp:
        raise _changed_meanwhile()


def _changed_meanwhile() -> StorageError:
    return StorageError("It was changed at this very moment.", "Look at the preview again.")


def _sync_nearest(place: Place) -> None:
    for above in place.path.parents:
        if above.is_dir():
            sync_folder(above)
            return
