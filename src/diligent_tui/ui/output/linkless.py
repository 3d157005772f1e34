"""Takes the links out of a row, for terminals that would print where they lead."""

from collections.abc import Mapping

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

NO_LINKS = ("linux", "dumb", "vt")
"""Beginnings of terminals' names that know no links, or would print what they do not understand."""


class Linkless(LineFilter):
    """The gate for links; where one leads stands in the words too."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same words without links."""
        return [
            Segment(text, style.update_link(None) if style and style.link else style, control)
            for text, style, control in segments
        ]


def shows_links(environ: Mapping[str, str]) -> bool:
    """Whether a terminal can be told where words lead."""
    return not environ.get("TERM", "dumb").startswith(NO_LINKS)
