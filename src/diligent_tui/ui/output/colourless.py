"""Takes the colours out of a row and keeps what they told: another ground is turned over, what was grey is faint."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

MOST_STYLES = 1_024
BRIGHT_BLACK = 8
"""The grey of the sixteen colours."""
FAINT, TURNED = Style(dim=True), Style(reverse=True)


class Colourless(LineFilter):
    """For NO_COLOR, over the theme of sixteen colours: that one has no tints, so each ground it sets is meant."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same words without colours."""
        return [Segment(text, style and without_colours(style), control) for text, style, control in segments]


@lru_cache(MOST_STYLES)
def without_colours(style: Style) -> Style:
    """The style without its colours; bold, underlined and the like stay."""
    # What a click there does is no colour, and must not go with them.
    plain = style.without_color + Style.from_meta(style.meta) if style.meta else style.without_color
    if style.bgcolor is not None and not style.bgcolor.is_default:
        return plain + TURNED
    return plain + FAINT if style.color is not None and style.color.number == BRIGHT_BLACK else plain
