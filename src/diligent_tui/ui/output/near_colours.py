"""Draws each colour by the one of a terminal's 256 that looks most like it.

Rich rounds red, green and blue each by itself, and of a dark grey with a little more blue in it makes a teal.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import dist
from typing import NamedTuple

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
MOST_CONTRAST = 7.0
"""More than that is not needed to be read well."""
Triplet = tuple[int, int, int]
Lab = tuple[float, float, float]
"""How light it is, how red against green, how yellow against blue."""


class NearColours(LineFilter):
    """The gate for colours, where there are 256; it is the last one, for others make colours."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The row in colours that the terminal has."""
        return [Segment(text, style and near_style(style), control) for text, style, control in segments]


@lru_cache(MOST_STYLES)
def near_style(style: Style) -> Style:
    """The style in colours of the 256; what could be read still can."""
    text, ground = _triplet(style.color), _triplet(style.bgcolor)
    number = None if ground is None else near_number(*ground)
    colour = style.color
    if text is not None and (ground is None or number is None):
        colour = TerminalColour.from_ansi(near_number(*text))
    elif text is not None and ground is not None and number is not None:
        colour = TerminalColour.from_ansi(readable_number(text, ground, number))
    return style + Style(color=colour, bgcolor=style.bgcolor if number is None else TerminalColour.from_ansi(number))


def near_number(red: int, green: int, blue: int) -> int:
    """The number of the colour that looks most like it, of the cube and the greys."""
    return _nearest((red, green, blue), range(len(_palette())))


def readable_number(text: Triplet, ground: Triplet, ground_number: int) -> int:
    """The number of the colour most like that of a text, of those that stand out as much from its ground as drawn."""
    palette = _palette()
    shown_ground = palette[ground_number - CUBE_BEGIN].light
    wanted = min(_contrast(_luminance(*text), _luminance(*ground)), MOST_CONTRAST)
    fit = [place for place, shown in enumerate(palette) if _contrast(shown.light, shown_ground) >= wanted]
    return _nearest(text, fit or range(len(palette)))


def _nearest(colour: Triplet, places: Sequence[int]) -> int:
    wanted, palette = _lab(*colour), _palette()
    return CUBE_BEGIN + min(places, key=lambda place: dist(palette[place].look, wanted))


def shown_colours() -> list[Triplet]:
    """The colours from the cube's first number on."""
    cube = [(red, green, blue) for red in LEVELS for green in LEVELS for blue in LEVELS]
    return [*cube, *((grey, grey, grey) for grey in GREYS)]


class _Shown(NamedTuple):
    """A colour of the terminal: how it looks, and how much light it gives."""

    look: Lab
    light: float


@cache
def _palette() -> list[_Shown]:
    return [_Shown(_lab(*colour), _luminance(*colour)) for colour in shown_colours()]


def _contrast(one: float, other: float) -> float:
    """As WCAG counts it, from 1 to 21."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def _luminance(red: int, green: int, blue: int) -> float:
    r, g, b = (_linear(level / 255) for level in (red, green, blue))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _lab(red: int, green: int, blue: int) -> Lab:
    """In CIELAB, where what looks alike is near: by red, green and blue a lilac is nearest to a teal."""
    r, g, b = (_linear(level / 255) for level in (red, green, blue))
    x = _bent((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    y = _bent(_luminance(red, green, blue))
    z = _bent((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(level: float) -> float:
    return level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4


def _bent(share: float) -> float:
    return share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116


def _triplet(colour: TerminalColour | None) -> Triplet | None:
    """What it is made of; None if it is one of the terminal's own."""
    if colour is None or colour.type is not ColorType.TRUECOLOR or colour.triplet is None:
        return None
    red, green, blue = colour.triplet
    return red, green, blue
