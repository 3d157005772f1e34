"""Reading JSON lines that may be torn, damaged, glued or hostile: each line stands or falls alone."""

import errno
import json
import math
import os
import stat
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.storage.private import storage_error

LONGEST_LINE_BYTES = 64 * 1024 * 1024
"""A line beyond this is set aside: nothing of ours writes such lines, long outputs go to files of their own."""
READ_BYTES = 1024 * 1024
TAIL_READ_BYTES = 64 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
RECORD_START = '{"type":'
MOST_FAILED_SALVAGES = 32
"""Broken beginnings of records that are tried on one line: a tear leaves a few, only malice leaves many."""


class Line(NamedTuple):
    """A line's place in its file, or a record's in its line, and its bytes, without the newline."""

    offset: int
    data: bytes


def encode_line(value: JsonObject) -> bytes:
    """One line: ASCII only, so that no reader can split it elsewhere than at its newline."""
    try:
        line = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    except (ValueError, TypeError, RecursionError) as error:
        raise StorageError(f"This cannot be written as JSON: {error}.", "Say it in another way.") from error
    if len(line) > LONGEST_LINE_BYTES + 1:
        raise StorageError(
            f"This is too long for one entry ({len(line) // 1_000_000} MB).", "Put it in a file and name the file."
        )
    return line


def open_reading(path: Path) -> int:
    """A descriptor for reading a plain file; never through a link at the end of the path."""
    try:
        # Opening a pipe would wait for its other end.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise storage_error(error, path, "reading") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise storage_error(OSError(errno.EINVAL, "not a file"), path, "reading")
    return descriptor


def read_lines(descriptor: int) -> Iterator[Line]:
    """Every line from the beginning, the unfinished last one included; blank ones are passed over.

    Of a line beyond LONGEST_LINE_BYTES only the beginning is handed out, one byte over the limit.
    """
    most = LONGEST_LINE_BYTES + 1
    offset = 0
    position = 0
    parts: list[bytes] = []
    held = 0
    while chunk := os.pread(descriptor, READ_BYTES, position):
        position += len(chunk)
        first, *others = chunk.split(b"\n")
        if held < most:
            parts.append(first)
            held += len(first)
        if not others:
            continue
        data = b"".join(parts)[:most]
        if data and not data.isspace():
            yield Line(offset, data)
        *whole, last = others
        offset = position - len(chunk) + len(first) + 1
        for data in whole:
            if data and not data[:most].isspace():
                yield Line(offset, data[:most])
            offset += len(data) + 1
        parts, held = [last], len(last)
    data = b"".join(parts)[:most]
    if data and not data.isspace():
        yield Line(offset, data)


def read_lines_backwards(descriptor: int) -> Iterator[Line]:
    """The same lines from the end; costs what is taken, not what is there."""
    most = LONGEST_LINE_BYTES + 1
    end = os.fstat(descriptor).st_size
    parts: deque[bytes] = deque()
    held = 0
    while end > 0:
        size = min(TAIL_READ_BYTES, end)
        end -= size
        first, *others = os.pread(descriptor, size, end).split(b"\n")
        if others:
            *whole, last = others
            parts.appendleft(last)
            offset = end + size - len(last)
            data = b"".join(parts)[:most]
            if data and not data.isspace():
                yield Line(offset, data)
            for data in reversed(whole):
                offset -= len(data) + 1
                if data and not data[:most].isspace():
                    yield Line(offset, data[:most])
            parts.clear()
            held = 0
        parts.appendleft(first)
        held += len(first)
        while held - len(parts[-1]) >= most:
            held -= len(parts.pop())
    data = b"".join(parts)[:most]
    if data and not data.isspace():
        yield Line(0, data)


def parse_line(data: bytes) -> JsonObject | None:
    """The object on a line, or None if the line is damaged."""
    if len(data) > LONGEST_LINE_BYTES:
        return None
    try:
        text = data.removeprefix(BYTE_ORDER_MARK).decode()
        value, end = _DECODER.raw_decode(text) if text.startswith("{") else (None, 0)
        if end != len(text):
            # Blanks around, which are rare, or more than one value.
            value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) else None


def salvage(data: bytes) -> list[Line]:
    """The whole records on a damaged line: a torn line glues the next one to it, a crash may leave noise beside one."""
    found: list[Line] = []
    if RECORD_START.encode() not in data:
        return found
    text = data.decode("utf-8", "surrogateescape")
    failed = position = offset = 0
    start = text.find(RECORD_START)
    while start >= 0 and failed < MOST_FAILED_SALVAGES:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            failed += 1
            end = start + 1
        else:
            offset += len(_bytes_of(text[position:start]))
            position = start
            record = _bytes_of(text[start:end])
            if is_object(value) and _is_record(value) and parse_line(record) is not None:
                found.append(Line(offset, record))
        start = text.find(RECORD_START, end)
    return found


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_record(value: JsonObject) -> bool:
    """True for an entry or a header; blocks of a message begin like them."""
    kind = value["type"]
    return isinstance(kind, str) and (kind == "session" or ("id" in value and "parentId" in value))


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond all numbers")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
