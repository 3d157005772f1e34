"""What a screen of ours may write to a terminal; everything else came in through content."""

import re
from collections.abc import Iterator

# One alternative per kind, most specific first. A sequence cut short falls through to a lone ESC.
SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)"
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[0-OQ-WYZ\\`-~]"
    r"|[\x00-\x1f\x7f-\x9f]"
)
# The head of a sequence whose rest is still to come.
UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]*\x1b?|[ -/]*)\Z")
# They reorder or hide what is read. Joiners and variation selectors are not among them: emoji need those.
_DECEPTIVE = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
_BROKEN_UTF8 = re.compile("[\ud800-\udfff]+")

_ALLOWED = re.compile(
    r"[\r\n]"
    r"|\x1b\[[0-9;]*m"
    r"|\x1b\[(?:\d+;\d+)?H"
    r"|\x1b\[\d*[ABCDGK]"
    r"|\x1b\[0?J"
    # Modes that are switched on at the start and off at the end.
    r"|\x1b\[\?(?:7|25|100[0-6]|1015|1016|1049|2004|2026|2048)[hl]"
    # Is this mode known to you? Asked once at the start; the answer is not text.
    r"|\x1b\[\?(?:2026|2048)\$p"
    r"|\x1b\[>\d+u|\x1b\[<u"
    # Shape of the mouse pointer over a link.
    r"|\x1b\]22;[a-z-]+\x07"
    # Ours: the cursor saved before the alternate screen, a cut string closed before the reset.
    r"|\x1b7|\x1b\\"
)


def split(text: str) -> Iterator[tuple[bool, str]]:
    """Cut output into runs of text (False) and single sequences (True)."""
    start = 0
    for found in SEQUENCE.finditer(text):
        if found.start() > start:
            yield False, text[start : found.start()]
        yield True, found[0]
        start = found.end()
    if start < len(text):
        yield False, text[start:]


def foreign_sequences(output: bytes) -> list[bytes]:
    """Every control sequence in the output that a run with clean text does not write, in order."""
    found: list[str] = []
    for is_sequence, piece in split(output.decode("utf-8", "surrogateescape")):
        if not is_sequence:
            found += _DECEPTIVE.findall(piece) + _BROKEN_UTF8.findall(piece)
        elif not _ALLOWED.fullmatch(piece):
            found.append(piece)
    return [piece.encode("utf-8", "surrogateescape") for piece in found]
