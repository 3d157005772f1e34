"""A row with the searched words in it set off."""

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def marked(strip: Strip, words: str, style: Style, start: int = 0) -> Strip:
    """The row with the words in a style wherever they stand from a place on; capitals count only if some are typed."""
    if not words:
        return strip
    text = strip.text
    shown = text if words != words.lower() else text.lower()
    if len(shown) != len(text):
        # A letter whose small form is longer would shift all that follow.
        shown = text
    place, done = shown.find(words, start), 0
    pieces: list[Strip] = []
    while place >= 0:
        end = place + len(words)
        first, last = cell_len(text[:place]), cell_len(text[:end])
        inside = strip.crop(first, last)
        pieces += [strip.crop(done, first), Strip(Segment.apply_style(inside, post_style=style), inside.cell_length)]
        done, place = last, shown.find(words, end)
    return Strip.join([*pieces, strip.crop(done)]) if pieces else strip
