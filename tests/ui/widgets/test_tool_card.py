"""A call in one line: what it says, and that it keeps to its room."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

from diligent_tui.ui.theme import CONTRAST, DARK, LIGHT, PROGRAMS_ON_DARK, PROGRAMS_ON_LIGHT
from diligent_tui.ui.transcript import ToolState
from diligent_tui.ui.widgets.tool_card import Card, CardLook, draw_card, effect_of, output_rows
from tests.ui.contrast import LEAST_CONTRAST, contrast
from tests.ui.stage import make_app

LOOK = CardLook(Style(), Style(), Style(), Style(), Style(), Style())
DIFF = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n-b\n+c\n"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


@pytest.mark.parametrize(
    ("state", "output", "diff", "exit_code", "effect"),
    [
        ("waiting", "", "", None, "waiting"),
        ("running", "so far", "", None, "running"),
        ("done", "one\ntwo\n", "", None, "2 lines"),
        ("done", "one", "", 0, "1 line"),
        ("done", " \n", "", 0, "no output"),
        ("done", "[no output]", "", 0, "no output"),
        ("done", "one\n[… left out: lines 2 to 9 (read them with offset 2) …]\nten", "", None, "2 lines"),
        ("done", "one\ntwo\n[lines 1 to 2 of 40; read on with offset 3]", "", None, "2 lines"),
        ("done", "one\n[what the command left running in the background was ended with it]", "", 0, "1 line"),
        ("done", "[1, 2]\n[3]", "", 0, "2 lines"),
        ("done", "[a.png: PNG image, 64 × 1,024 pixels, 340 bytes]\n[image]", "", None, "PNG 64 × 1,024"),
        ("done", "[a.txt is empty]", "", None, "empty"),
        ("done", "[none of 40 files fits]", "", None, "no output"),
        ("done", "Edited x.", DIFF, None, "+1 −2"),
        ("failed", "Nothing was changed.", DIFF, None, "Nothing was changed."),
        ("failed", "collected\n=== 3 failed ===\nexit code 2", "", 2, "exit 2, 3 failed"),
        ("failed", "boom\n[what it left running was ended]\nexit code 137 (SIGKILL)", "", 137, "exit 137, boom"),
        ("failed", "", "", 1, "exit 1"),
        ("failed", "", "", None, "failed"),
        ("failed", "No such file:\n  src/x.py  ", "", None, "src/x.py"),
        ("failed", "x" * 100, "", None, "x" * 31 + "…"),
    ],
)
def test_the_effect_is_told_in_a_few_words(
    state: ToolState, output: str, diff: str, exit_code: int | None, effect: str
) -> None:
    assert effect_of(state, output, diff, exit_code) == effect


def test_a_card_has_its_parts_in_order() -> None:
    text = "".join(part.text for part in draw_card(Card("failed", "bash", "make test", "exit 2", "9.1 s"), 50, LOOK))
    assert text.split() == ["✗", "bash", "make", "test", "exit", "2", "9.1", "s"]
    assert cell_len(text) == 50


@given(st.text(max_size=60), st.text(max_size=80), st.text(max_size=60), st.integers(45, 160))
def test_a_card_is_as_wide_as_its_room_and_harmless(tool: str, subject: str, effect: str, room: int) -> None:
    card = Card("done", tool, subject, effect, "0.2 s", " ≈12k")
    text = "".join(part.text for part in draw_card(card, room, LOOK))
    assert not CONTROL.search(text)
    assert cell_len(text) == room


def test_colours_of_a_program_stay_and_its_other_sequences_go() -> None:
    rows = output_rows("\x1b[31mred\x1b[0m\x1b]0;title\x07 plain\x1b[2J", 40, Style())
    assert ["".join(part.text for part in row) for row in rows] == ["red plain"]
    assert rows[0][0].style == Style(color="red")


@given(
    st.lists(st.sampled_from(["a", " ", "\n", "你", "\x1b[32m", "\x1b[0m", "word", "\t"]), max_size=60),
    st.integers(2, 30),
)
def test_wrapped_output_fits_and_loses_nothing(pieces: list[str], width: int) -> None:
    rows = output_rows("".join(pieces), width, Style())
    texts = ["".join(part.text for part in row) for row in rows]
    assert all(cell_len(text) <= width for text in texts)
    bare = "".join(piece.replace("\t", "    ") for piece in pieces if not piece.startswith("\x1b"))
    assert "".join(texts).replace("↳ ", "") == bare.replace("\n", "")


def test_a_line_that_goes_on_says_so_and_short_ones_do_not() -> None:
    rows = output_rows("0123456789abcdefghij\nshort", 12, Style())
    assert ["".join(part.text for part in row) for row in rows] == ["0123456789ab", "↳ cdefghij", "short"]
    narrow = output_rows("0123456789", 6, Style())
    assert ["".join(part.text for part in row) for row in narrow] == ["012345", "6789"]


CODES = [*range(30, 38), *range(90, 98)]
GROUNDS = [(PROGRAMS_ON_DARK, DARK), (PROGRAMS_ON_DARK, CONTRAST), (PROGRAMS_ON_LIGHT, LIGHT)]


@pytest.mark.parametrize(("colours", "theme"), GROUNDS, ids=["dark", "contrast", "light"])
def test_what_a_program_says_in_colours_can_be_read(colours: TerminalTheme, theme: Theme) -> None:
    grounds = [*filter(None, (theme.background, theme.surface, theme.panel)), theme.variables["cursor"]]
    named = {code: hex_of(output_rows(f"\x1b[{code}mx", 9, Style())[0][0].style, colours) for code in CODES}
    wrong = [(code, colour, each) for code, colour in named.items() for each in grounds if too_near(colour, each)]
    assert wrong == []
    assert len(set(named.values())) == len(CODES)


@pytest.mark.parametrize("codes", ["41", "30;41", "37;44", "7;43", "38;2;9;9;9;40"])
def test_a_ground_that_a_program_names_is_written_on_in_the_colour_of_ours(codes: str) -> None:
    style = output_rows(f"\x1b[{codes}mx", 9, Style())[0][0].style
    assert style is not None
    assert style.color is not None
    assert style.bgcolor is None
    assert style.reverse is (None if codes.startswith("7;") else True)


def test_the_app_draws_programs_in_these_colours(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    assert (app.ansi_theme_dark, app.ansi_theme_light) == (PROGRAMS_ON_DARK, PROGRAMS_ON_LIGHT)


def hex_of(style: Style | None, colours: TerminalTheme) -> str:
    colour = style.color if style else None
    assert isinstance(colour, Color)
    return colour.get_truecolor(colours).hex


def too_near(colour: str, ground: str) -> bool:
    return contrast(colour, ground) < LEAST_CONTRAST
