"""Keys are spelled in one way, and the way back is kept however narrow a line is."""

import pytest

from diligent_tui.ui.key_line import GAP, key_name, render_keys, render_leaving, render_pane_keys

HINTS = (("⏎", "open"), ("f", "filter"), ("/", "find"), ("esc", "back"))
WHOLE = "⏎ open  f filter  / find  esc back"


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("f", "f"),
        ("F", "F"),
        ("f1", "F1"),
        ("f12", "F12"),
        ("enter", "⏎"),
        ("escape", "esc"),
        ("ctrl+p", "ctrl+p"),
        ("ctrl+end", "ctrl+end"),
        ("shift+up", "shift+↑"),
        ("+", "+"),
        ("space", "space"),
        ("", ""),
    ],
)
def test_a_key_is_written_in_one_way(key: str, name: str) -> None:
    assert key_name(key) == name


def test_with_room_all_keys_are_said() -> None:
    assert render_keys(HINTS).plain == WHOLE
    assert render_keys(HINTS, len(WHOLE)).plain == WHOLE


def test_the_way_back_stays_and_those_before_it_give_way() -> None:
    assert render_keys(HINTS, len(WHOLE) - 1).plain == GAP.join(("⏎ open", "f filter", "esc back"))
    assert render_keys(HINTS, len("esc back")).plain == "esc back"


def test_without_a_way_back_the_last_give_way() -> None:
    assert render_keys(HINTS[:-1], len("⏎ open  f filter  / fin")).plain == GAP.join(("⏎ open", "f filter"))
    assert render_keys(HINTS[:-1], len("⏎ open")).plain == "⏎ open"


@pytest.mark.parametrize("width", range(-1, len(WHOLE) + 3))
def test_no_line_is_longer_than_its_room(width: int) -> None:
    assert render_keys(HINTS, width).cell_length <= max(1, width)


def test_in_a_pane_the_style_sheet_gives_the_keys_their_colour() -> None:
    assert not [span for span in render_pane_keys(HINTS, 80).spans if "accent" in str(span.style)]
    assert [span for span in render_keys(HINTS).spans if "accent" in str(span.style)]


def test_nothing_to_say_is_an_empty_line() -> None:
    assert render_keys(()).plain == ""


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (80, "Not saved.  s save  x drop the changes  ⏎ go on writing"),
        (54, "Not saved.  s save  x drop  ⏎ go on"),
        (35, "Not saved.  s save  x drop  ⏎ go on"),
        (34, "s save  x drop  ⏎ go on"),
        (23, "s save  x drop  ⏎ go on"),
        (22, "s save  x drop  ⏎"),
        (16, "s save  x  ⏎"),
        (7, "s  x  ⏎"),
    ],
)
def test_however_narrow_a_pane_is_all_answers_to_its_question_are_said(width: int, words: str) -> None:
    assert render_leaving(width).plain == words
