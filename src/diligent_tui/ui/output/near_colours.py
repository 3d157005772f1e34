"""Draws each colour by the one of a terminal's 256 that looks most like it.

Rich rounds red, green and blue each by itself, and of a dark grey with a little more blue in it makes a teal.
"""

from functools import cache, lru_cache
from math import dist

from rich.color import Color as TerminalColour
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

MOST_STYLES = 2_048
CUBE_BEGIN = 16
"""Where the cube of colours begins, with the greys behind it; those before are the terminal's own."""
LEVELS = (0, 95, 135, 175, 215, 255)
GREYS = tuple(range(8, 239, 10))
Lab = tuple[float, float, float]
"""How light it is, how red against green, how yellow against blue."""


class NearColours(LineFilter):
    """The gate for colours, where there are 256; it is the last one, for others make colours."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The row in colours that the terminal has."""
        return [Segment(text, style and near_style(style), control) for text, style, control in segments]


@lru_cache(MOST_STYLES)
def near_style(style: Style) -> Style:
    """The style in colours of the 256."""
    return style + Style(color=_near(style.color), bgcolor=_near(style.bgcolor))


@lru_cache(MOST_STYLES)
def near_number(red: int, green: int, blue: int) -> int:
    """The number of the colour that looks most like it, of the cube and the greys."""
    wanted = _lab(red, green, blue)
    looks = _looks()
    return CUBE_BEGIN + min(range(len(looks)), key=lambda place: dist(looks[place], wanted))


def shown_colours() -> list[tuple[int, int, int]]:
    """The colours from the cube's first number on."""
    cube = [(red, green, blue) for red in LEVELS for green in LEVELS for blue in LEVELS]
    return [*cube, *((grey, grey, grey) for grey in GREYS)]


@cache
def _looks() -> list[Lab]:
    return [_lab(*colour) for colour in shown_colours()]


def _lab(red: int, green: int, blue: int) -> Lab:
    """In CIELAB, where what looks alike is near: by red, green and blue a lilac is nearest to a teal."""
    r, g, b = (_linear(level / 255) for level in (red, green, blue))
    x = _bent((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    y = _bent(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = _bent((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(level: float) -> float:
    return level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4


def _bent(share: float) -> float:
    return share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116


def _near(colour: TerminalColour | None) -> TerminalColour | None:
    if colour is None or colour.type is not ColorType.TRUECOLOR or colour.triplet is None:
        return colour
    return TerminalColour.from_ansi(near_number(*colour.triplet))
