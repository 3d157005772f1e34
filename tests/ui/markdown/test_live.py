"""A streamed text ends up exactly as if it had been drawn at once, and says truly which rows changed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment

from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render

LOOK = MarkdownLook()
WIDTHS = st.sampled_from([1, 2, 3, 7, 12, 20, 40, 80, 200])
MARKUP = ["**bold**", "*em*", "`code` ", "`two words`", "[link](x_y)", "~~s~~", "<b>", "&amp;", "&#27;", "[ ] "]
MARKS = ["**", "*", "_", "`", "[", "](", "<", "\\", "\\\n", "  \n", "\n", "!", " ", "\t"]
WORDS = ["a word and ", "snake_case", "https://x.org/a_b", "你好，", "世界", "xxxxxxxxxxxxxxxxxxxx"]
ODDITIES = ["👩\u200d👩\u200d👧", "e\u0301", "\u200d", "\ufe0f", "⚠️", "\x1b[2J", "\ud800"]
INLINE = st.sampled_from([*MARKUP, *MARKS, *WORDS, *ODDITIES])
PROSE = st.lists(INLINE, min_size=1, max_size=12).map("".join)
LINES = st.lists(PROSE, min_size=1, max_size=4)


def each_line(prefix: str, later: str = "") -> st.SearchStrategy[str]:
    return LINES.map(lambda lines: "\n".join((prefix if at == 0 else later) + line for at, line in enumerate(lines)))


CODE_LINE = st.sampled_from(
    ['"""', "def f(x):", "    return 1  # why", "", "\tx", "```", "``", "}", "/* a", "*/", "x" * 90]
)
CODE = st.lists(CODE_LINE, max_size=8).map("\n".join)
ROW = st.lists(PROSE.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=4).map(
    lambda cells: f"| {' | '.join(cells)} |"
)
BLOCK = st.one_of(
    PROSE,
    each_line("# "),
    each_line("- ", "  "),
    each_line("- ", "- "),
    each_line("1. ", "   - "),
    each_line("> ", "> "),
    each_line("> - ", "lazy "),
    each_line("- [x] ", "    "),
    PROSE.map(lambda text: f"{text}\n---"),
    st.sampled_from(
        ["---", "***", "<div>\n*x*", "<!--\n\n-->", "    code\n\n    more", "-", ">", "=", "| a |", "1.", "```"]
    ),
    st.tuples(st.sampled_from(["```", "```py\n", "~~~js\n", "- ```c\n  "]), CODE).map("\n".join),
    st.lists(ROW, max_size=5).map(lambda rows: "\n".join(["| a | b |", "|---|--:|", *rows])),
)
DOCUMENT = st.lists(st.tuples(BLOCK, st.sampled_from(["\n", "\n\n", "\n\n\n", "\r\n", ""])), max_size=6).map(
    lambda parts: "".join(block + end for block, end in parts)
)


def chunks(source: str, sizes: list[int]) -> list[str]:
    parts: list[str] = []
    position = 0
    while position < len(source):
        size = sizes[len(parts) % len(sizes)]
        parts.append(source[position : position + size])
        position += size
    return parts


@settings(max_examples=200, deadline=None)
@given(DOCUMENT, st.lists(st.integers(1, 30), min_size=1, max_size=8), WIDTHS)
def test_a_streamed_text_ends_as_if_drawn_at_once(source: str, sizes: list[int], width: int) -> None:
    live = LiveMarkdown(LOOK)
    shown: list[list[Segment]] = []
    for chunk in chunks(source, sizes):
        live.append(chunk)
        rows, first_changed = live.lines(width)
        assert list(rows[:first_changed]) == shown[:first_changed]
        assert all(sum(cell_len(segment.text) for segment in row) <= width for row in rows[first_changed:])
        shown = [list(row) for row in rows]
    live.finish()
    rows, first_changed = live.lines(width)
    assert list(rows[:first_changed]) == shown[:first_changed]
    assert live.source == source
    assert list(rows) == render(source, width, LOOK)


