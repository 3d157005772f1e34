"""Which picture some bytes are, and whether a model can be shown it."""

import base64
import struct
from typing import NamedTuple

from diligent_tui.domain.messages import ImageBlock

LARGEST_PICTURE_BYTES = 3_750_000
"""As base64 that is 5 MB, the most that every maker takes."""
LONGEST_SIDE_PIXELS = 8_000
# A JPEG's frame header: baseline, progressive and their rarer kin; C4, C8 and CC are tables.
FRAME_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


class Picture(NamedTuple):
    """A picture's kind and size."""

    kind: str
    width: int
    height: int

    @property
    def media_type(self) -> str:
        """Its kind as a model is told."""
        return f"image/{self.kind.lower()}"

    @property
    def is_too_large(self) -> bool:
        """True if no model takes one with so many pixels."""
        return max(self.width, self.height) > LONGEST_SIDE_PIXELS


def is_picture(start: bytes) -> bool:
    """True if a file that begins so says that it is a picture which models can be shown."""
    return start.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")) or (
        start.startswith(b"RIFF") and start[8:12] == b"WEBP"
    )


def picture_of(data: bytes) -> Picture | None:
    """Kind and size of a PNG, JPEG, GIF or WebP; None for anything else, and for one whose head is damaged."""
    try:
        found = _measured(data)
    except (struct.error, IndexError):
        return None
    return found if found and found.width and found.height else None


def size_words(size_bytes: int) -> str:
    """How large a picture is: 340 KB, 1.2 MB."""
    return f"{size_bytes / 1_000_000:.1f} MB" if size_bytes >= 1_000_000 else f"{max(1, size_bytes // 1_000)} KB"


def image_block(picture: Picture, data: bytes) -> ImageBlock:
    """The picture as a message holds it."""
    encoded = base64.b64encode(data).decode("ascii")
    return ImageBlock(source={"type": "base64", "media_type": picture.media_type, "data": encoded})


def _measured(data: bytes) -> Picture | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
        return Picture("PNG", *struct.unpack_from(">II", data, 16))
    if data.startswith((b"GIF87a", b"GIF89a")):
        return Picture("GIF", *struct.unpack_from("<HH", data, 6))
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    return _jpeg(data) if data.startswith(b"\xff\xd8\xff") else None


def _webp(data: bytes) -> Picture | None:
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return Picture("WebP", width & 0x3FFF, height & 0x3FFF)
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return Picture("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            return Picture("WebP", _three_bytes(data, 24) + 1, _three_bytes(data, 27) + 1)
        case _:
            return None


def _three_bytes(data: bytes, at: int) -> int:
    low, high = struct.unpack_from("<HB", data, at)
    return low | high << 16


def _jpeg(data: bytes) -> Picture | None:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return Picture("JPEG", width, height)
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        else:
            (length,) = struct.unpack_from(">H", data, at + 2)
            at += 2 + length
    return None
