"""Draws signs on whose width terminals disagree by ones that all draw alike: a family by its first, a heart untinted.

Of several characters that make one sign some terminals draw one picture, some all of them beside each other; and where
a dialog's edge cuts through one, what is left is wider than the whole. Either pushes all that follows out of place.
"""

import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

UNSTEADY = re.compile(r"[\u200d\ufe0f\U0001f3fb-\U0001f3ff]")
"""What joins signs, makes them wider, or gives them a tone of skin."""
MOST_TEXTS = 1_024


class SteadyWidths(LineFilter):
    """The gate for signs made of several characters; copied text keeps them."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The row, as wide as it was, here and on the terminal."""
        return [
            segment
            if segment.text.isascii() or not UNSTEADY.search(segment.text)
            else Segment(steady(segment.text), segment.style, segment.control)
            for segment in segments
        ]


@lru_cache(MOST_TEXTS)
def steady(text: str) -> str:
    """The text with each such sign drawn by its first character."""
    graphemes, _ = split_graphemes(text)
    return "".join(_first_of(text[start:end], cells) for start, end, cells in graphemes)


def _first_of(written: str, cells: int) -> str:
    if UNSTEADY.match(written):
        return " " * cells
    # Scripts that join letters need all of them.
    if not UNSTEADY.search(written) or unicodedata.category(written[0]).startswith("L"):
        return written
    return written[0] + " " * (cells - cell_len(written[0]))
