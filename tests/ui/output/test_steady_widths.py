"""Signs of several characters are drawn so that every terminal gives them the room they were given here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from diligent_tui.ui.output import SteadyWidths
from diligent_tui.ui.output.steady_widths import steady

PIECES = ("👩‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "🏳️‍🌈", "👩🏽‍💻", "🇩🇪", "天", "e\u0301", "a", " ", "…")


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a 👩‍👩‍👧‍👦 b", "a 👩 b"),
        ("👍🏽!", "👍!"),
        ("❤️.", "❤ ."),
        ("1️⃣", "1 "),
        ("🏳️‍🌈", "🏳 "),
        ("👩🏽‍💻", "👩"),
        ("👩‍👩‍", "👩"),
        ("\ufe0f한글", "한글"),
        ("🇩🇪 天鹅 e\u0301 ✓", "🇩🇪 天鹅 e\u0301 ✓"),
        ("क्‍ष", "क्‍ष"),
    ],
)
def test_the_first_of_several_stands_for_all(text: str, drawn: str) -> None:
    assert steady(text) == drawn
    assert cell_len(drawn) == cell_len(text)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_is_drawn_is_as_wide_as_its_characters_by_themselves(text: str) -> None:
    drawn = steady(text)
    assert cell_len(drawn) == cell_len(text) == sum(map(get_character_cell_size, drawn))


def test_a_row_without_such_signs_is_not_touched() -> None:
    row = [Segment("plain "), Segment("✓ 天鹅", Style(bold=True)), Segment("❤️", Style(bold=True))]
    drawn = SteadyWidths().apply(row, Color.parse("black"))
    assert drawn[0] is row[0]
    assert drawn[1] is row[1]
    assert drawn[2] == Segment("❤ ", Style(bold=True))
