"""The tool `read`: a text file, or some lines of it."""

import asyncio
import codecs
import difflib
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
from diligent_tui.tools.descriptions import description
from diligent_tui.tools.numbered_lines import LineRange, numbered
from diligent_tui.tools.paths import Located, kind_of, locate, open_located, shown_name
from diligent_tui.tools.permissions import judge_reading
from diligent_tui.tools.text_files import SNIFFED_BYTES, Encoding, binary_kind, encodings_to_try

CHUNK_BYTES = 262_144
MOST_NEAR_NAMES = 5
MOST_NAMES_COMPARED = 5_000
NOTES: dict[Encoding, str] = {
    "utf-16": "[the file is UTF-16]",
    "utf-32": "[the file is UTF-32]",
    "latin-1": "[the file is not valid UTF-8; read as latin-1]",
}


def _spec() -> ToolSpec:
    return ToolSpec(
        name="read",
        description=description("read_file"),
        input_schema={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the working folder or absolute."},
                "offset": {"type": "integer", "minimum": 1, "description": "The first line to read, from 1."},
                "limit": {"type": "integer", "minimum": 1, "description": "How many lines to read."},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    )


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Shows a file's lines with their numbers."""

    spec: ToolSpec = field(default_factory=_spec)
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
            return Outcome(await asyncio.to_thread(_read, located, offset, limit, call, cancelled))
        finally:
            cancelled.set()


def _file(arguments: JsonObject, workplace: Workplace) -> Located:
    known_only(arguments, ("path", "offset", "limit"))
    return locate(required_text(arguments, "path", "give the file to read"), workplace)


def _read(located: Located, offset: int, limit: int | None, call: Call, cancelled: threading.Event) -> str:
    if not os.path.lexists(located.real):
        raise ToolError(_missing(located, call))
    descriptor = open_located(located, call.workplace, approved=call.approved)
    try:
        status = os.fstat(descriptor)
        kind = kind_of(status.st_mode)
        if kind:
            raise ToolError(f"{located.shown} is {kind}, not a file{': use `ls`' if kind == 'a folder' else ''}.")
        start = os.pread(descriptor, SNIFFED_BYTES, 0)
        for encoding in encodings_to_try(start):
            lines = LineRange(offset, limit, call.workplace.output_limit_bytes)
            try:
                for text in _texts(descriptor, encoding, cancelled):
                    lines.feed(text)
            except UnicodeDecodeError:
                continue
            return numbered(lines, located.shown, NOTES.get(encoding, ""))
    finally:
        os.close(descriptor)
    size = f"{status.st_size:,} bytes"
    return f"[{located.shown} is binary: {size}, {binary_kind(start, located.real.name)}; not shown]"


def _texts(descriptor: int, encoding: Encoding, cancelled: threading.Event) -> Iterator[str]:
    # UTF-8 is held to its word, so that latin-1 gets its turn; a file with a mark is what the mark says.
    errors = "strict" if encoding == "utf-8" else "replace"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    os.lseek(descriptor, 0, os.SEEK_SET)
    while not cancelled.is_set() and (chunk := os.read(descriptor, CHUNK_BYTES)):
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _missing(located: Located, call: Call) -> str:
    said = f"{located.shown} does not exist."
    folder = located.real.parent
    # Names from a folder that may not be listed would tell what a question was never asked about.
    if not call.approved and not located.is_open_to_all:
        return said
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST_NAMES_COMPARED), strict=False)]
    except OSError:
        return f"{said} Nor is there a folder {shown_name(folder.name)}."
    folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(located.real.name.casefold(), folded, n=MOST_NEAR_NAMES, cutoff=0.6)
    return f"{said} Near it: {', '.join(shown_name(folded[name]) for name in near)}." if near else said
