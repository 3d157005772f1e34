"""Numbers and times in words."""

import pytest

from diligent_tui.ui import format as fmt


@pytest.mark.parametrize(
    ("count", "words"),
    [(None, "–"), (0, "0"), (999, "999"), (1_000, "1.0k"), (8_432, "8.4k"), (84_000, "84k"), (1_250_000, "1.2M")],
)
def test_tokens(count: int | None, words: str) -> None:
    assert fmt.tokens(count) == words


@pytest.mark.parametrize(("dollars", "words"), [(None, "–"), (0.0, "$0.00"), (0.004, "<$0.01"), (1.5, "$1.50")])
def test_money(dollars: float | None, words: str) -> None:
    assert fmt.money(dollars) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.21, "0.2 s"), (12.4, "12 s"), (185.0, "3 min 5 s"), (7_830.0, "2 h 10 min")]
)
def test_duration(seconds: float, words: str) -> None:
    assert fmt.duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "just now"), (125, "2 min ago"), (7_300, "2 h ago"), (2e5, "2 d ago")]
)
def test_age(seconds: float, words: str) -> None:
    assert fmt.age(seconds) == words


def test_count_and_percent() -> None:
    assert (fmt.count(1, "line"), fmt.count(2_000, "line")) == ("1 line", "2,000 lines")
    assert (fmt.percent(None), fmt.percent(41.6)) == ("–", "42 %")
