"""A disk that loses what was not synced: a log of all operations, and what a cut at any of them leaves."""

import os
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from diligent_tui.storage import appender

Kind = Literal["make file", "make folder", "write", "sync", "rename", "acknowledge"]


@dataclass(frozen=True)
class Operation:
    """One thing that happened: to which path, and with what."""

    kind: Kind
    path: str
    data: bytes = b""
    target: str = ""


@dataclass
class Remains:
    """What may be left of one file, from its synced bytes and those after them."""

    synced: bytes = b""
    written: bytes = b""


@dataclass
class PowerLog:
    """Everything below a folder that was asked of the system, in order."""

    root: Path
    operations: list[Operation] = field(default_factory=list[Operation])
    _open: dict[int, str] = field(default_factory=dict[int, str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledge(self, entry_id: str) -> None:
        """Somebody was told that this is saved."""
        self.note("acknowledge", entry_id)

    def note(self, kind: Kind, path: str, data: bytes = b"", target: str = "") -> None:
        """Take an operation into the log."""
        with self._lock:
            self.operations.append(Operation(kind, path, data, target))

    @contextmanager
    def recording(self) -> Generator["PowerLog"]:
        """Record what this process does below the root."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "open", self._opening(os.open))
            patch.setattr(os, "mkdir", self._making(os.mkdir))
            patch.setattr(os, "write", self._writing(os.write))
            patch.setattr(os, "replace", self._replacing(os.replace))
            patch.setattr(os, "fsync", self._syncing(os.fsync))
            patch.setattr(appender, "sync_data", self._syncing(appender.sync_data))
            yield self

    def cuts(self) -> Iterator[tuple[int, set[str], dict[str, Remains], set[str]]]:
        """Each moment: its number, what was acknowledged, each file that has a name, and the folders that have one."""
        for end in range(len(self.operations) + 1):
            yield end, *_after(self.operations[:end])

    def _opening(self, real: Callable[..., int]) -> Callable[..., int]:
        def opening(path: str | Path, flags: int, *more: int) -> int:
            is_new = bool(flags & os.O_CREAT) and not os.path.lexists(path)
            descriptor = real(path, flags, *more)
            if str(path).startswith(str(self.root)):
                self._open[descriptor] = str(path)
                if is_new:
                    self.note("make file", str(path))
            else:
                self._open.pop(descriptor, None)
            return descriptor

        return opening

    def _making(self, real: Callable[..., None]) -> Callable[..., None]:
        def making(path: str | Path, *more: int) -> None:
            real(path, *more)
            self.note("make folder", str(path))

        return making

    def _writing(self, real: Callable[[int, memoryview], int]) -> Callable[[int, memoryview], int]:
        def writing(descriptor: int, data: memoryview) -> int:
            size = real(descriptor, data)
            if path := self._open.get(descriptor):
                self.note("write", path, bytes(data[:size]))
            return size

        return writing

    def _replacing(self, real: Callable[..., None]) -> Callable[..., None]:
        def replacing(path: str | Path, target: str | Path) -> None:
            real(path, target)
            self.note("rename", str(path), target=str(target))

        return replacing

    def _syncing(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def syncing(descriptor: int) -> None:
            real(descriptor)
            if path := self._open.get(descriptor):
                self.note("sync", path)

        return syncing


def _after(operations: list[Operation]) -> tuple[set[str], dict[str, Remains], set[str]]:
    """What is durable after these: a name once its folder is synced, bytes once their file is."""
    acknowledged: set[str] = set()
    files: dict[str, Remains] = {}
    fresh: dict[str, str] = {}
    named: set[str] = set()
    for operation in operations:
        path = operation.path
        match operation.kind:
            case "acknowledge":
                acknowledged.add(path)
            case "make file":
                files[path] = Remains()
                fresh[path] = str(Path(path).parent)
            case "make folder":
                fresh[path] = str(Path(path).parent)
            case "write":
                files[path].written += operation.data
            case "rename":
                files[operation.target] = files.pop(path)
                fresh[operation.target] = fresh.pop(path)
            case "sync" if path in files:
                files[path].synced = files[path].written
            case "sync":
                named |= {name for name, folder in fresh.items() if folder == path}
    return acknowledged, {path: remains for path, remains in files.items() if path in named}, named


def variants(remains: Remains) -> dict[str, bytes]:
    """What a cut may leave of a file: its synced bytes, and of the rest a part, all, or its length filled with NUL."""
    rest = remains.written[len(remains.synced) :]
    return {
        "nothing more": remains.synced,
        "one byte more": remains.synced + rest[:1],
        "half": remains.synced + rest[: len(rest) // 2],
        "all but one byte": remains.synced + rest[:-1],
        "all": remains.written,
        "NUL": remains.synced + b"\x00" * len(rest),
        "half NUL": remains.synced + rest[: len(rest) // 2] + b"\x00" * (len(rest) - len(rest) // 2),
    }
