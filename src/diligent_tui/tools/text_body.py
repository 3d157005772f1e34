"""A text file in memory with all that a change must keep: encoding, byte order mark, line endings."""

import codecs
from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.text_files import SNIFFED_BYTES, binary_kind, encodings_to_try

Newline = Literal["\n", "\r\n"]
MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class TextBody:
    """The text of a file, without its mark, and how it becomes bytes again."""

    text: str
    codec: str = "utf-8"
    mark: bytes = b""

    @property
    def newline(self) -> Newline:
        """How most of its lines end; a file of one line says nothing and counts as Unix."""
        windows = self.text.count("\r\n")
        return "\r\n" if windows > self.text.count("\n") - windows else "\n"

    def encoded(self, text: str) -> bytes:
        """Another text in the same encoding, with the same mark; UnicodeEncodeError if it has no such letter."""
        return self.mark + text.encode(self.codec)


def decode_body(data: bytes, name: str) -> TextBody:
    """The text of a file's bytes; ToolError if they are none, or would not be the same after a round trip."""
    for mark, codec in MARKS:
        if data.startswith(mark):
            return _marked(data, mark, codec, name)
    if not encodings_to_try(data[:SNIFFED_BYTES]):
        raise ToolError(f"{name} is binary ({binary_kind(data[:SNIFFED_BYTES], name)}): its text cannot be changed.")
    try:
        return TextBody(data.decode("utf-8"))
    except UnicodeDecodeError:
        return TextBody(data.decode("latin-1"), "latin-1")


def _marked(data: bytes, mark: bytes, codec: str, name: str) -> TextBody:
    try:
        return TextBody(data[len(mark) :].decode(codec), codec, mark)
    except UnicodeDecodeError as error:
        raise ToolError(
            f"{name} is marked as {codec.upper()}, but byte {error.start:,} is not: mend that first."
        ) from None
