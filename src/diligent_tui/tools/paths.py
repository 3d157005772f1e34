"""Where a path that a model gave really leads, and opening it without being led elsewhere meanwhile."""

import contextlib
import fcntl
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import PermissionRefused, ToolError
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.secret_files import looks_secret

LONGEST_PATH_BYTES = 4095
LONGEST_NAME_BYTES = 255
# Neither waiting for a FIFO's other end, nor following a link put there after the path was resolved.
SAFE_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class Located:
    """A path with every link in it resolved, and what the rules want to know of it."""

    shown: str
    real: Path
    is_inside: bool
    is_secret: bool

    @property
    def is_open_to_all(self) -> bool:
        """True if it may be read without a question."""
        return self.is_inside and not self.is_secret


def locate(given: str, workplace: Workplace) -> Located:
    """Resolve a path from the working folder; `~` is the user's home."""
    if "\0" in given:
        raise ToolError("The path holds a NUL character: leave it out.")
    absolute = workplace.cwd / _home_expanded(given)
    _refuse_overlong(absolute)
    real = Path(os.path.realpath(absolute))
    return _judged(shown_name(given), real, looks_secret(absolute), workplace)


def open_located(located: Located, workplace: Workplace, *, approved: bool, flags: int = SAFE_OPEN) -> int:
    """Open for reading and look again at what was opened; unless a user approved, it must still be open to all."""
    _refuse_special(located)
    try:
        descriptor = os.open(located.real, flags)
    except OSError as error:
        raise ToolError(f"{located.shown} cannot be opened: {error.strerror}.") from error
    with contextlib.ExitStack() as on_refusal:
        on_refusal.callback(os.close, descriptor)
        opened = _judged(located.shown, path_of(descriptor, located.real), located.is_secret, workplace)
        if not approved and not opened.is_open_to_all:
            raise PermissionRefused(f"{located.shown} leads outside the workspace or to a secret; nothing was read.")
        _refuse_own_process(opened.real)
        on_refusal.pop_all()
    return descriptor


def shown_name(name: str) -> str:
    """A name fit for one line of output: whatever does not print is written as an escape."""
    return name if name.isprintable() else repr(name)


def kind_of(mode: int) -> str:
    """What a file that is neither a folder nor regular is called; empty for a regular file."""
    kinds = {
        stat.S_IFIFO: "a pipe (FIFO)",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFDIR: "a folder",
        stat.S_IFLNK: "a link",
    }
    return kinds.get(stat.S_IFMT(mode), "")


def path_of(descriptor: int, expected: Path) -> Path:
    """Where an open file really is; ToolError if that cannot be told and its place is taken by another."""
    if sys.platform == "darwin":
        return Path(os.fsdecode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0")))
    try:
        return Path(str(Path(f"/proc/self/fd/{descriptor}").readlink()).removesuffix(" (deleted)"))
    except OSError:
        again = Path(os.path.realpath(expected))
        if not os.path.samestat(os.fstat(descriptor), again.stat()):
            raise ToolError("The file was exchanged while it was opened; try again.") from None
        return again


def _judged(shown: str, real: Path, is_secret: bool, workplace: Workplace) -> Located:
    root = Path(os.path.realpath(workplace.root))
    return Located(shown, real, real.is_relative_to(root), is_secret or looks_secret(real))


def _home_expanded(given: str) -> str:
    is_home = given == "~" or given.startswith("~/")
    return str(Path.home()) + given[1:] if is_home else given


def _refuse_overlong(path: Path) -> None:
    try:
        parts = [os.fsencode(part) for part in path.parts]
    except UnicodeEncodeError:
        raise ToolError("The path holds half a character (a lone surrogate): write it again.") from None
    if sum(len(part) + 1 for part in parts) > LONGEST_PATH_BYTES or max(map(len, parts)) > LONGEST_NAME_BYTES:
        raise ToolError("The path is too long: no file can have that name.")


def _refuse_special(located: Located) -> None:
    """Opening a device can act on it, so this is settled before."""
    try:
        kind = kind_of(os.lstat(located.real).st_mode)
    except OSError as error:
        raise ToolError(f"{located.shown} cannot be opened: {error.strerror}.") from error
    if kind and kind != "a folder":
        raise ToolError(f"{located.shown} is {kind}, not a file: it is not read.")


def _refuse_own_process(real: Path) -> None:
    # Whoever approved a path in /proc cannot have meant the keys in our own environment.
    if real.parts[1:3] in (("proc", str(os.getpid())), ("proc", "self"), ("proc", "thread-self")):
        raise PermissionRefused("What /proc says of diligent itself is not read: it shows the provider keys.")
