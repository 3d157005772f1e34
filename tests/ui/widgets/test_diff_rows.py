"""Diffs as rows: what stands where, what is drawn, and how little of a long one is touched."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color

from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.theme import THEMES
from diligent_tui.ui.widgets.diff import DiffLayout, DiffLook, DiffStyle, DiffView, diff_look, parse_diff, render_diff
from diligent_tui.ui.widgets.diff.colouring import LONGEST_SHOWN_CHARS, PORTION_LINES
from diligent_tui.ui.widgets.diff.painting import row_ends
from tests.ui.panes.tools_stage import DIFF

MARK = Style(bold=True, underline=True)
LOOK = DiffLook(added_word=MARK, removed_word=MARK)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


def long_diff(lines: int, line: str = "    value = compute({n})") -> str:
    """A change of every line of a long file."""
    removed = "".join(f"-{line.format(n=n)}\n" for n in range(lines))
    added = "".join(f"+{line.format(n=-n)}\n" for n in range(lines))
    return f"--- a/long.py\n+++ b/long.py\n@@ -1,{lines} +1,{lines} @@\n{removed}{added}"


def texts(diff: str, width: int, style: DiffStyle = "unified") -> list[str]:
    return [strip.text.rstrip() for strip in render_diff(diff, width, LOOK, style)]


def test_signs_and_numbers_tell_what_changed_without_any_colour() -> None:
    rows = texts(DIFF, 90)
    assert rows[0].split() == ["src/loader.py", "+4", "−4"]
    assert rows[1] == "⋯ line 10  class Loader:"
    assert rows[2] == "10 10       def merge(self, layers: list[Layer]) -> Tree:"
    assert rows[5] == "13    −         for layer in layers:"
    assert rows[8] == "   13 +         for layer in sorted(layers, key=order):"


def test_a_narrow_diff_has_one_number_for_each_line() -> None:
    rows = texts(DIFF, 58)
    assert rows[5].startswith("13 −         for layer")
    assert rows[2].startswith("10       def merge")


def test_sides_stand_beside_each_other_with_lines_that_belong_together_in_one_row() -> None:
    rows = texts(DIFF, 141, "side by side")
    assert [cell.strip() for cell in rows[5].split("│")] == [
        "13 −         for layer in layers:",
        "13 +         for layer in sorted(layers, key=order):",
    ]
    assert any("positions=False" in row and "positions=True" in row for row in rows)
    assert all(row.count("│") == 1 for row in rows[2:10])


def test_sides_need_a_hundred_columns() -> None:
    diff = parse_diff(DIFF)
    assert not DiffLayout(diff, 99, LOOK, "side by side").is_split
    assert DiffLayout(diff, 100, LOOK, "side by side").is_split


@pytest.mark.parametrize("style", ["unified", "side by side"])
@pytest.mark.parametrize("width", [1, 7, 30, 60, 100, 133])
def test_every_row_is_as_wide_as_asked_and_no_text_is_lost(width: int, style: DiffStyle) -> None:
    wide = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n keep 你好 é\n-" + "abc 你" * 40 + "\n+" + "abd 你" * 40 + "\n"
    strips = render_diff(wide, width, LOOK, style)
    assert all(strip.cell_length >= width for strip in strips)
    if width > 20:
        assert {strip.cell_length for strip in strips} == {width}
        joined = "".join(re.sub(r"[\d\s│…+−]", "", strip.text) for strip in strips)
        assert joined.count("你") == 81 if style == "unified" else joined.count("你") >= 81


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("short", ["short"]),
        ("", []),
        ("one two three four", ["one two ", "three four"]),
        ("one two threefour", ["one two ", "threefour"]),
        ("exactly_10", ["exactly_10"]),
        ("a exactly_tenandmore", ["a exactly_", "tenandmore"]),
        ("a b word_of_9", ["a b ", "word_of_9"]),
        ("        indented", ["        in", "dented"]),
        ("abcd 你好你好你", ["abcd ", "你好你好你"]),
    ],
)
def test_a_long_line_breaks_behind_a_blank_and_loses_nothing(text: str, rows: list[str]) -> None:
    ends = [0, *row_ends(text, 10)]
    assert [text[begin:end] for begin, end in pairwise(ends)] == rows
    assert "".join(rows) == text


@given(st.text(alphabet="ab 你e\u0301", max_size=60), st.integers(2, 12))
def test_no_row_of_a_line_is_wider_than_its_room(text: str, room: int) -> None:
    ends = [0, *row_ends(text, room)]
    assert ends[-1] == len(text)
    assert all(begin < end and cell_len(text[begin:end]) <= room for begin, end in pairwise(ends))


def test_changed_words_are_marked_in_both_lines() -> None:
    rows = render_diff("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = read(a)\n+x = read(b)\n", 80, LOOK)
    marked = ["".join(part.text for part in row if part.style and part.style.underline) for row in rows]
    assert marked[-2:] == ["a", "b"]


def test_only_the_lines_in_sight_of_a_long_diff_are_lexed() -> None:
    layout = DiffLayout(parse_diff(long_diff(2_500)), 100, LOOK)
    assert layout.height == 5_001
    assert layout.lexed_lines == 0
    for row in range(2_000, 2_050):
        layout.strip(row)
    assert 50 <= layout.lexed_lines <= 2 * PORTION_LINES
    layout.strip(5_000)
    assert layout.lexed_lines <= 3 * PORTION_LINES


def test_a_pathological_diff_degrades_to_lines_without_word_marks() -> None:
    diff = long_diff(60, "x " * 600 + "{n}")
    rows = render_diff(diff, 120, LOOK)
    assert not any(part.style and part.style.underline for row in rows for part in row)
    assert sum("−" in row.text[:12] for row in rows) == 60


def test_a_line_without_end_is_cut_and_says_so() -> None:
    rows = texts(f"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+{'y' * 1_000_000}\n", 100)
    assert f"… {1_000_000 - LONGEST_SHOWN_CHARS:,} more characters" in "".join(rows)
    assert len(rows) < 60


def test_hostile_lines_and_names_are_harmless() -> None:
    evil = "\x1b]0;owned\x07[/bold] \u202eevil\u200b\x00\x9b2J"
    rows = texts(f"--- a/{evil}\n+++ b/{evil}\n@@ -1 +1 @@ {evil}\n-{evil}\n+{evil}!\r\n", 100)
    assert not any(CONTROL.search(row) for row in rows)
    assert sum("[/bold]" in row for row in rows) == 4
    assert "␍" in rows[-1]


def test_returns_at_the_end_of_every_line_are_no_noise() -> None:
    rows = texts("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a = 1\r\n+a = 2\r\n", 100)
    assert not any("␍" in row for row in rows)


def luminance(colour: Color) -> float:
    parts = [part / 255 for part in colour.rgb]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(text: Style, ground: Style) -> float:
    """How well a text reads on a ground, as WCAG counts it."""
    lights = [luminance(Color.from_rich_color(colour)) for colour in (text.color, ground.bgcolor)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_code_reads_on_the_shades_of_a_diff(theme: ThemeName) -> None:
    known = THEMES[theme]
    look = diff_look(theme, {**known.to_color_system().generate(), **known.variables})
    code = look.code.code
    texts = [code.keyword, code.function, code.type_name, code.builtin, code.attribute, code.string, code.number]
    texts += [code.comment, code.operator, code.decorator, look.dim, look.text]
    for line, sign, word in (
        (look.added_line, look.added, look.added_word),
        (look.removed_line, look.removed, look.removed_word),
    ):
        assert min(contrast(text, line) for text in (*texts, sign)) >= 4.5
        assert contrast(word, word) >= 4.5


class _ViewApp(App[None]):
    def compose(self) -> ComposeResult:
        yield DiffView(DIFF)


async def test_the_view_scrolls_and_changes_sides_by_a_key() -> None:
    app = _ViewApp()
    async with app.run_test(size=(120, 10)) as pilot:
        view = app.query_one(DiffView)
        view.focus()
        await pilot.pause()
        assert view.virtual_size.height > 10
        first = view.render_line(0).text
        await pilot.press("j")
        assert view.render_line(0).text != first
        await pilot.press("d")
        await pilot.pause()
        assert view.laid_out().is_split
        assert view.diff_style == "side by side"
        view.show("--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n")
        await pilot.pause()
        assert view.render_line(0).text.split() == ["y", "+1", "−1"]
