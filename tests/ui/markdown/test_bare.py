"""A row of words has no signs of a page."""

import pytest

from diligent_tui.ui.markdown.bare import bare_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("### 1. Read `README.md`", "1. Read README.md"),
        ("I am the **rehearsal engine**", "I am the rehearsal engine"),
        ("- one\n  * two\n> three", "one\ntwo\nthree"),
        ("```text\nhi\n```", "text\nhi\n"),
        ("#hashtag and a - b * c stay", "#hashtag and a - b * c stay"),
        ("-5 > -6", "-5 > -6"),
        ("", ""),
    ],
)
def test_signs_of_a_page_are_left_out(text: str, words: str) -> None:
    assert bare_words(text) == words
