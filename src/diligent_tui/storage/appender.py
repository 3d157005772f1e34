"""Appends lines to one file: in order, by one writer, and acknowledged only once they are synced.

Waiting lines are written and synced together, in a thread, so that nobody waits for a disk but who must. A failed
group is not acknowledged; whoever retries writes its lines again behind a fresh newline, for after a failed sync
the system may have thrown the old bytes away. Readers take the first of two lines with the same id.

Lines that nobody waits for are tried again with the next group, so that a disk that was full for a while leaves no
hole among them.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import (
    is_torn,
    make_private_folder,
    open_private,
    storage_error,
    sync_folder,
    write_all,
)

sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
Waiting = tuple[bytes, asyncio.Future[int] | None]


class Appender:
    """The one writer of a file. The file is made with the first line."""

    def __init__(self, path: Path, on_failure: Callable[[StorageError], None] = lambda _: None) -> None:
        """Name the file, and who is told when a line that nobody waits for fails; nothing is touched yet."""
        self._path = path
        self._on_failure = on_failure
        self._descriptor: int | None = None
        self._tail_is_torn = False
        self._waiting: list[Waiting] = []
        self._kept: list[Waiting] = []
        self._drops = 0
        self._flushing: asyncio.Task[None] | None = None
        self._has_failed = False

    async def append(self, line: bytes) -> int:
        """Write a line; returns its offset once it is on disk, and raises StorageError if it is not."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._enqueue(line, done)
        return await done

    def append_soon(self, line: bytes) -> None:
        """Write a line without waiting; if it fails it is told, and tried again with the next line."""
        self._enqueue(line, None)

    def drop_soon(self) -> None:
        """Give up the lines that nobody waits for and that are not written yet, since what follows says it all."""
        self._kept.clear()
        self._waiting = [(line, done) for line, done in self._waiting if done is not None]
        self._drops += 1

    async def drain(self) -> None:
        """Wait until nothing waits any more."""
        while self._flushing is not None:
            await asyncio.wait([self._flushing])

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        await self.drain()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _enqueue(self, line: bytes, done: asyncio.Future[int] | None) -> None:
        self._waiting.append((line, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())

    async def _flush(self) -> None:
        group: list[Waiting] = []
        try:
            while self._waiting:
                group = [*self._kept, *self._waiting]
                self._kept, self._waiting = [], []
                drops = self._drops
                try:
                    offset = await asyncio.to_thread(self._write, b"".join(line for line, _ in group))
                except StorageError as error:
                    self._refuse(group, error, keeps=drops == self._drops)
                else:
                    self._has_failed = False
                    for line, done in group:
                        if done is not None and not done.done():
                            done.set_result(offset)
                        offset += len(line)
        finally:
            self._flushing = None
            # Whatever ended this, nobody may wait for ever.
            for _, done in group:
                if done is not None and not done.done():
                    done.cancel()

    def _refuse(self, group: list[Waiting], error: StorageError, *, keeps: bool) -> None:
        for _, done in group:
            if done is not None and not done.done():
                done.set_exception(error)
        nobodys: list[Waiting] = [(line, done) for line, done in group if done is None]
        self._kept = nobodys if keeps else []
        if nobodys and not self._has_failed:
            self._has_failed = True
            self._on_failure(error)

    def _write(self, data: bytes) -> int:
        try:
            descriptor = self._open()
            state = os.fstat(descriptor)
            if state.st_nlink == 0:
                raise StorageError(
                    f"{self._path.name} was deleted while it was in use.", "Fork the session to keep it."
                )
            torn, self._tail_is_torn = self._tail_is_torn, True
            write_all(descriptor, b"\n" + data if torn else data)
            sync_data(descriptor)
            self._tail_is_torn = False
            return state.st_size + torn
        except OSError as error:
            raise storage_error(error, self._path, "writing") from error

    def _open(self) -> int:
        if self._descriptor is None:
            make_private_folder(self._path.parent)
            descriptor = open_private(self._path, os.O_RDWR | os.O_APPEND)
            try:
                self._tail_is_torn = is_torn(descriptor)
                # Also for a file that is there: who made it may have been killed before its name was durable.
                sync_folder(self._path.parent)
            except (OSError, StorageError):
                os.close(descriptor)
                raise
            self._descriptor = descriptor
        return self._descriptor
