"""A small searcher that answers as ripgrep does, as a program of its own: a pattern that never ends can be ended.

It is run by its path, isolated, and so imports nothing of diligent.
Arguments: flags (`i` for any case, `-` for none), most hits in a file (0 for all), the pattern, files.
"""

import codecs
import os
import re
import sys
from collections.abc import Iterator

BLOCK_BYTES = 4_194_304
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def main(arguments: list[str]) -> None:
    """Write a line for each hit."""
    flags, most, given, *paths = arguments
    pattern = re.compile(given, re.MULTILINE | (re.IGNORECASE if "i" in flags else 0))
    for path in paths:
        try:
            for hit in hits_in(pattern, path, int(most)):
                sys.stdout.buffer.write(b"%s\0%s\n" % (path.encode(), hit))
        except OSError:
            continue
    sys.stdout.buffer.flush()


def hits_in(pattern: re.Pattern[str], path: str, most: int) -> Iterator[bytes]:
    """The hits in one file as `line:column:text`; columns are counted in bytes, from 1."""
    line = 1
    hits = 0
    for block in blocks(path):
        at = 0
        while at < len(block) and (hit := pattern.search(block, at)):
            start = block.rfind("\n", 0, hit.start()) + 1
            # Behind the last line break there is no line, though an empty pattern fits there; and where the file ends
            # without one, ripgrep finds nothing empty.
            if hit.start() == len(block):
                break
            newline = block.find("\n", hit.end())
            end = len(block) if newline < 0 else newline
            line += block.count("\n", at, start)
            yield b"%d:%d:%s" % (line, len(encoded(block[start : hit.start()])) + 1, encoded(block[start:end]))
            hits += 1
            if hits == most:
                return
            line += 1
            at = end + 1
        line += block.count("\n", at)


def blocks(path: str) -> Iterator[str]:
    """The text in pieces of whole lines; what is not UTF-8 comes as surrogates."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, BLOCK_BYTES)
        for mark, codec in MARKS:
            if data.startswith(mark):
                yield (data[len(mark) :] + b"".join(chunks(descriptor))).decode(codec, "replace")
                return
        rest = b""
        while data:
            whole, newline, after = data.rpartition(b"\n")
            if newline:
                yield (rest + whole + newline).decode("utf-8", "surrogateescape")
                rest = after
            else:
                rest += data
            data = os.read(descriptor, BLOCK_BYTES)
        if rest:
            yield rest.decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)


def chunks(descriptor: int) -> Iterator[bytes]:
    """The rest of an open file."""
    while data := os.read(descriptor, BLOCK_BYTES):
        yield data


def encoded(text: str) -> bytes:
    """Text as it is in the file, or as UTF-8 if the file is in another encoding."""
    return text.encode("utf-8", "surrogateescape")


if __name__ == "__main__":
    main(sys.argv[1:])
