"""Text of several lines as the words of one row."""

import pytest

from diligent_tui.ui.widgets.row_text import join_lines


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("", ""),
        ("one", "one"),
        ("one\ntwo", "one · two"),
        ("  one  \r\n\n\t\n two\n", "one · two"),
        ("one\u2028two", "one · two"),
    ],
)
def test_lines_that_say_something_stand_beside_each_other(text: str, row: str) -> None:
    assert join_lines(text) == row
