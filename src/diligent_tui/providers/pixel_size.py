"""Reads kind and size of a picture from the first bytes of its file; whatever the bytes, it answers or says None."""

from dataclasses import dataclass

_JPEG_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Start-of-frame markers; the three left out mean tables."""
_JPEG_LONE_MARKERS = frozenset({0x01, *range(0xD0, 0xDA)})


@dataclass(frozen=True, slots=True)
class PixelSize:
    """A picture's kind and its size in pixels."""

    media_type: str
    width: int
    height: int

    @property
    def longest(self) -> int:
        """The longer of its sides."""
        return max(self.width, self.height)


def read_pixel_size(data: bytes) -> PixelSize | None:
    """Kind and size of a PNG, JPEG, GIF or WebP; None if these bytes do not tell."""
    found = None
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        found = _png(data)
    elif data.startswith(b"\xff\xd8"):
        found = _jpeg(data)
    elif data.startswith((b"GIF87a", b"GIF89a")):
        found = _gif(data)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        found = _webp(data)
    return found if found and found.width and found.height else None


def _png(data: bytes) -> PixelSize | None:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return PixelSize("image/png", int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _gif(data: bytes) -> PixelSize | None:
    if len(data) < 10:
        return None
    return PixelSize("image/gif", int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little"))


def _webp(data: bytes) -> PixelSize | None:
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            width = int.from_bytes(data[26:28], "little") & 0x3FFF
            height = int.from_bytes(data[28:30], "little") & 0x3FFF
        case b"VP8L" if data[20] == 0x2F:
            bits = int.from_bytes(data[21:25], "little")
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width = int.from_bytes(data[24:27], "little") + 1
            height = int.from_bytes(data[27:30], "little") + 1
        case _:
            return None
    return PixelSize("image/webp", width, height)


def _jpeg(data: bytes) -> PixelSize | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_LONE_MARKERS:
            at += 2
        elif marker in _JPEG_SIZE_MARKERS:
            height, width = int.from_bytes(data[at + 5 : at + 7], "big"), int.from_bytes(data[at + 7 : at + 9], "big")
            return PixelSize("image/jpeg", width, height)
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return None
