"""What a screen of ours may write to a terminal; everything else came in through content."""

import re
from collections.abc import Iterator

from diligent_tui.ui.background import QUESTION
from diligent_tui.ui.terminal import SAVE_CURSOR, reset_sequence

# A string goes on through anything but its end or a cancel: the strictest reading of what a terminal would swallow.
_IN_STRING = r"(?:[^\x18\x1a\x1b\x9c]|\x1b(?!\\))*"
_IN_OSC = r"(?:[^\x07\x18\x1a\x1b\x9c]|\x1b(?!\\))*"
# One alternative per kind. A sequence cut short at the end of the output is a lone ESC.
SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    rf"|\x1b\]{_IN_OSC}(?:[\x07\x18\x1a\x9c]|\x1b\\)"
    rf"|\x1b[PX^_]{_IN_STRING}(?:[\x18\x1a\x9c]|\x1b\\)"
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[0-OQ-WYZ\\`-~]"
    r"|[\x00-\x1f\x7f-\x9f]"
)
# The head of a sequence whose rest is still to come.
UNFINISHED = re.compile(rf"\x1b(?:\[[0-?]*[ -/]*|\]{_IN_OSC}|[PX^_]{_IN_STRING}|[ -/]*)\Z")
# What a signal may leave of the kinds of sequence that we write, and of a character.
CUT_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*|\](?:2(?:;[^\x00-\x1f\x7f-\x9f]*|2(?:;[a-z-]*)?)?|8(?:;[ -~]*)?(?:(?<=.)\x1b)?)?)?\Z"
)
CUT_CHARACTER = re.compile("[\ud800-\udfff]{1,3}\\Z")
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
    # The window's title: put aside, set with our name in it, and brought back.
    r"|\x1b\[2[23];2t"
    r"|\x1b\]2;[^\x00-\x1f\x7f-\x9f]* · diligent\x07"
    # A link of our own Markdown: to a plain web or mail address, and its end.
    r"|\x1b\]8;id=[0-9-]+;(?:https?://|mailto:)[!-~]+\x1b\\|\x1b\]8;;\x1b\\"
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
    text = output.decode("utf-8", "surrogateescape")
    # Allowed at their one place only, not anywhere: our question, what our guard says first and, on a signal, last.
    before, reset, after = text.removeprefix(QUESTION.decode()).removeprefix(SAVE_CURSOR).partition(reset_sequence())
    if reset:
        # A signal may cut a frame of ours anywhere; the reset begins by cancelling what was cut.
        before = CUT_CHARACTER.sub("", CUT_SEQUENCE.sub("", before))
    text = before + after
    for is_sequence, piece in split(text):
        if not is_sequence:
            found += _DECEPTIVE.findall(piece) + _BROKEN_UTF8.findall(piece)
        elif not _ALLOWED.fullmatch(piece):
            found.append(piece)
    return [piece.encode("utf-8", "surrogateescape") for piece in found]
