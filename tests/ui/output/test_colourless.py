"""Without colours, what they told is told otherwise."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from diligent_tui.ui.output import Colourless


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("red", ""),
        ("bold red", "bold"),
        ("bright_black", "dim"),
        ("default on default", ""),
        ("underline black on yellow", "underline reverse"),
        ("reverse white on black", "reverse"),
        ("#8089a8 on #14161d", "reverse"),
    ],
)
def test_a_ground_is_turned_over_and_grey_is_faint(style: str, shown: str) -> None:
    row = Colourless().apply([Segment("words", Style.parse(style))], Color.parse("ansi_default"))
    assert row == [Segment("words", Style.parse(shown))]


def test_what_a_click_does_is_kept() -> None:
    style = Style.parse("red") + Style.from_meta({"@click": "open"})
    (drawn,) = Colourless().apply([Segment("words", style)], Color.parse("ansi_default"))
    assert drawn.style is not None
    assert drawn.style.meta == {"@click": "open"}
    assert drawn.style.color is None


def test_a_row_without_a_style_stays_so() -> None:
    row = [Segment("words")]
    assert Colourless().apply(row, Color.parse("ansi_default")) == row
