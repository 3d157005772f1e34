"""Words of any script in rows of any width: each row is exactly as wide as asked, and its columns stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown import MarkdownLook, render
from diligent_tui.ui.panes.session_tree.drawing import RowState, TreeLook, draw_row
from diligent_tui.ui.panes.session_tree.outline import Branch, Row
from diligent_tui.ui.panes.session_tree.words import RowWords
from diligent_tui.ui.state import ScreenState
from diligent_tui.ui.theme import DARK
from diligent_tui.ui.widgets.header import Header
from diligent_tui.ui.widgets.tool_card import Card, CardLook, draw_card

SIGNS = (
    *("天鹅", "한글", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🇫🇷", "❤️", "1️⃣"),
    *("e\u0301", "กำ", "±", "…", "ｶﾞ", "word", " ", "\n", "ß", "ﷺ"),
)
words = st.lists(st.sampled_from(SIGNS), max_size=20).map("".join)
PLAIN = Style()
LOOK = CardLook(PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN)
TREE = TreeLook(*[PLAIN] * 10)


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("天鹅天鹅", 8, "天鹅天鹅"),
        ("天鹅天鹅", 7, "天鹅天…"),
        ("天鹅天鹅", 6, "天鹅…"),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"),
        ("🇩🇪🇫🇷", 4, "🇩🇪🇫🇷"),
        ("🇩🇪🇫🇷", 3, "🇩🇪…"),
        ("x🇩🇪🇫🇷", 4, "x🇩🇪…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("one two", 5, "one…"),
        ("words", 1, "…"),
        ("words", 0, ""),
        ("words", -3, ""),
        ("", 5, ""),
    ],
)
def test_words_are_cut_by_what_they_take_and_never_inside_a_sign(text: str, cells: int, shown: str) -> None:
    assert fit(text, cells) == shown


@given(words, st.integers(0, 60))
def test_words_that_are_made_to_fit_do(text: str, cells: int) -> None:
    shown = fit(text, cells)
    assert cell_len(shown) <= cells
    assert "\u200d…" not in shown


@given(words, words, words, st.integers(40, 160))
def test_a_tool_card_is_as_wide_as_its_room_and_its_time_stands_at_the_right(
    tool: str, subject: str, effect: str, room: int
) -> None:
    drawn = draw_card(Card("done", tool, subject, effect, "0.2 s"), room, LOOK)
    assert sum(cell_len(segment.text) for segment in drawn) == room
    assert drawn[-1].text.endswith(" 0.2 s")


@given(words, words, st.integers(60, 120))
def test_the_columns_of_a_table_line_up(first: str, second: str, width: int) -> None:
    left = [" ".join(text[:12].split()) for text in (first, second)]
    rows = render(f"| a | b |\n|---|---|\n| {left[0]} | xx |\n| {left[1]} | yy |\n", width, MarkdownLook())
    texts = ["".join(segment.text for segment in row) for row in rows]
    assert all(cell_len(text) <= width for text in texts)
    places = [cell_len(text[: text.index(end)]) for end in ("xx", "yy") for text in texts if end in text]
    assert len(places) == 2
    assert len(set(places)) == 1


@given(words, words, st.integers(12, 120), st.booleans())
def test_a_row_of_the_tree_is_as_wide_as_asked_and_the_leaf_is_marked_at_the_right(
    text: str, label: str, width: int, is_cursor: bool
) -> None:
    state = RowState(is_leaf=True, is_on_path=True, label=label, is_cursor=is_cursor)
    branch = Branch("b", None, 0, True)
    strip = draw_row(Row("r", branch), RowWords("›", "prompt", "prompt", clean_line(text)), state, width, TREE)
    assert strip.cell_length == sum(cell_len(segment.text) for segment in strip) == width
    assert strip.text.rstrip().endswith("◂")


class HeaderApp(App[None]):
    """The top line alone."""

    def compose(self) -> ComposeResult:
        yield Header()


async def test_the_top_line_keeps_model_and_mode_whatever_the_session_is_called() -> None:
    app = HeaderApp()
    app.register_theme(DARK)
    app.theme = DARK.name
    async with app.run_test(size=(120, 5)):
        header = app.query_one(Header)
        for sign in SIGNS:
            header.state = ScreenState(
                session_name=sign * 60, branch=sign * 60, model_id="offline/rehearsal", mode="ask"
            )
            told = header.render()
            assert told.cell_length == 120
            assert told.plain.endswith("rehearsal    ask ")
