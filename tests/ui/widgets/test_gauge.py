"""The gauge: every kind has its own glyph, the cells add up, and words say what the colours do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.ui.widgets.gauge import FREE, SHADES, Fill, Level, bar, by_shade, figures, legend, split_cells

KINDS = ("system", "tools", "knowledge", "summary", "ledgers", "pins", "turns", "of a later version")
PARTS = (("system", 9_000), ("tools", 6_000), ("knowledge", 2_000), ("summary", 3_000), ("ledgers", 1_000))
TALK = (("pins", 500), ("turns", 62_500))


@given(
    st.dictionaries(st.sampled_from(KINDS), st.integers(0, 10**6)).map(lambda parts: tuple(parts.items())),
    st.integers(0, 120),
)
def test_the_cells_of_the_kinds_are_all_the_cells_there_are(parts: tuple[tuple[str, int], ...], cells: int) -> None:
    given_cells = split_cells(parts, cells)
    assert sum(given_cells.values()) == cells
    assert all(count >= 0 for count in given_cells.values())
    if cells >= len(by_shade(parts)):
        assert all(given_cells[kind] for kind in by_shade(parts))


def test_every_kind_is_told_apart_without_colour() -> None:
    glyphs = [shade.glyph for shade in SHADES.values()]
    assert len({*glyphs, FREE}) == len(glyphs) + 1


def test_a_ledger_is_part_of_the_summary_and_an_unknown_kind_is_talk() -> None:
    assert by_shade((("summary", 3), ("ledgers", 2), ("later", 4))) == {"summary": 5, "turns": 4}


def test_a_larger_kind_has_more_cells_in_the_order_of_the_request() -> None:
    fill = Fill(84_000, 200_000, (*PARTS, *TALK))
    drawn = bar(fill, 50).plain
    assert drawn == "▓▓▒░≡◆" + "█" * 15 + FREE * 29


@pytest.mark.parametrize(
    ("tokens", "level", "word"),
    [
        (0, "calm", ""),
        (79_900, "calm", ""),
        (80_000, "warning", "getting full"),
        (94_900, "warning", "getting full"),
        (95_000, "critical", "almost full"),
        (120_000, "critical", "almost full"),
    ],
)
def test_what_the_colour_warns_of_a_word_says_too(tokens: int, level: Level, word: str) -> None:
    fill = Fill(tokens, 100_000, TALK)
    assert fill.level == level
    assert figures(fill).plain.endswith(word or "%")
    assert len(bar(fill, 20).plain) == 20


def test_an_estimate_and_an_assumed_window_are_said_to_be_so() -> None:
    assert figures(Fill(84_000, 200_000)).plain == "84k / 200k  42 %"
    assert figures(Fill(84_000, 200_000, is_estimated=True, limit_is_assumed=True)).plain == "≈84k / 200k?  42 %"
    assert figures(Fill(None, None)).plain == "– / –  –"


@pytest.mark.parametrize(
    ("tokens", "limit", "told"),
    [
        (31_600, 32_000, "31.6k / 32k  99 % almost full"),
        (31_999, 32_000, "31.9k / 32k  99 % almost full"),
        (32_000, 32_000, "32k / 32k  100 % almost full"),
        (1_990_000, 2_000_000, "1.9M / 2.0M  99 % almost full"),
        (31_400, 32_000, "31k / 32k  98 % almost full"),
    ],
)
def test_a_context_that_is_not_full_never_looks_full(tokens: int, limit: int, told: str) -> None:
    assert figures(Fill(tokens, limit)).plain == told


def test_anything_at_all_shows_and_nothing_does_not() -> None:
    assert bar(Fill(1, 1_000_000, TALK), 20).plain.count(FREE) == 19
    assert bar(Fill(0, 1_000_000), 20).plain == FREE * 20
    assert bar(Fill(None, None), 20).plain == FREE * 20


def test_the_legend_names_each_glyph_of_the_bar_with_its_tokens() -> None:
    assert [piece.plain for piece in legend((*PARTS, *TALK))] == [
        "▓ system 9.0k",
        "▒ tools 6.0k",
        "░ knowledge 2.0k",
        "≡ summary 4.0k",
        "◆ pins 500",
        "█ turns 62k",
    ]
