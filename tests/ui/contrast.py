"""How well a colour can be read on another, by the guidelines for accessible content."""

from textual.color import Color

LEAST_CONTRAST, HIGH_CONTRAST = 4.5, 7.0
"""For text of usual size: good, and very good."""


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21, black on white."""
    high, low = sorted((_brightness(one), _brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _brightness(colour: str) -> float:
    parts = [value / 255 for value in Color.parse(colour).rgb]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