@settings(max_examples=100, deadline=None)
@given(DOCUMENT, WIDTHS)
def test_no_row_is_too_wide_or_holds_a_control_character(source: str, width: int) -> None:
    for row in render(source, width, LOOK):
        assert sum(cell_len(segment.text) for segment in row) <= width
        text = "".join(segment.text for segment in row)
        assert text.isprintable() or not any(
            ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in text
        )


@settings(max_examples=60, deadline=None)
@given(DOCUMENT, DOCUMENT, WIDTHS)
def test_finished_blocks_already_look_final(first: str, second: str, width: int) -> None:
    start = f"{first.rstrip()}\n\n<!-- -->\n\n"  # ends every block but open code
    whole = render(start + second, width, LOOK)
    live = LiveMarkdown(LOOK)
    live.append(start)
    frozen = [list(row) for row in live.lines(width).rows]
    live.append(second)
    live.finish()
    assert list(live.lines(width).rows) == whole
    if "```" not in first and "~~~" not in first:
        assert whole[: len(frozen)] == frozen


@pytest.mark.parametrize("size", [1, 7, 24, 1000])
@pytest.mark.parametrize(
    "source",
    [
        "x" * 2500 + " _a_ " + "y" * 999 + "_b_",
        "word **bold " * 300,
        "[a](" * 600 + " end",
        "https://x.org/" + "a_b" * 800 + " then *this*",
        "```py\n" + 'x = """\nlong string\n' * 400 + "```\nend",
        "```\n" + "0123456789" * 350 + "\nshort\n```",
        "- " + "item of a list\n- " * 500,
        "| a | b |\n|---|---|\n" + "".join(f"| {'w' * (at % 50)} | {at} |\n" for at in range(400)),
        "> " * 40 + "deep\n" + "> " * 40 + "deeper",
        " " * 3000 + "x",
        "word" + " " * 3000 + "\nnext" + " " * 3000 + "*end*",
        "# " + "#" * 500,
        "e" + "\u0301" * 3000,
        "a\n===\n" + "b " * 3000 + "\n===\n",
    ],
)
def test_long_texts_are_cut_in_the_same_places_however_they_arrive(source: str, size: int) -> None:
    live = LiveMarkdown(LOOK)
    for at, chunk in enumerate(chunks(source, [size])):
        live.append(chunk)
        if at % 50 == 0:
            live.lines(30)
    live.finish()
    assert list(live.lines(30).rows) == render(source, 30, LOOK)


def test_rows_follow_a_change_of_width_and_back() -> None:
    live = LiveMarkdown(LOOK)
    live.append("one two three\n\n```py\nx = 1\ny")
    wide = list(live.lines(80).rows)
    assert live.lines(80).first_changed == len(wide)
    assert live.lines(6).first_changed == 0
    assert list(live.lines(80).rows) == wide


def test_only_the_last_rows_of_a_growing_paragraph_change() -> None:
    live = LiveMarkdown(LOOK)
    live.append("some words " * 100)
    count = len(live.lines(50).rows)
    live.append("and more")
    assert live.lines(50).first_changed >= count - 1


def test_emphasis_that_is_not_closed_yet_is_shown_as_if_it_were() -> None:
    live = LiveMarkdown(LOOK)
    live.append("this is **bold and `co")
    (row,) = live.lines(80).rows
    assert [(segment.text, segment.style) for segment in row[1:]] == [
        ("bold and ", LOOK.strong),
        ("co", LOOK.strong + LOOK.inline_code),
    ]


def test_a_mark_that_may_become_a_list_a_rule_or_a_fence_is_not_shown_before_it_is_known() -> None:
    live = LiveMarkdown(LOOK)
    live.append("text\n\n")
    before = len(live.lines(80).rows)
    for mark in ("-", "--", "---"):
        live.append("-")
        assert len(live.lines(80).rows) == before, mark


def test_nothing_can_be_added_to_a_finished_text() -> None:
    live = LiveMarkdown(LOOK)
    live.finish()
    live.finish()
    with pytest.raises(ValueError, match="finished"):
        live.append("more")
