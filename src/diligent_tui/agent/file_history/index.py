"""The index file of a history: lines appended one after another, numbered, synced, and read back whatever happened."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from diligent_tui.agent.file_history.records import Line, decode
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.records import to_json_object
from diligent_tui.storage.appender import sync_data
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line, read_lines
from diligent_tui.storage.private import is_torn, make_private_folder, storage_error, write_all
from diligent_tui.storage.turnstile import taking_turn

Compose = Callable[[int], Line]


class Index:
    """Reads the file once and again only when somebody else wrote to it; callers take turns."""

    def __init__(self, path: Path) -> None:
        """Name the file; it is made with its first line."""
        self._path = path
        self._lines: list[Line] = []
        self._damaged = 0
        self._known: tuple[int, int] | None = None

    @property
    def damaged_lines(self) -> int:
        """Lines that could not be read; they stay in the file."""
        return self._damaged

    def lines(self) -> Sequence[Line]:
        """All lines that can be read, in their order."""
        try:
            descriptor = open_reading(self._path)
        except StorageError:
            if os.path.lexists(self._path):
                raise
            self._lines, self._damaged, self._known = [], 0, None
            return self._lines
        try:
            self._refresh(descriptor)
        finally:
            os.close(descriptor)
        return self._lines

    def append(self, *composers: Compose) -> list[Line]:
        """Write lines, each made from its number; they count once they are on disk."""
        make_private_folder(self._path.parent)
        with taking_turn(self._path) as descriptor:
            self._refresh(descriptor)
            number = self._lines[-1].number + 1 if self._lines else 1
            fresh = [compose(number + place) for place, compose in enumerate(composers)]
            data = b"".join(encode_line(to_json_object(line)) for line in fresh)
            self._known = None
            try:
                write_all(descriptor, b"\n" * is_torn(descriptor) + data)
                sync_data(descriptor)
                status = os.fstat(descriptor)
            except OSError as error:
                raise storage_error(error, self._path, "writing") from error
            self._lines += fresh
            self._known = (status.st_ino, status.st_size)
        return fresh

    def _refresh(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        if self._known == (status.st_ino, status.st_size):
            return
        self._lines, self._damaged = [], 0
        for line in read_lines(descriptor):
            value = parse_line(line.data)
            record = decode(value) if value is not None else None
            if record is None:
                self._damaged += 1
            else:
                self._lines.append(record)
        self._known = (status.st_ino, status.st_size)
