"""Draws in ASCII what a terminal has no signs for; words stay as they are, as far as its characters reach."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache, partial

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from diligent_tui.ui.output.signs import SIGNS

LOCALE_NAMES = ("LC_ALL", "LC_CTYPE", "LANG")
FEW_SIGNS = ("linux", "vt")
"""Beginnings of names of terminals whose fonts have letters and little more."""
UNKNOWN = "?"
MOST_TEXTS = 2_048
WORD_CATEGORIES = frozenset("LMN")
"""Of Unicode: letters, what stands on them, and digits."""
LATIN_1 = range(0xA1, 0x100)
"""Every font has these: signs of money, degrees, marks of quotation."""


class PlainSigns(LineFilter):
    """The gate for signs; what leaves it is as wide as what came."""

    def __init__(self, charset: str) -> None:
        """`charset` is what the terminal's words may be made of."""
        super().__init__()
        self.words = lru_cache(MOST_TEXTS)(partial(plain, charset=charset))
        """The same for words that are no row, such as a title."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The row in signs that the terminal has."""
        return [
            segment if segment.text.isascii() else Segment(self.words(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def charset_of(environ: Mapping[str, str], encoding: str) -> str | None:
    """What a terminal with few signs can show of words, or None if it has all signs; `encoding` is how we write."""
    if not _is_utf8(encoding):
        return encoding
    locale = next(filter(None, map(environ.get, LOCALE_NAMES)), "")
    if locale and not _is_utf8(locale):
        return "ascii"
    return "utf-8" if environ.get("TERM", "").startswith(FEW_SIGNS) else None


def plain(text: str, charset: str) -> str:
    """The text in signs that are in the charset, exactly as wide as it was."""
    drawn = text.translate(SIGNS)
    if drawn.isascii():
        return drawn
    # Of the text, not of what is drawn: a sign may be joined to what follows and be wider by that.
    graphemes, _ = split_graphemes(text)
    return "".join(_plain_grapheme(text[start:end], cells, charset) for start, end, cells in graphemes)


def _plain_grapheme(written: str, cells: int, charset: str) -> str:
    if written.isascii():
        return written
    sign = written.translate(SIGNS)
    composed = unicodedata.normalize("NFC", written)
    bare = "".join(each for each in unicodedata.normalize("NFKD", written) if not unicodedata.combining(each))
    for drawn in (sign, composed, bare):
        if cell_len(drawn) == cells and _can_be_shown(drawn, charset):
            return drawn
    return UNKNOWN * cells


def _can_be_shown(drawn: str, charset: str) -> bool:
    try:
        drawn.encode(charset)
    except (UnicodeEncodeError, LookupError):
        return False
    return all(
        each.isascii() or ord(each) in LATIN_1 or unicodedata.category(each)[0] in WORD_CATEGORIES for each in drawn
    )


def _is_utf8(name: str) -> bool:
    return "utf8" in name.lower().replace("-", "")
