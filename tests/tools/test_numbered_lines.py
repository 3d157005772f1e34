"""Lines with their numbers, from any place of a text of any length."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.numbered_lines import LineRange, numbered


def shown(text: str, offset: int = 1, limit: int | None = None, limit_bytes: int = 10_000, piece: int = 1_000) -> str:
    lines = LineRange(offset, limit, limit_bytes)
    for start in range(0, len(text), piece):
        lines.feed(text[start : start + piece])
    return numbered(lines, "a.txt", "")


def rows(output: str) -> dict[int, str]:
    return {int(number): line for number, line in re.findall(r"^ *(\d+)\t(.*)$", output, re.MULTILINE)}


@pytest.mark.parametrize(
    ("text", "offset", "limit", "expected"),
    [
        ("", 1, None, "[a.txt is empty]"),
        ("a", 1, None, "     1\ta"),
        ("a\nb\n", 1, None, "     1\ta\n     2\tb"),
        ("a\r\nb\r\n", 1, None, "     1\ta\r\n     2\tb\r"),
        ("\n\n", 1, None, "     1\t\n     2\t"),
        ("a\nb\nc\n", 2, 1, "     2\tb\n[lines 2 to 2 of 3; read on with offset 3]"),
        ("a\nb\nc", 2, None, "     2\tb\n     3\tc\n[lines 2 to 3 of 3]"),
        ("a\nb\nc", 3, 9, "     3\tc\n[lines 3 to 3 of 3]"),
        ("a\u2028b\x85c\n", 1, None, "     1\ta\u2028b\x85c"),
    ],
)
@pytest.mark.parametrize("piece", [1, 2, 1_000])
def test_shows_the_lines_asked_for(text: str, offset: int, limit: int | None, expected: str, piece: int) -> None:
    assert shown(text, offset, limit, piece=piece) == expected


def test_an_offset_past_the_end_says_how_many_lines_there_are() -> None:
    with pytest.raises(ToolError, match="has only 2 lines"):
        shown("a\nb\n", 3)


def test_of_a_long_text_both_ends_are_shown_and_the_rest_can_be_read_on_with_the_offset_named() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 5_001))
    output = shown(text, limit_bytes=4_000)
    assert len(output.encode()) <= 4_000
    found = re.search(r"lines ([\d,]+) to ([\d,]+) \(read them with offset (\d+)\)", output)
    assert found
    first, last = (int(found[group].replace(",", "")) for group in (1, 2))
    assert int(found[3]) == first
    assert rows(output) == {n: f"line {n}" for n in [*range(1, first), *range(last + 1, 5_001)]}
    assert rows(shown(text, first, 1)) == {first: f"line {first}"}


def test_a_line_too_long_to_show_is_shown_at_both_ends_and_named() -> None:
    output = shown("a" * 5_000 + "b" * 5_000, limit_bytes=2_000)
    assert output.startswith("     1\taaa")
    assert output.endswith("bbb")
    assert "the middle of line 1" in output
    assert len(output.encode()) <= 2_000


def test_a_long_first_line_does_not_hide_the_lines_after_it() -> None:
    output = shown("a" * 9_000 + "\nlast\n", limit_bytes=2_000)
    assert "the rest of line 1" in output
    assert output.endswith("     2\tlast")


@given(
    st.lists(st.text(st.sampled_from("ab é😀"), max_size=60), min_size=1, max_size=80),
    st.integers(1, 90),
    st.none() | st.integers(1, 90),
    st.integers(1_200, 2_500),
    st.integers(1, 700),
)
def test_whatever_is_shown_is_right_and_short_enough(
    content: list[str], offset: int, limit: int | None, limit_bytes: int, piece: int
) -> None:
    text = "\n".join(content) + "\n"
    if offset > len(content):
        return
    output = shown(text, offset, limit, limit_bytes, piece)
    assert len(output.encode()) <= limit_bytes
    last = len(content) if limit is None else min(len(content), offset + limit - 1)
    found = rows(output)
    assert all(found[number] == content[number - 1] for number in found)
    assert offset in found
    missing = set(range(offset, last + 1)) - set(found)
    if missing:
        assert f"lines {min(missing)} to {max(missing)}" in output
        assert missing == set(range(min(missing), max(missing) + 1))
    else:
        assert "left out" not in output
