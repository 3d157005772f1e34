"""Pictures that are all head: enough to tell their kind and size."""

import base64

from diligent_tui.domain.requests import Image


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(9)


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + bytes(3)


def jpeg(width: int, height: int, note_bytes: int = 16, marker: int = 0xC0) -> bytes:
    note = b"\xff\xe1" + note_bytes.to_bytes(2, "big") + bytes(note_bytes - 2)
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return b"\xff\xd8" + note + b"\xff" + bytes([0xFF, marker]) + b"\x00\x11\x08" + size + bytes(12)


def webp_lossy(width: int, height: int) -> bytes:
    size = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    return b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a" + size


def webp_lossless(width: int, height: int) -> bytes:
    bits = ((width - 1) | (height - 1) << 14).to_bytes(4, "little")
    return b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + bits + bytes(5)


def webp_wide(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x00\x00\x00\x00WEBPVP8X\x00\x00\x00\x00\x00\x00\x00\x00" + size


def image_of(data: bytes, media_type: str = "image/png", *, weight_bytes: int = 0) -> Image:
    """The picture as a request holds it, made as heavy as asked by what comes after its head."""
    padded = data + bytes(max(0, weight_bytes * 3 // 4 - len(data)))
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(padded).decode()}
    return Image({**source})
