"""What kind of file some bytes begin: text in which encoding, or a binary of which sort."""

import codecs
import mimetypes
from typing import Literal

SNIFFED_BYTES = 8_192
Encoding = Literal["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"]

# The longer mark first: UTF-32's begins like UTF-16's.
BYTE_ORDER_MARKS: tuple[tuple[bytes, Encoding], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive (or a document or package made of one)"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\x7fELF", "ELF program or library"),
    (b"\xcf\xfa\xed\xfe", "Mach-O program or library"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O program"),
    (b"\x00asm", "WebAssembly module"),
    (b"SQLite format 3\x00", "SQLite database"),
)


def encodings_to_try(start: bytes) -> tuple[Encoding, ...]:
    """The encodings in which a file that begins so may be read, best first; none if it is binary."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return (encoding,)
    if b"\0" in start or any(start.startswith(signature) for signature, _ in SIGNATURES):
        return ()
    return ("utf-8", "latin-1")


def binary_kind(start: bytes, name: str) -> str:
    """What a binary file seems to be: by its first bytes, else by its name."""
    for signature, kind in SIGNATURES:
        if start.startswith(signature):
            return kind
    return mimetypes.guess_type(name)[0] or "unknown kind"
