"""Reading JSON lines that may be torn, damaged, glued or hostile: each line stands or falls alone."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from diligent_tui.domain.records import JsonObject
from diligent_tui.storage.private import storage_error

LONGEST_LINE_BYTES = 64 * 1024 * 1024
"""A line beyond this is set aside: nothing of ours writes such lines, long outputs go to files of their own."""
READ_BYTES = 1024 * 1024
TAIL_READ_BYTES = 64 * 1024
MOST_GLUED_RECORDS = 8


@dataclass(frozen=True, slots=True)
class Line:
    """A line's place in its file and its bytes, without the newline."""

    offset: int
    data: bytes


def encode_line(value: JsonObject) -> bytes:
    """One line: ASCII only, so that no reader can split it elsewhere than at its newline."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def open_reading(path: Path) -> int:
    """A descriptor for reading; never through a link at the end of the path."""
    try:
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise storage_error(error, path, "reading") from error


def read_lines(descriptor: int) -> Iterator[Line]:
    """Every line from the beginning, the unfinished last one included; blank ones are passed over.

    Of a line beyond LONGEST_LINE_BYTES only the beginning is handed out, one byte over the limit.
    """
    offset = 0
    position = 0
    parts: list[bytes] = []
    held = 0
    while chunk := os.pread(descriptor, READ_BYTES, position):
        position += len(chunk)
        first, *others = chunk.split(b"\n")
        if held <= LONGEST_LINE_BYTES:
            parts.append(first)
            held += len(first)
        if not others:
            continue
        data = b"".join(parts)[: LONGEST_LINE_BYTES + 1]
        if data and not data.isspace():
            yield Line(offset, data)
        *whole, last = others
        offset = position - len(chunk) + len(first) + 1
        for data in whole:
            if data and not data.isspace():
                yield Line(offset, data)
            offset += len(data) + 1
        parts, held = [last], len(last)
    data = b"".join(parts)[: LONGEST_LINE_BYTES + 1]
    if data and not data.isspace():
        yield Line(offset, data)


def read_lines_backwards(descriptor: int) -> Iterator[Line]:
    """Every line from the end, the unfinished last one included; costs what is taken, not what is there."""
    end = os.fstat(descriptor).st_size
    rest = b""
    while end > 0:
        size = min(TAIL_READ_BYTES, end)
        chunk = os.pread(descriptor, size, end - size)
        end -= size
        if b"\n" not in chunk and end > 0:
            rest = chunk + rest
            continue
        first, *whole = (chunk + rest).split(b"\n")
        offset = end + len(first) + 1 + sum(len(data) + 1 for data in whole)
        for data in reversed(whole):
            offset -= len(data) + 1
            if data and not data.isspace():
                yield Line(offset, data)
        rest = first
    if rest and not rest.isspace():
        yield Line(0, rest)


def parse_line(data: bytes) -> JsonObject | None:
    """The object on a line, or None if the line is damaged."""
    if len(data) > LONGEST_LINE_BYTES:
        return None
    try:
        value: object = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) else None


def salvage(data: bytes) -> tuple[JsonObject, int] | None:
    """The whole record at the end of a damaged line, and where it starts: a torn line glues the next one to it."""
    start = 0
    for _ in range(MOST_GLUED_RECORDS):
        start = data.find(b'{"type":', start + 1)
        if start < 0:
            return None
        value = parse_line(data[start:])
        if value is not None and "id" in value and "parentId" in value:
            return value, start
    return None


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def is_object(value: object) -> TypeGuard[JsonObject]:
    """True for what JSON calls an object; its keys are strings by the grammar."""
    return isinstance(value, dict)
