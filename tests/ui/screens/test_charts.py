"""The charts: what they read from a log, and what their keys do."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from diligent_tui.domain.entries import CompactionEntry, CompactionRevertEntry, Entry, ModelChangeEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.progress import tell_nobody
from diligent_tui.ui.screens.charts import ChartsScreen, begin_reading
from diligent_tui.ui.screens.charts.branches import MOST_BRANCHES, read_branches
from diligent_tui.ui.screens.charts.history import read_history
from diligent_tui.ui.screens.charts.sheet import (
    Figures,
    branch_chart,
    context_chart,
    cost_chart,
    draw_sheet,
    tokens_chart,
)
from diligent_tui.ui.widgets.chart import BLOCKS, Mark
from tests.ui.screens.charts_stage import FREE, PRICED, ChartsApp, Log, drawn, figures_of, long_session, shown
from tests.ui.stage import ask, make_app, ready, settled


def a_short_log() -> Log:
    """Two turns with a compaction and another model between them."""
    log = Log()
    log.ask("one", 10_000, 20_000)
    kept_id = log.leaf_id or ""
    log.add(CompactionEntry(summary="…", first_kept_entry_id=kept_id))
    log.add(CompactionEntry(summary="edited", first_kept_entry_id=kept_id, supersedes="e3"))
    log.ask("two", 5_000, model="opus")
    return log


def test_each_request_counts_with_its_turn_and_lenses_are_marked_before_the_next() -> None:
    log = a_short_log()
    history = read_history(log.path, log.entries.__getitem__, lambda _: PRICED)
    assert history.context_tokens == (10_000, 20_000, 5_000)
    assert [(turn.entry_id, turn.requests, turn.context_tokens) for turn in history.turns] == [
        ("e0", 2, 20_000),
        ("e5", 1, 5_000),
    ]
    assert history.marks == (Mark(2, "compaction"), Mark(2, "model"))
    assert history.requests_of(0) == range(2)
    assert history.turns[0].cache_percent == pytest.approx(100 * 27_000 / 29_600)
    assert history.cost == pytest.approx(sum(turn.cost or 0 for turn in history.turns))
    assert history.cost is not None
    assert history.cost > 0.01


def test_a_revert_of_a_revert_is_a_redo_and_no_undo() -> None:
    log = Log()
    log.ask("one", 10_000)
    target_id = log.add(CompactionEntry(summary="…", first_kept_entry_id="e0"))
    for _ in range(3):
        target_id = log.add(CompactionRevertEntry(target_id=target_id))
    history = read_history(log.path, log.entries.__getitem__, lambda _: PRICED)
    assert [mark.kind for mark in history.marks] == ["compaction", "undo", "redo", "undo"]


def test_another_model_is_marked_where_it_was_chosen_and_another_thinking_level_is_none() -> None:
    log = Log()
    log.add(ModelChangeEntry(provider="anthropic", model_id="sonnet"))
    log.ask("one", 10_000)
    log.add(ModelChangeEntry(provider="anthropic", model_id="sonnet", thinking="high"))
    log.ask("two", 11_000)
    log.add(ModelChangeEntry(provider="anthropic", model_id="opus"))
    seen = partial(read_history, log.path, log.entries.__getitem__, lambda _: PRICED)
    assert seen().marks == seen(next_model_id="anthropic/opus").marks == (Mark(2, "model"),)
    assert seen(next_model_id="anthropic/sonnet").marks == (Mark(2, "model"), Mark(2, "model"))


def test_what_is_in_the_context_now_is_the_last_point_the_size_of_here_and_maybe_the_highest() -> None:
    log = Log()
    log.ask("one", 4_000, 10_000)
    counted = replace(figures_of(log), now_tokens=10_000)
    assert counted.context_tokens == (4_000, 10_000)
    assert [words for words, _ in context_chart(counted, 80, 4, None, BLOCKS).numbers] == [
        "10k of 200k",
        "highest 10k",
    ]
    guessed = replace(counted, now_tokens=13_000, is_estimated=True)
    assert guessed.context_tokens == (4_000, 10_000, 13_000)
    assert [words for words, _ in context_chart(guessed, 80, 4, None, BLOCKS).numbers] == [
        "≈13k of 200k",
        "highest ≈13k",
    ]
    (line,) = branch_chart(guessed, 80, BLOCKS, 4).rows
    assert "≈13k" in "".join(text for text, _ in line)


def test_an_unknown_price_makes_the_cost_unknown_and_not_nothing() -> None:
    log = a_short_log()
    history = read_history(log.path, log.entries.__getitem__, lambda name: PRICED if "sonnet" in name else None)
    assert history.turns[0].cost is not None
    assert history.turns[1].cost is None
    assert history.cost is None
    assert history.known_cost == history.turns[0].cost


@pytest.mark.parametrize(("size", "total"), [(40_000, "at least $0.03 in all"), (1_000, "– in all")])
def test_of_a_cost_that_is_partly_unknown_the_known_part_is_told(size: int, total: str) -> None:
    log = Log()
    log.ask("one", size)
    log.ask("two", 5_000, model="opus")
    path = read_history(log.path, log.entries.__getitem__, lambda name: PRICED if "sonnet" in name else None)
    assert cost_chart(Figures(path), 80, 4, None, BLOCKS).numbers[0][0] == total


def test_an_entry_that_cannot_be_read_is_passed_over() -> None:
    log = a_short_log()

    def read(entry_id: str) -> Entry:
        if entry_id == "e1":
            raise StorageError("gone")
        return log.entries[entry_id]

    assert read_history(log.path, read, lambda _: None).context_tokens == (20_000, 5_000)


def test_only_answers_and_lenses_are_read() -> None:
    log = long_session()
    asked: list[str] = []

    def read(entry_id: str) -> Entry:
        asked.append(entry_id)
        return log.entries[entry_id]

    read_history(log.path, read, lambda _: None)
    assert not {node.id for node in log.path if node.is_prompt} & set(asked)


def test_the_way_to_the_leaf_is_the_trunk_and_others_hang_where_they_left() -> None:
    log = Log()
    log.ask("one", 1_000)
    log.ask("two", 2_000)
    fork_id = log.leaf_id or ""
    log.ask("three", 3_000)
    log.ask("other three", 4_000, parent_id=fork_id)
    log.ask("four", 5_000)
    lines, count = read_branches(log.nodes, log.leaf_id, {"e4": "tried"}, log.entries.__getitem__)
    assert count == 2
    assert [(line.start, line.end, line.parent, line.words, line.size, line.is_here) for line in lines] == [
        (0, 4, None, "one", "5.0k", True),
        (2, 3, 0, "tried", "3.0k", False),
    ]


def test_very_many_branches_are_counted_and_not_all_drawn() -> None:
    log = Log()
    log.ask("begin", 1_000)
    fork_id = log.leaf_id or ""
    for number in range(60):
        log.ask(f"try {number}", 2_000, parent_id=fork_id)
    lines, count = read_branches(log.nodes, log.leaf_id, {}, log.entries.__getitem__)
    assert (len(lines), count) == (MOST_BRANCHES, 60)
    rows = ["".join(text for text, _ in row) for row in draw_sheet(figures_of(log), 78, 20, None)]
    assert any("more. The tree shows them all." in row for row in rows)


async def test_the_keys_walk_along_the_turns_and_tell_their_numbers() -> None:
    app = ChartsApp(long_session())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await drawn(pilot)
        assert "▴" not in "".join(shown(screen))
        await pilot.press("left")
        assert "turn 41 of 41" in str(screen.query_one("#charts-told").render())
        await pilot.press("home", "right")
        told = str(screen.query_one("#charts-told").render())
        assert "turn 2 of 41" in told
        assert "and now the tests, part 1" in told
        assert "▴" in "".join(shown(screen))


@pytest.mark.parametrize("turn", [0, 16, 40])
def test_the_marked_bar_is_that_of_the_turn_that_is_told(turn: int) -> None:
    log = Log()
    for number in range(41):
        log.ask(f"turn {number + 1}", 50_000 if number == turn else 1_000)
    chart = tokens_chart(figures_of(log), 100, 4, turn, BLOCKS)
    top, axis = ("".join(text for text, _ in chart.rows[row]) for row in (1, -1))
    assert "▴" in axis
    assert [at for at, glyph in enumerate(axis) if glyph == "▴"] == [at for at, glyph in enumerate(top) if glyph == "█"]


def test_the_limit_is_labelled_with_the_limit_and_not_with_what_went_over_it() -> None:
    rows = context_chart(figures_of(long_session()), 100, 10, None, BLOCKS).rows
    words = ["".join(text for text, _ in row).split("│")[0].strip() for row in rows[:10]]
    assert (words[0], words[5]) == ("200k", "100k")


def test_where_nothing_was_paid_there_is_a_sentence_and_no_axis() -> None:
    for model, sentence in ((FREE, "this model is free"), (None, "The price of this model is not known")):
        chart = cost_chart(figures_of(long_session(), model=model), 60, 6, None, BLOCKS)
        words = "".join(text for row in chart.rows for text, _ in row)
        assert sentence in words
        assert "│" not in words
        assert not any("dearest" in number for number, _ in chart.numbers)


@pytest.mark.parametrize("requests", [(400,), (4_000,), (40_000,), (40_000,) * 30])
def test_every_label_of_the_cost_is_the_true_value_of_its_row(requests: tuple[int, ...]) -> None:
    log = Log()
    log.ask("one", *requests)
    rows = ["".join(text for text, _ in row) for row in cost_chart(figures_of(log), 60, 6, None, BLOCKS).rows]
    top, middle = (float(rows[row].split("│")[0].strip().removeprefix("$")) for row in (0, 3))
    assert middle == pytest.approx(top / 2)


async def test_while_it_reads_it_says_so_and_only_leaving_is_offered() -> None:
    app = ChartsApp(long_session())
    app.may_read.clear()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert str(app.charts.query_one("#charts-teaching").render()) == "Reading …"
        assert app.charts.query_one("#charts-teaching").region.height > 0
        assert str(app.charts.query_one("#charts-keys").render()).strip() == "esc close"
        app.may_read.set()
        screen = await drawn(pilot)
        assert "← → walk the turns" in str(screen.query_one("#charts-keys").render())
        assert not app.charts.query_one("#charts-teaching").region.height


async def test_only_keys_that_do_something_are_offered() -> None:
    app = ChartsApp(long_session())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await drawn(pilot)
        keys = screen.query_one("#charts-keys")
        assert str(keys.render()).split("  ") == [" ← → walk the turns", "r read again", "esc close"]
        await pilot.press("left")
        assert "⏎ to the chat" in str(keys.render())
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.pause()
        assert "↑ ↓ scroll" in str(keys.render())


async def test_enter_closes_with_the_turn_and_escape_with_nothing() -> None:
    app = ChartsApp(long_session())
    async with app.run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        await pilot.press("enter", "home", "enter")
        await pilot.pause()
        assert app.answers == ["e0"]
    other = ChartsApp(long_session())
    async with other.run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        await pilot.press("home", "escape", "enter")
        await pilot.pause()
        assert other.answers == [None]


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (60, 20), (200, 60)])
async def test_charts_keep_within_any_screen(size: tuple[int, int]) -> None:
    async with ChartsApp(long_session()).run_test(size=size) as pilot:
        screen = await drawn(pilot)
        await pilot.press("left", "pagedown", "end")
        await pilot.pause()
        assert all(len(row) <= size[0] for row in shown(screen))


async def test_the_slash_word_shows_the_session_and_enter_goes_to_its_turn(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        await ask(pilot, "and again")
        app.main.prompt.set_text("/charts")
        await pilot.press("enter")
        while not isinstance(screen := app.screen, ChartsScreen) or screen.board.figures is None:
            await pilot.pause(0.005)
        assert [turn.requests for turn in screen.board.figures.path.turns] == [1, 1]
        assert "hello" in str(screen.query_one("#charts-top").render())
        await pilot.press("home", "enter")
        await settled(pilot)
        assert app.screen is app.main
        assert core.session is not None
        block = core.chat.cursor_block
        assert block is not None
        assert block.entry_id == core.session.conversation.path[0].id


async def test_a_model_chosen_for_the_next_request_is_marked_at_what_is_in_the_context_now(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        session = core.session
        assert session is not None
        counted = begin_reading(session, None)(tell_nobody)
        assert (counted.has_moved, counted.is_estimated, counted.path.marks) == (False, False, ())
        await session.set_model(replace(session.model, name="two"))
        guessed = begin_reading(session, None)(tell_nobody)
        assert (guessed.is_estimated, guessed.path.marks) == (True, (Mark(1, "model"),))
        assert guessed.context_tokens[-1] == session.measure().tokens
