"""Where a terminal has few signs, ASCII stands for each of ours, as wide as it was; words stay."""

import ast
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual._border import BORDER_CHARS
from textual.color import Color

from diligent_tui.ui.output import PlainSigns, charset_of
from diligent_tui.ui.output.plain_signs import plain
from diligent_tui.ui.output.signs import SIGNS
from diligent_tui.ui.panes.chat.marks import GLYPHS as CHAT_MARKS
from diligent_tui.ui.panes.knowledge import words as knowledge
from diligent_tui.ui.panes.summary.version_words import STATE_MARKS as SUMMARY_MARKS
from diligent_tui.ui.panes.trace.things import MARKS as TRACE_MARKS
from diligent_tui.ui.screens.preview.rows import MARKS as PREVIEW_MARKS
from diligent_tui.ui.widgets.gauge import FREE, SHADES
from diligent_tui.ui.widgets.status_bar import SPINNER
from diligent_tui.ui.widgets.tool_card import MARKS as CARD_MARKS

UI = Path(__file__).parents[3] / "src" / "diligent_tui" / "ui"
NOT_DRAWN = ("wrap.py", "line_steps.py", "pasting.py")
"""They look for signs in others' words."""


def signs_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (each for each in node.value if not each.isascii() and unicodedata.category(each)[0] in "PSZ")


def test_every_sign_we_draw_has_one_in_ascii() -> None:
    drawn = {sign for path in UI.rglob("*.py") if path.name not in NOT_DRAWN for sign in signs_in(path)}
    assert len(drawn) > 50
    assert {sign for sign in drawn if ord(sign) not in SIGNS} == set()


def test_every_border_has_one_in_ascii() -> None:
    drawn = {sign for edges in BORDER_CHARS.values() for row in edges for sign in row if not sign.isascii()}
    assert {sign for sign in drawn if ord(sign) not in SIGNS} == set()


def test_what_stands_for_a_sign_is_ascii_and_as_wide() -> None:
    assert [chr(code) for code, sign in SIGNS.items() if not sign.isascii() or cell_len(chr(code)) != len(sign)] == []


@pytest.mark.parametrize(
    "marks",
    [
        [FREE, *(shade.glyph for shade in SHADES.values())],
        list(CARD_MARKS.values()),
        list(CHAT_MARKS.values()),
        list(TRACE_MARKS.values()),
        list(PREVIEW_MARKS.values()),
        list(SUMMARY_MARKS.values()),
        [knowledge.PINNED, knowledge.USER_WIDE, knowledge.LEFT_BRANCH, knowledge.NEW, knowledge.RETRACTED],
        list(SPINNER),
        ["┃", "▏", "▎"],
    ],
    ids=["gauge", "cards", "chat", "trace", "preview", "summary", "knowledge", "spinner", "edges"],
)
def test_signs_that_tell_states_apart_still_do(marks: list[str]) -> None:
    assert len({plain(mark, "ascii") for mark in marks}) == len(set(marks))


@pytest.mark.parametrize(
    ("text", "charset", "shown"),
    [
        ("⟳ 142k → 28k  −80 %", "utf-8", "@ 142k > 28k  -80 %"),
        ("café 天鹅 Ωмир 12 €", "utf-8", "café 天鹅 Ωмир 12 ?"),
        ("20 °C, £3", "utf-8", "20 °C, £3"),
        ("café", "iso8859-1", "café"),
        ("cafe\u0301 天鹅", "iso8859-1", "café ????"),
        ("café naïve 天鹅", "ascii", "cafe naive ????"),
        ("👍🏽 ❤️ 👩‍👩‍👧‍👦 🇩🇪", "utf-8", "?? ?? ?? ??"),
        ("⚠️ sign", "utf-8", "?? sign"),
        ("½ ﬁ ①", "ascii", "? ? 1"),
        ("\ue0b0", "utf-8", "?"),
    ],
)
def test_words_stay_as_far_as_the_terminal_can_show_them(text: str, charset: str, shown: str) -> None:
    assert plain(text, charset) == shown


@given(st.text(max_size=40), st.sampled_from(["utf-8", "ascii", "iso8859-1", "cp1251"]))
def test_whatever_comes_is_as_wide_as_before_and_can_be_written(text: str, charset: str) -> None:
    shown = plain(text, charset)
    assert cell_len(shown) == cell_len(text)
    shown.encode(charset, "strict" if charset != "utf-8" else "surrogatepass")


@pytest.mark.parametrize(
    ("environ", "encoding", "charset"),
    [
        ({"TERM": "xterm-256color"}, "utf-8", None),
        ({"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "utf-8", None),
        ({"TERM": "xterm-256color", "LANG": "de_DE.utf8"}, "UTF-8", None),
        ({"TERM": "xterm-256color", "LC_ALL": "", "LANG": "en_GB.UTF-8"}, "utf-8", None),
        ({"TERM": "xterm-256color", "LC_ALL": "C", "LANG": "en_GB.UTF-8"}, "utf-8", "ascii"),
        ({"TERM": "xterm-256color", "LC_CTYPE": "POSIX"}, "utf-8", "ascii"),
        ({"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, "iso8859-1", "iso8859-1"),
        ({"TERM": "linux"}, "utf-8", "utf-8"),
        ({"TERM": "vt220"}, "utf-8", "utf-8"),
        ({}, "utf-8", None),
    ],
)
def test_terminal_and_locale_tell_how_few_signs_there_are(
    environ: dict[str, str], encoding: str, charset: str | None
) -> None:
    assert charset_of(environ, encoding) == charset


def test_a_row_keeps_its_styles_and_what_is_ascii_is_not_touched() -> None:
    row = [Segment("plain ", Style(bold=True)), Segment("✓", Style(color="red"))]
    drawn = PlainSigns("utf-8").apply(row, Color.parse("black"))
    assert drawn[0] is row[0]
    assert drawn[1] == Segment("v", Style(color="red"))
