"""Read a small text file that may be hostile: a pipe does not hang us, a giant does not fill the memory."""

import os
import stat
from pathlib import Path

LARGEST_SETTINGS_BYTES = 256_000


class NotPlainFile(OSError):
    """The name leads to a folder, a pipe or a device, or to more bytes than are sensible."""


def open_plain(path: Path) -> int:
    """A descriptor of a regular file, links followed; anything else is refused without being waited for."""
    # To open some devices is to do something, and a pipe that is opened is heard at its other end.
    if not stat.S_ISREG(path.stat().st_mode):
        raise NotPlainFile("it is not a plain file")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    # It may have become something else meanwhile.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotPlainFile("it is not a plain file")
    return descriptor


def read_plain(path: Path, most_bytes: int = LARGEST_SETTINGS_BYTES) -> bytes:
    """The bytes of a regular file of a sensible size."""
    with os.fdopen(open_plain(path), "rb") as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise NotPlainFile(f"it is larger than {most_bytes:,} bytes")
    return data
