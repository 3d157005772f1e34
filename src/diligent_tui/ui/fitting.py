"""Foreign words cut to the cells there are; apart from the numbers, which the command line writes without rich."""

import re

from rich.cells import cell_len, set_cell_size

from diligent_tui.domain.plain_text import clean_line

MOST_CHARS_A_CELL = 16
"""Marks and joined signs take no room of their own; a cell with more of them than this is no writing."""
HALF_A_FLAG = re.compile(r"(?<![\U0001f1e6-\U0001f1ff])(?:[\U0001f1e6-\U0001f1ff]{2})*([\U0001f1e6-\U0001f1ff])\Z")


def fit(text: str, cells: int) -> str:
    """Foreign text on a clean line of so many cells at most, with … where it was cut, which is never inside a sign."""
    line = clean_line(text, max(0, cells) * MOST_CHARS_A_CELL)
    if cell_len(line) <= cells:
        return line
    if cells < 1:
        return ""
    kept = set_cell_size(line, cells - 1).rstrip()
    half = HALF_A_FLAG.search(kept)
    return f"{kept[: half.start(1)] if half else kept}…"
