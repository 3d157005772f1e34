"""A disk that fails on order: the Nth operation of a kind, once or from then on."""

import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from diligent_tui.storage import appender

PLACES: dict[str, tuple[object, str]] = {
    "open": (os, "open"),
    "write": (os, "write"),
    "sync": (appender, "sync_data"),
    "sync of a folder": (os, "fsync"),
    "mkdir": (os, "mkdir"),
    "chmod": (os, "chmod"),
    "fchmod": (os, "fchmod"),
    "rename": (os, "replace"),
    "truncate": (os, "ftruncate"),
    "lock": (fcntl, "flock"),
    "read": (os, "pread"),
}
"""What storage asks of the system, and where it asks."""


@dataclass
class Disk:
    """Counts operations and fails those that it was told to."""

    failing: str = ""
    number: int = 0
    """The errno to fail with."""
    first: int = 1
    """The first operation that fails."""
    lasts: bool = False
    seen: dict[str, int] = field(default_factory=dict[str, int])
    failures: int = 0

    def mend(self) -> None:
        """Fail no more."""
        self.failing = ""

    def meet(self, kind: str) -> None:
        """One operation is asked for."""
        self.seen[kind] = self.seen.get(kind, 0) + 1
        if kind == self.failing and (self.seen[kind] == self.first or (self.lasts and self.seen[kind] > self.first)):
            self.failures += 1
            raise OSError(self.number, "made up")


@contextmanager
def on_disk(disk: Disk) -> Generator[Disk]:
    """Let every operation of this process meet the disk first."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, (owner, name) in PLACES.items():
            patch.setattr(owner, name, _meeting(disk, kind, getattr(owner, name)))
        yield disk


def _meeting(disk: Disk, kind: str, real: Callable[..., object]) -> Callable[..., object]:
    def operation(*given: object, **named: object) -> object:
        disk.meet(kind)
        return real(*given, **named)

    return operation


@contextmanager
def short_writes(most: int) -> Generator[None]:
    """Writes that take only so many bytes at a time."""
    real = os.write

    def write(descriptor: int, data: memoryview) -> int:
        return real(descriptor, data[:most])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", write)
        yield
