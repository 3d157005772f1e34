"""The tool `read`: a text file or some lines of it, or a picture."""

import asyncio
import codecs
import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_count, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.near_names import missing
from diligent_tui.tools.numbered_lines import LineRange, numbered
from diligent_tui.tools.paths import Located, kind_of, locate, open_located
from diligent_tui.tools.permissions import judge_reading
from diligent_tui.tools.pictures import (
    LARGEST_PICTURE_BYTES,
    LONGEST_SIDE_PIXELS,
    image_block,
    is_picture,
    picture_of,
)
from diligent_tui.tools.seen_files import SeenFiles, new_digest
from diligent_tui.tools.specs import read_file_spec
from diligent_tui.tools.text_files import SNIFFED_BYTES, Encoding, binary_kind, encodings_to_try

CHUNK_BYTES = 262_144
NOTES: dict[Encoding, str] = {
    "utf-16": "[the file is UTF-16]",
    "utf-32": "[the file is UTF-32]",
    "latin-1": "[the file is not valid UTF-8; read as latin-1]",
}


@dataclass(frozen=True, slots=True)
class LineWish:
    """Which lines are wanted: from `offset` on, counted from 1."""

    offset: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Shows a file's lines with their numbers, and remembers in what state the model saw it."""

    seen: SeenFiles = field(default_factory=SeenFiles)
    spec: ToolSpec = field(default_factory=read_file_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """The file as it was given."""
        return str(arguments.get("path") or "")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in the workspace."""
        return judge_reading(_file(arguments, workplace), mode)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Read in a thread, which stops at the next chunk if the call is cancelled."""
        located = _file(arguments, call.workplace)
        offset = optional_count(arguments, "offset") or 1
        limit = optional_count(arguments, "limit")
        cancelled = threading.Event()
        try:
            return await asyncio.to_thread(self._read, located, LineWish(offset, limit), call, cancelled)
        finally:
            cancelled.set()

    def _read(self, located: Located, wish: LineWish, call: Call, cancelled: threading.Event) -> Outcome:
        if not os.path.lexists(located.real):
            raise ToolError(missing(located, approved=call.approved))
        descriptor = open_located(located, call.workplace, approved=call.approved)
        try:
            status = os.fstat(descriptor)
            if kind := kind_of(status.st_mode):
                raise ToolError(f"{located.shown} is {kind}, not a file{': use `ls`' if kind == 'a folder' else ''}.")
            start = os.pread(descriptor, SNIFFED_BYTES, 0)
            if is_picture(start):
                return _picture(located, descriptor, status.st_size)
            for encoding in encodings_to_try(start):
                lines = LineRange(wish.offset, wish.limit, call.workplace.output_limit_bytes)
                digest = new_digest()
                try:
                    for text in _texts(descriptor, encoding, digest, cancelled):
                        lines.feed(text)
                except UnicodeDecodeError:
                    continue
                if not cancelled.is_set():
                    self.seen.remember(located.real, digest.digest())
                return Outcome(numbered(lines, located.shown, NOTES.get(encoding, "")))
        finally:
            os.close(descriptor)
        return Outcome(_binary(located, status.st_size, start))


def _file(arguments: JsonObject, workplace: Workplace) -> Located:
    known_only(arguments, ("path", "offset", "limit"))
    return locate(required_text(arguments, "path", "give the file to read"), workplace)


def _picture(located: Located, descriptor: int, size_bytes: int) -> Outcome:
    data = os.pread(descriptor, LARGEST_PICTURE_BYTES + 1, 0)
    picture = picture_of(data)
    if picture is None:
        return Outcome(_binary(located, size_bytes, data[:SNIFFED_BYTES]))
    said = f"{located.shown}: {picture.kind} image, {picture.width:,} × {picture.height:,} pixels, {size_bytes:,} bytes"
    if len(data) > LARGEST_PICTURE_BYTES:
        return Outcome(f"[{said}; not shown, for models take at most {LARGEST_PICTURE_BYTES:,} bytes: make it smaller]")
    if picture.is_too_large:
        return Outcome(f"[{said}; not shown, for models take at most {LONGEST_SIDE_PIXELS:,} pixels a side]")
    return Outcome(f"[{said}]", images=(image_block(picture, data),))


def _binary(located: Located, size_bytes: int, start: bytes) -> str:
    kind = binary_kind(start, located.real.name)
    return f"[{located.shown} is binary: {size_bytes:,} bytes, {kind}; not shown]"


def _texts(descriptor: int, encoding: Encoding, digest: hashlib.blake2b, cancelled: threading.Event) -> Iterator[str]:
    # UTF-8 is held to its word, so that latin-1 gets its turn; a file with a mark is what the mark says.
    errors = "strict" if encoding == "utf-8" else "replace"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    os.lseek(descriptor, 0, os.SEEK_SET)
    while not cancelled.is_set() and (chunk := os.read(descriptor, CHUNK_BYTES)):
        digest.update(chunk)
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
