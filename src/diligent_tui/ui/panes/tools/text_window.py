"""Lines of a text of any size by their place in it: to find one reads no more than a few kilobytes around it.

A line longer than a piece is cut at multiples of the piece's size. Whether a place begins a line or a piece can be told
from the bytes right before it, so that one comes to the same places from above, from below and by a jump.
"""

from diligent_tui.ui.panes.tools.byte_source import ByteSource

PIECE_BYTES = 4_096
NEWLINE = b"\n"
LONGEST_TAIL_BYTES = 3
"""Of a UTF-8 character, behind its first."""


class TextWindow:
    """Walks from line to line."""

    def __init__(self, source: ByteSource) -> None:
        """Walk in these bytes."""
        self._source = source

    @property
    def size_bytes(self) -> int:
        """How long the text is."""
        return self._source.size_bytes

    def start_before(self, place: int) -> int | None:
        """Where the line begins that stands before a place; None at the beginning."""
        if place <= 0:
            return None
        multiple = (place - 1) // PIECE_BYTES * PIECE_BYTES
        base = max(0, multiple - PIECE_BYTES)
        newline = self._source.read(base, place - 1).rfind(NEWLINE)
        if newline >= 0:
            return base + newline + 1
        return multiple

    def start_after(self, start: int) -> int | None:
        """Where the line behind the one at `start` begins; None at the end."""
        end = ((start + PIECE_BYTES - 1) // PIECE_BYTES + 1) * PIECE_BYTES
        newline = self._source.read(start, end).find(NEWLINE)
        after = start + newline + 1 if newline >= 0 else end
        return after if after < self.size_bytes else None

    def text(self, start: int) -> str:
        """The line at a place, without its newline."""
        after = self.start_after(start)
        end = self.size_bytes if after is None else after
        data = self._source.read(start - 1, end + LONGEST_TAIL_BYTES)
        begins_inside = start > 0 and data[:1] != NEWLINE
        data = data[1 if start else 0 :]
        line, rest = data[: end - start], data[end - start :]
        if begins_inside:
            line = line[_tail_length(line) :]
        if not line.endswith(NEWLINE):
            line += rest[: _tail_length(rest)]
        return line.removesuffix(NEWLINE).removesuffix(b"\r").decode("utf-8", "replace")


def _tail_length(data: bytes) -> int:
    """How many bytes at the beginning belong to a character that began before."""
    return next(
        (number for number, byte in enumerate(data[:LONGEST_TAIL_BYTES]) if byte & 0xC0 != 0x80),
        min(len(data), LONGEST_TAIL_BYTES),
    )
