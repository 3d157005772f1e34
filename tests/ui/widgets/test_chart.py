"""Pictures of numbers, as rows of text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.ui.widgets.chart import (
    ASCII,
    BLOCKS,
    LABEL_COLUMNS,
    BranchLine,
    Glyphs,
    Mark,
    Plot,
    Row,
    barred,
    draw_branches,
    draw_plot,
    nice_top,
    sparkline,
    stretched,
    width_of,
)


def text(rows: list[Row]) -> list[str]:
    return ["".join(piece for piece, _ in row).rstrip() for row in rows]


def thousands(value: float) -> str:
    return f"{value / 1_000:g}k"


@pytest.mark.parametrize(
    ("highest", "top"),
    [
        (0, 1.0),
        (5e-324, 1e-9),
        (0.0031, 0.004),
        (0.011, 0.02),
        (7, 8.0),
        (10, 10.0),
        (84_000, 100_000.0),
        (201_000, 300_000.0),
    ],
)
def test_the_top_of_a_chart_is_a_round_number(highest: float, top: float) -> None:
    assert nice_top(highest) == pytest.approx(top)


@given(st.integers(1, 500), st.integers(1, 200))
def test_every_item_stands_in_a_column_and_every_column_has_one(count: int, columns: int) -> None:
    found = stretched(count, columns)
    assert len(found) == columns
    assert all(items for items in found)
    assert {item for items in found for item in items} == set(range(count))


@given(st.integers(1, 500), st.integers(1, 200))
def test_bars_keep_within_their_room_and_leave_nobody_out(count: int, columns: int) -> None:
    found = barred(count, columns)
    assert len(found) <= columns
    assert {item for items in found for item in items} == set(range(count))


def test_an_area_rises_with_its_values_and_marks_stand_on_its_axis() -> None:
    plot = Plot(
        [1_000, 2_000, 4_000, 1_000],
        thousands,
        4_000,
        is_area=True,
        pick="max",
        marks=[Mark(3, "prune"), Mark(3, "compaction"), Mark(9, "model")],
        chosen=range(1, 2),
    )
    assert text(draw_plot(plot, LABEL_COLUMNS + 1 + 8, 4)) == [
        "     4k│    ██",
        "       │    ██",
        "       │  ████",
        "       │████████",
        "      0└──▴▴─▒⟳⇄",
    ]


def test_what_was_undone_and_redone_at_one_place_is_read_in_that_order() -> None:
    happened = [Mark(1, "compaction"), Mark(1, "undo"), Mark(1, "redo")]
    axis = text(draw_plot(Plot([1, 2, 3], str, is_area=True, marks=happened), LABEL_COLUMNS + 1 + 18, 2))[-1]
    assert "⟳↶↷" in axis


def test_marks_of_one_place_stand_beside_each_other_and_of_too_many_the_weightiest_are_seen() -> None:
    happened = [Mark(1, kind) for kind in ("model", "compaction", "model", "redo", "undo")]
    axis = text(draw_plot(Plot([1, 2, 3], str, is_area=True, marks=happened), LABEL_COLUMNS + 1 + 18, 2))[-1]
    assert axis == "      0└─────⇄⟳↶↷⇄────────"
    crowd = [Mark(1, "prune")] * 9 + [Mark(1, "compaction")]
    axis = text(draw_plot(Plot([1, 2, 3], str, is_area=True, marks=crowd), LABEL_COLUMNS + 1 + 18, 2))[-1]
    assert axis == "      0└───▒▒▒⟳▒▒▒────────"


def test_the_last_value_has_its_own_column_where_others_share_theirs() -> None:
    values = [8.0] * 30 + [4.0]
    plot = Plot(values, str, 8.0, is_area=True, pick="max")
    assert text(draw_plot(plot, LABEL_COLUMNS + 1 + 5, 2))[0].endswith("│█████")
    assert text(draw_plot(replace(plot, is_last_apart=True), LABEL_COLUMNS + 1 + 5, 2))[0].endswith("│████")


def test_letters_serve_where_there_are_no_blocks() -> None:
    rows = draw_plot(Plot([1, 3, 2], str, 4, marks=[Mark(0, "compaction")]), LABEL_COLUMNS + 1 + 9, 2, ASCII)
    assert text(rows) == ["      4|   ::", "       |:: ## ##", "      0+C--------"]
    assert "".join(text(rows)).isascii()


def test_what_is_unknown_leaves_its_place_empty_and_what_is_tiny_shows() -> None:
    rows = text(draw_plot(Plot([None, 0.001, 100], str, 100), LABEL_COLUMNS + 1 + 9, 2))
    assert rows[1] == "       │   ▁▁ ██"


def test_the_limit_is_a_line_behind_the_values() -> None:
    rows = text(draw_plot(Plot([1, 4], str, 4, is_area=True, limit=4), LABEL_COLUMNS + 1 + 4, 2))
    assert rows[0] == "      4│╌╌██"


def test_a_limit_below_the_top_has_its_label_and_its_half_where_they_lie() -> None:
    rows = text(draw_plot(Plot([1, 9_000], thousands, 9_000, is_area=True, limit=6_000), LABEL_COLUMNS + 1 + 4, 6))
    assert [row.split("│")[0].strip() for row in rows[:6]] == ["9k", "", "6k", "", "3k", ""]


def test_a_label_that_has_no_room_is_left_out_and_not_cut() -> None:
    rows = text(draw_plot(Plot([0.3], lambda value: f"${value:.6f}", 0.5), LABEL_COLUMNS + 1 + 4, 6))
    assert [row.split("│")[0].strip() for row in rows[:6]] == [""] * 6


@given(
    st.lists(st.one_of(st.none(), st.floats(0, 1e9)), max_size=80),
    st.integers(1, 90),
    st.integers(1, 12),
    st.booleans(),
    st.sampled_from([BLOCKS, ASCII]),
    st.booleans(),
)
def test_a_plot_has_exactly_the_size_asked_for(
    values: list[float | None], width: int, height: int, is_area: bool, glyphs: Glyphs, is_apart: bool
) -> None:
    marks = [Mark(1, "model"), Mark(1, "prune"), Mark(99, "undo"), Mark(99, "undo")]
    plot = Plot(values, lambda _: "1", is_area=is_area, chosen=range(2, 4), limit=5, marks=marks)
    plot = replace(plot, is_last_apart=is_apart)
    rows = draw_plot(plot, width, height, glyphs)
    assert len(rows) == height + 1
    assert {width_of(row) for row in rows} == {max(width, LABEL_COLUMNS + 2)}


@pytest.mark.parametrize(
    ("values", "columns", "line"),
    [((), 5, ""), ((1, 8), 5, "▁█"), ((0, None, 4), 3, "  █"), ((1, 2, 3, 4, 5, 6, 7, 8), 4, "▂▄▆█")],
)
def test_a_sparkline_shows_how_values_went(values: tuple[float | None, ...], columns: int, line: str) -> None:
    assert sparkline(values, columns) == line


def test_branches_leave_where_they_fork_and_no_lines_cross() -> None:
    lines = [
        BranchLine(0, 10, None, "main", "84k", is_here=True),
        BranchLine(8, 9, 0, "again", "9k"),
        BranchLine(4, 7, 0, "try", "41k"),
        BranchLine(4, 5, 0, "other", "1k"),
    ]
    assert text(draw_branches(lines, 42)) == [
        "━━━━━━━━┳━━━━━━━┳━━━● 84k  main",
        "        ┃       ┗━╸    9k  again",
        "        ┣━━━━━╸       41k  try",
        "        ┗━╸            1k  other",
    ]


def test_wide_letters_keep_within_the_width() -> None:
    lines = [BranchLine(0, 1, None, "你好世界" * 10, "1k")]
    assert width_of(draw_branches(lines, 40)[0]) <= 40
