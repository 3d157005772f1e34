"""The beginning and the end of a text of any length, in little memory and never cut inside a character."""

import codecs
from dataclasses import dataclass

REPLACEMENT = "\ufffd"
LONGEST_UTF8_BYTES = 4


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a text: all of it in `head`, or both ends of it and the count of what lay between."""

    head: str
    tail: str
    left_out_bytes: int

    @property
    def shown_bytes(self) -> int:
        """The size of both ends."""
        return len(self.head.encode()) + len(self.tail.encode())


class HeadTail:
    """Collects UTF-8 of any length and keeps at most `limit_bytes` of it: the first half and the last."""

    def __init__(self, limit_bytes: int) -> None:
        """Start with nothing collected."""
        self._head_limit = limit_bytes - limit_bytes // 2
        self._tail_limit = limit_bytes // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.total_bytes = 0

    @property
    def is_cut(self) -> bool:
        """True once more came than is kept."""
        return self.total_bytes > self._head_limit + self._tail_limit

    def feed(self, data: bytes) -> None:
        """Take the next piece, which may begin or end inside a character."""
        self.total_bytes += len(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if len(data) > self._tail_limit:
            self._tail = bytearray(data[len(data) - self._tail_limit :])
            return
        self._tail += data
        # Trimming at twice the size moves each byte once on average.
        if len(self._tail) > 2 * self._tail_limit:
            del self._tail[: len(self._tail) - self._tail_limit]

    def kept(self) -> Kept:
        """Both ends as text; a character that the cut would split is left out whole."""
        if not self.is_cut:
            return Kept(clean_text(bytes(self._head + self._tail)), "", 0)
        head = _without_split_end(bytes(self._head))
        tail = _without_split_start(bytes(self._tail[max(0, len(self._tail) - self._tail_limit) :]))
        return Kept(clean_text(head), clean_text(tail), self.total_bytes - len(head) - len(tail))


class TextStream:
    """Turns bytes of any kind into text piece by piece: what is not UTF-8, and NUL, becomes a visible sign."""

    def __init__(self) -> None:
        """Start between two characters."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> str:
        """The text that is complete with this piece."""
        return self._decoder.decode(data).replace("\0", REPLACEMENT)

    def close(self) -> str:
        """The sign for a character that never came to its end, or nothing."""
        return self._decoder.decode(b"", final=True)


def clean_text(data: bytes) -> str:
    """Bytes as text that can be stored and sent: no NUL, nothing invalid."""
    return data.decode("utf-8", "replace").replace("\0", REPLACEMENT)


def _without_split_end(data: bytes) -> bytes:
    for back in range(1, min(LONGEST_UTF8_BYTES, len(data)) + 1):
        byte = data[-back]
        if byte & 0b1100_0000 != 0b1000_0000:
            return data[:-back] if back < _utf8_length(byte) else data
    return data


def _without_split_start(data: bytes) -> bytes:
    for start in range(min(LONGEST_UTF8_BYTES, len(data))):
        if data[start] & 0b1100_0000 != 0b1000_0000:
            return data[start:]
    return data if len(data) >= LONGEST_UTF8_BYTES else b""


def _utf8_length(first: int) -> int:
    if first >= 0b1111_0000:
        return 4
    if first >= 0b1110_0000:
        return 3
    return 2 if first >= 0b1100_0000 else 1
