"""Bytes to read a little of: a file of any size, or a text that is in memory already."""

import os
import stat
from pathlib import Path
from typing import Protocol

BLOCK_BYTES = 65_536
MOST_BLOCKS_KEPT = 16


class ByteSource(Protocol):
    """Where an output's bytes are."""

    @property
    def size_bytes(self) -> int:
        """How many there are."""
        ...

    def read(self, start: int, end: int) -> bytes:
        """Those from `start` up to `end`, or fewer at the end."""
        ...

    def close(self) -> None:
        """Nothing is read any more."""
        ...


class TextSource:
    """A text as bytes."""

    def __init__(self, text: str) -> None:
        """Read this text."""
        self._data = text.encode("utf-8", "replace")

    @property
    def size_bytes(self) -> int:
        """How many there are."""
        return len(self._data)

    def read(self, start: int, end: int) -> bytes:
        """Those from `start` up to `end`."""
        return self._data[max(0, start) : end]

    def close(self) -> None:
        """Nothing to do."""


class FileSource:
    """A file, read in blocks of which only the last few are kept."""

    def __init__(self, path: Path) -> None:
        """Open a regular file that is no link; OSError if there is none."""
        # Not blocking: a pipe in the place of the file must not stop the screen.
        self._descriptor: int | None = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        status = os.fstat(self._descriptor)
        if not stat.S_ISREG(status.st_mode):
            self.close()
            raise FileNotFoundError(path)
        self.size_bytes = status.st_size
        self.bytes_read = 0
        """How many were read from the disk so far."""
        self._blocks: dict[int, bytes] = {}

    def read(self, start: int, end: int) -> bytes:
        """Those from `start` up to `end`."""
        start, end = max(0, start), min(end, self.size_bytes)
        if start >= end:
            return b""
        first, last = start // BLOCK_BYTES, (end - 1) // BLOCK_BYTES
        data = b"".join(self._block(number) for number in range(first, last + 1))
        return data[start - first * BLOCK_BYTES : end - first * BLOCK_BYTES]

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _block(self, number: int) -> bytes:
        block = self._blocks.pop(number, None)
        if block is None:
            block = b""
            if self._descriptor is not None:
                block = os.pread(self._descriptor, BLOCK_BYTES, number * BLOCK_BYTES)
            self.bytes_read += len(block)
            if len(self._blocks) >= MOST_BLOCKS_KEPT:
                del self._blocks[next(iter(self._blocks))]
        self._blocks[number] = block
        return block


def read_whole(path: Path, most_bytes: int) -> str | None:
    """All of a file as text; None if it is too long, OSError if it is no regular file. Called in a thread."""
    source = FileSource(path)
    try:
        if source.size_bytes > most_bytes:
            return None
        return source.read(0, source.size_bytes).decode("utf-8", "replace")
    finally:
        source.close()
