"""Pages of an original: of an entry's own text, or of the file that holds the whole of a long output."""

import codecs
import os
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.storage.private import storage_error

PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Page:
    """A run of characters from `offset` on, counted from 1, and how many the whole has."""

    text: str
    offset: int
    whole_chars: int

    @property
    def extent(self) -> str:
        """In words, and where the next page begins."""
        if len(self.text) == self.whole_chars:
            return f"{self.whole_chars:,} characters"
        last = self.offset - 1 + len(self.text)
        more = f"; go on with offset {last + 1}" if last < self.whole_chars else ""
        return f"characters {self.offset:,} to {last:,} of {self.whole_chars:,}{more}"


def page_of_text(text: str, offset: int, room_bytes: int) -> Page:
    """The page of a text that begins there."""
    return Page(_fitting(text[offset - 1 : offset - 1 + room_bytes], room_bytes), offset, len(text))


def page_of_file(path: Path, offset: int, room_bytes: int) -> Page | None:
    """The page of a file of any length, in little memory; None if the file is gone. Slow, so call it in a thread."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    taken: list[str] = []
    passed_chars = room = 0
    start = offset - 1
    try:
        while True:
            data = os.read(descriptor, PIECE_BYTES)
            piece = decoder.decode(data, final=not data)
            room = room_bytes - sum(map(len, taken))
            if room > 0 and passed_chars + len(piece) > start:
                begin = max(0, start - passed_chars)
                taken.append(piece[begin : begin + room])
            passed_chars += len(piece)
            if not data:
                break
    except OSError as error:
        raise ToolError(storage_error(error, path, "reading").message) from error
    finally:
        os.close(descriptor)
    return Page(_fitting("".join(taken), room_bytes), offset, passed_chars)


def _fitting(part: str, room_bytes: int) -> str:
    """As much of it as fits, and no half character."""
    encoded = part.encode("utf-8", "replace")
    return part if len(encoded) <= room_bytes else part[: len(encoded[:room_bytes].decode("utf-8", "ignore"))]
