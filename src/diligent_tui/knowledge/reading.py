"""Reads a knowledge file again and again: what others appended or edited by hand is picked up, known lines are kept."""

import os
from collections.abc import Iterable
from pathlib import Path

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgeLine, KnowledgeScope, decode_knowledge
from diligent_tui.knowledge.state import KnowledgeState, fold
from diligent_tui.storage.jsonl import parse_line
from diligent_tui.storage.private import storage_error

LARGEST_FILE_BYTES = 64_000_000
"""Some hundred thousand entries; a larger file is no knowledge."""

Signature = tuple[int, int, int, int]


def signature_of(status: os.stat_result) -> Signature:
    """What of a file changes when somebody writes it."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class KnowledgeReader:
    """The last reading of one file. Whole lines are decoded once as long as the file only grows."""

    def __init__(self, path: Path, scope: KnowledgeScope) -> None:
        """Name the file; it is not read yet."""
        self._path = path
        self._scope: KnowledgeScope = scope
        self.state = KnowledgeState()
        self.signature: Signature | None = None
        self._forget()

    def read(self, descriptor: int) -> KnowledgeState:
        """The state of the open file as it is now; the same object as before if nothing changed."""
        try:
            signature = signature_of(os.fstat(descriptor))
            data = self._bytes_of(descriptor, signature[2])
        except OSError as error:
            raise storage_error(error, self._path, "reading") from error
        self.signature = signature
        if data == self._data:
            return self.state
        end = data.rfind(b"\n") + 1
        if not data.startswith(self._data[: self._end]):
            self._forget()
        lines, damaged = self._decode(data[self._end : end].split(b"\n"))
        self._lines += lines
        self._damaged += damaged
        self._data, self._end = data, end
        # The last line may still grow, so it is looked at anew each time.
        tail, damaged = self._decode([data[end:]])
        self.state = fold([*self._lines, *tail], self._damaged + damaged)
        return self.state

    def clear(self) -> KnowledgeState:
        """The state of a file that is not there."""
        if self._data:
            self._forget()
            self.state = KnowledgeState()
        self.signature = None
        return self.state

    def _forget(self) -> None:
        self._data = b""
        self._end = 0
        self._lines: list[KnowledgeLine] = []
        self._damaged = 0

    def _bytes_of(self, descriptor: int, size_bytes: int) -> bytes:
        parts: list[bytes] = []
        position = 0
        while position <= LARGEST_FILE_BYTES:
            if not (chunk := os.pread(descriptor, max(65_536, size_bytes - position + 1), position)):
                return b"".join(parts)
            parts.append(chunk)
            position += len(chunk)
        raise StorageError(
            f"{self._path.name} is larger than {LARGEST_FILE_BYTES // 1_000_000} MB; it is not read.",
            "Move it aside, or take old lines out of it.",
        )

    def _decode(self, lines: Iterable[bytes]) -> tuple[list[KnowledgeLine], int]:
        decoded: list[KnowledgeLine] = []
        damaged = 0
        for line in lines:
            if not line or line.isspace():
                continue
            value = parse_line(line)
            found = decode_knowledge(value) if value is not None else None
            if found is None:
                damaged += 1
            elif isinstance(found, KnowledgeEntry) and found.scope != self._scope:
                # The file an entry stands in tells how far it reaches, not the entry.
                decoded.append(found.model_copy(update={"scope": self._scope}))
            else:
                decoded.append(found)
        return decoded, damaged
