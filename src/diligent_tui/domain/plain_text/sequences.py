"""The grammar of terminal escape sequences: what is taken out whole, and what may still be unfinished.

A sequence is taken only when it is complete and well formed, and a string's payload never spans a line. Of all else
the introducer alone is neutralised later, so that an unterminated string cannot swallow the text behind it. C1
introducers often are wrongly decoded text, hence the stricter rules for them: parameters for CSI, ASCII for strings.
"""

import re
from functools import cache

PAYLOAD_LIMIT_CHARS = 4096
_OPEN_LIMIT_CHARS = PAYLOAD_LIMIT_CHARS + 4

_INTRODUCER = r"[\x1b\x90\x98\x9b\x9d-\x9f]"
_PAYLOAD = rf"[^\x00-\x1f\x7f-\x9f]{{0,{PAYLOAD_LIMIT_CHARS}}}+"
_ASCII_PAYLOAD = rf"[ -~]{{0,{PAYLOAD_LIMIT_CHARS}}}+"
_STRING_END = r"(?:\x1b\\|\x9c)"
_OSC_END = r"(?:\x07|\x1b\\|\x9c)"
_INTERMEDIATES = r"[ -/]{0,2}+"

# ESC and a letter that a word begins with is no sequence: "ESC Done" must not become "one".
_AFTER_ESC = "|".join(
    (
        rf"\[[0-?]{{0,64}}+{_INTERMEDIATES}[@-~]",
        rf"\]{_PAYLOAD}{_OSC_END}",
        rf"[PX^_]{_PAYLOAD}{_STRING_END}",
        r"[()*+][0-2AB]|%[@G8]|#[3-68]|[6-9=>\\|}~]",
        r"[DEHMNOZcno](?![A-Za-z])",
    )
)
_AFTER_C1 = "|".join(
    (
        rf"(?<=\x9b)[0-?]{{1,64}}+{_INTERMEDIATES}[@-~]",
        rf"(?<=\x9d){_ASCII_PAYLOAD}{_OSC_END}",
        rf"(?<=[\x90\x98\x9e\x9f]){_ASCII_PAYLOAD}{_STRING_END}",
    )
)
_ESC_SEQUENCE = re.compile(rf"\x1b(?:{_AFTER_ESC})")
_OPEN_AFTER_ESC = "|".join(
    (rf"\[[0-?]{{0,64}}+{_INTERMEDIATES}", rf"[\]PX^_]{_PAYLOAD}\x1b?", r"[()*+%#DEHMNOZcno]", "")
)
_OPEN_AFTER_C1 = "|".join(
    (rf"(?<=\x9b)[0-?]{{0,64}}+{_INTERMEDIATES}", rf"(?<=[\x90\x98\x9d-\x9f]){_ASCII_PAYLOAD}\x1b?")
)
_COLOUR_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)([0-9:;]*)m")


def strip_sequences(text: str) -> str:
    """The text without its complete escape sequences."""
    return _sequence(text).sub("", text)


def split_sequences(text: str) -> list[tuple[str, str | None]]:
    """The pieces of text between sequences, each with the SGR parameters that come behind it, if any do."""
    pieces: list[tuple[str, str | None]] = []
    position = 0
    for sequence in _sequence(text).finditer(text):
        start, end = sequence.span()
        colour = _COLOUR_SEQUENCE.fullmatch(text, start, end)
        pieces.append((text[position:start], colour[1] if colour else None))
        position = end
    pieces.append((text[position:], None))
    return pieces


def open_sequence_start(text: str) -> int:
    """Where a sequence begins that later text may complete; the length of the text when there is none."""
    found = _open_sequence().search(text, max(0, len(text) - _OPEN_LIMIT_CHARS))
    return found.start() if found else len(text)


def _sequence(text: str) -> re.Pattern[str]:
    return _ESC_SEQUENCE if text.isascii() else _any_sequence()


# One class in front lets the searches below skip plain text at full speed, which an alternation would not.


@cache
def _any_sequence() -> re.Pattern[str]:
    return re.compile(rf"{_INTRODUCER}(?:(?<=\x1b)(?:{_AFTER_ESC})|{_AFTER_C1})")


@cache
def _open_sequence() -> re.Pattern[str]:
    return re.compile(rf"{_INTRODUCER}(?:(?<=\x1b)(?:{_OPEN_AFTER_ESC})|{_OPEN_AFTER_C1})\Z")
