"""How far a work is, in words."""

import pytest

from diligent_tui.domain.progress import Pace, progress_words, rest_words


@pytest.mark.parametrize(
    ("done", "total", "passed_seconds", "words"),
    [
        (0, 2_000, 0.0, "indexing 0 of 2,000"),
        (0, 2_000, 30.0, "indexing 0 of 2,000"),
        (340, 2_000, 0.9, "indexing 340 of 2,000"),
        (340, 2_000, 1.0, "indexing 340 of 2,000 · about 5 s left"),
        (1_999, 2_000, 9.0, "indexing 1,999 of 2,000 · almost done"),
        (2_000, 2_000, 9.0, "indexing 2,000 of 2,000 · almost done"),
        (2_100, 2_000, 9.0, "indexing 2,100 of 2,000 · almost done"),
        (1, 200, 2.0, "indexing 1 of 200 · about 7 min left"),
    ],
)
def test_the_rest_is_guessed_from_what_is_done(done: int, total: int, passed_seconds: float, words: str) -> None:
    assert progress_words("indexing", done, total, passed_seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "almost done"),
        (0.99, "almost done"),
        (1.0, "about 1 s left"),
        (59.0, "about 59 s left"),
        (90.1, "about 2 min left"),
        (7_300.0, "about 2 h left"),
    ],
)
def test_the_unit_fits_the_guess(seconds: float, words: str) -> None:
    assert rest_words(seconds) == words


def test_a_quick_work_says_nothing_and_a_long_one_speaks_seldom() -> None:
    shown: list[str] = []
    times = iter([10.0, *(10.0 + step / 10 for step in range(1, 31))])
    pace = Pace("reading", shown.append, lambda: next(times))
    for done in range(1, 31):
        pace(done, 30)
    assert shown[0] == "reading 5 of 30"
    assert "reading 10 of 30" not in shown
    assert shown[-1] == "reading 29 of 30 · almost done"
    assert len(shown) == 13
