"""Replacing a file as a whole: readers see the old or the new, at the very place that was looked at."""

import contextlib
import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.storage.private import write_all
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import SAFE_OPEN, Located, kind_of, open_located, path_of

LARGEST_BYTES = 20_000_000
"""What is compared and shown must be read at once; nobody writes larger files by hand."""
OPEN_FOLDER = SAFE_OPEN | os.O_DIRECTORY
ACCESS_LIST = "system.posix_acl_access"


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was found; without data it is not there."""

    data: bytes | None = None
    status: os.stat_result | None = None

    @property
    def identity(self) -> tuple[int, ...]:
        """Which file it is and in what state; empty if it is not there."""
        return _identity(self.status) if self.status else ()


def look(located: Located, workplace: Workplace, *, approved: bool) -> FileState:
    """Read a file that is to be replaced; ToolError if it is none, or too large."""
    if not os.path.lexists(located.real):
        return FileState()
    descriptor = open_located(located, workplace, approved=approved)
    try:
        if path_of(descriptor, located.real) != located.real:
            raise _exchanged(located)
        status = os.fstat(descriptor)
        if kind := kind_of(status.st_mode):
            raise ToolError(f"{located.shown} is {kind}, not a file.")
        if status.st_size > LARGEST_BYTES:
            raise ToolError(
                f"{located.shown} has {status.st_size:,} bytes: files of more than {LARGEST_BYTES:,} are not changed "
                "here. Use a command for it."
            )
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return FileState(file.read(LARGEST_BYTES), status)
    finally:
        os.close(descriptor)


def put(
    located: Located, state: FileState, data: bytes, keep_before: Callable[[Path], None], is_off: Callable[[], bool]
) -> None:
    """Write the file beside its place, then move it there if the place still is as it was found.

    `keep_before` is called when all is ready; `is_off` is asked just before the move. ToolError if nothing was changed.
    """
    _refuse_read_only(located, state)
    with contextlib.ExitStack() as on_failure:
        folder = _open_folder(located, on_failure)
        try:
            _Replacement(located, state, folder).make(data, keep_before, is_off)
        finally:
            os.close(folder)
        on_failure.pop_all()


@dataclass(frozen=True, slots=True)
class _Replacement:
    located: Located
    state: FileState
    folder: int

    def make(self, data: bytes, keep_before: Callable[[Path], None], is_off: Callable[[], bool]) -> None:
        temporary = f".{secrets.token_hex(6)}.diligent-new"
        with contextlib.ExitStack() as on_failure:
            try:
                on_failure.callback(self._remove, temporary)
                self._write(temporary, data)
                keep_before(self.located.real)
                if is_off():
                    raise ToolError("Stopped before anything was changed.")
                self._move(temporary)
                on_failure.pop_all()
            except OSError as error:
                raise _not_written(self.located, error) from error
        try:
            os.fsync(self.folder)
        except OSError as error:
            raise ToolError(
                f"{self.located.shown} was written, but the disk says: {error.strerror}. Check it."
            ) from error

    def _write(self, temporary: str, data: bytes) -> None:
        old = self.state.status
        is_private = old is not None or self.located.is_secret
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(temporary, flags, 0o600 if is_private else 0o666, dir_fd=self.folder)
        try:
            write_all(descriptor, data)
            if old is not None:
                self._keep_access(descriptor, old)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _keep_access(self, descriptor: int, old: os.stat_result) -> None:
        mode = old.st_mode & 0o777
        new = os.fstat(descriptor)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            try:
                os.fchown(descriptor, old.st_uid, old.st_gid)
            except OSError:
                # What the old group was allowed is not for another one.
                mode &= 0o707 if new.st_gid != old.st_gid else 0o777
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, ACCESS_LIST, os.getxattr(self.located.real, ACCESS_LIST, follow_symlinks=False))
        os.fchmod(descriptor, mode)

    def _move(self, temporary: str) -> None:
        name = self.located.real.name
        if self.state.status is None and self._link(temporary, name):
            return
        try:
            now = _identity(os.stat(name, dir_fd=self.folder, follow_symlinks=False))
        except FileNotFoundError:
            now = ()
        if now != self.state.identity:
            raise _exchanged(self.located)
        os.replace(temporary, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def _link(self, temporary: str, name: str) -> bool:
        """Give a new file its name only if nobody else took it meanwhile; False where a file system has no links."""
        try:
            os.link(temporary, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except FileExistsError:
            raise _exchanged(self.located) from None
        except OSError:
            return False
        self._remove(temporary)
        return True

    def _remove(self, temporary: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=self.folder)


def _open_folder(located: Located, on_failure: contextlib.ExitStack) -> int:
    """Open the folder that the file lies in, making what is missing; never through a link."""
    folder = located.real.parent
    there = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    try:
        descriptor = os.open(there, OPEN_FOLDER)
        if path_of(descriptor, there) != there:
            os.close(descriptor)
            raise _exchanged(located)
        for name in folder.relative_to(there).parts:
            there /= name
            try:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, dir_fd=descriptor)
                    on_failure.callback(_remove_folder, there)
                inner = os.open(name, OPEN_FOLDER, dir_fd=descriptor)
            finally:
                os.close(descriptor)
            descriptor = inner
    except OSError as error:
        raise _not_written(located, error) from error
    return descriptor


def _remove_folder(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir()


def _refuse_read_only(located: Located, state: FileState) -> None:
    if state.status and not (state.status.st_mode & 0o222 and os.access(located.real, os.W_OK)):
        raise ToolError(f"{located.shown} is read-only: it was not changed.")


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns)


def _exchanged(located: Located) -> ToolError:
    return ToolError(f"{located.shown} was changed or exchanged meanwhile; nothing was written. Read it again first.")


def _not_written(located: Located, error: OSError) -> ToolError:
    return ToolError(f"{located.shown} could not be written: {error.strerror or error}. Nothing was changed.")
