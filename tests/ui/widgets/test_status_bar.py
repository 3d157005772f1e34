"""The bottom line: the gauge glides and rests, a compaction is told as it goes on, and the keys are those of here."""

import re
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.ui.commands import COMMANDS, Where
from diligent_tui.ui.state import Phase, ScreenState, Writing
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES
from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.status_bar import TICKS_PER_SECOND, StatusBar

PARTS = (("system", 9_000), ("tools", 6_000), ("turns", 69_000))
CALM = ScreenState(phase="idle", tokens=84_000, limit=200_000, is_estimated=False, parts=PARTS)
FULL = replace(CALM, tokens=168_000)


class ChatPane(Static, can_focus=True):
    """Has the name by which the chat is known."""


class BarApp(App[None]):
    """A prompt, a chat and the bottom line."""

    CSS_PATH = style_paths()

    def __init__(self, *, is_still: bool = False) -> None:
        super().__init__()
        self.register_theme(THEMES["dark"])
        self.theme = THEMES["dark"].name
        self.bar = StatusBar()
        self.bar.is_still = is_still
        self.chat = ChatPane()

    def compose(self) -> ComposeResult:
        yield self.chat
        yield PromptInput(recall=lambda: False)
        yield self.bar


async def rests(pilot: Pilot[None], bar: StatusBar) -> list[float]:
    """The shares that the gauge shows on its way, until it shows the true one."""
    seen: list[float] = []
    target = (bar.state.tokens or 0) / (bar.state.limit or 1) if bar.state else 0.0
    while not seen or seen[-1] != target:
        seen.append(bar.shown_share or 0.0)
        await pilot.pause(0.01)
    return seen


async def test_the_gauge_glides_to_another_figure_and_then_nothing_ticks() -> None:
    app = BarApp()
    async with app.run_test(size=(120, 10)) as pilot:
        app.bar.state = CALM
        assert app.bar.shown_share == 0.42
        app.bar.state = FULL
        seen = await rests(pilot, app.bar)
        assert seen == sorted(seen)
        assert any(0.42 < share < 0.84 for share in seen)
        app.bar.state = CALM
        seen = await rests(pilot, app.bar)
        assert seen == sorted(seen, reverse=True)


async def test_the_gauge_jumps_where_motion_is_unwanted() -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(120, 10)):
        app.bar.state = CALM
        app.bar.state = FULL
        assert app.bar.shown_share == 0.84


@pytest.mark.parametrize(
    ("passed_seconds", "rest"), [(0.5, ""), (4.0, " · about 4 s left"), (90.0, " · about 2 min left")]
)
async def test_a_summary_tells_how_much_of_it_is_written_and_how_long_the_rest_will_take(
    monkeypatch: pytest.MonkeyPatch, passed_seconds: float, rest: str
) -> None:
    app = BarApp()
    async with app.run_test(size=(160, 10)):
        monkeypatch.setattr("diligent_tui.ui.widgets.status_bar.time.monotonic", lambda: 100.0)
        writing = Writing(90.0, "summarising", 100.0 - passed_seconds, 600, words=300)
        app.bar.state = replace(CALM, phase="compacting", compacting=writing)
        told = app.bar.render().plain
        monkeypatch.undo()
        assert f"(300 of about 600 words{rest})" in told


@pytest.mark.parametrize("columns", [80, 100, 120])
async def test_how_long_a_summary_will_take_is_told_on_narrow_screens_too(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = BarApp()
    async with app.run_test(size=(columns, 10)):
        monkeypatch.setattr("time.monotonic", lambda: 100.0)
        writing = Writing(90.0, "summarising", 90.0, 600, words=300)
        app.bar.state = replace(CALM, phase="compacting", compacting=writing)
        told = app.bar.render().plain
        monkeypatch.undo()
        assert "about 10 s left" in told


async def test_of_a_summary_in_parts_the_rest_of_all_of_them_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    app = BarApp()
    async with app.run_test(size=(180, 10)):
        monkeypatch.setattr("diligent_tui.ui.widgets.status_bar.time.monotonic", lambda: 100.0)
        writing = Writing(60.0, "summarising", 70.0, 600, words=300, part=3, parts=5)
        app.bar.state = replace(CALM, phase="compacting", compacting=writing)
        told = app.bar.render().plain
        monkeypatch.undo()
        assert "(part 3 of 5, 300 of about 600 words · about 30 s left)" in told


async def test_no_time_is_told_where_motion_is_unwanted() -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(160, 10)):
        app.bar.state = replace(CALM, phase="compacting", compacting=Writing(0.0, "summarising", 0.0, 600, words=300))
        assert "(300 of about 600 words)" in app.bar.render().plain


async def test_a_compaction_is_told_with_its_phase_its_time_and_the_words_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = BarApp()
    async with app.run_test(size=(160, 10)):
        monkeypatch.setattr("time.monotonic", lambda: 100.0)
        app.bar.state = replace(CALM, phase="compacting", compacting=Writing(88.0, "summarising", words=312))
        told = app.bar.render().plain
        monkeypatch.undo()
        assert "compacting · summarising" in told
        assert told.index(" 12 s ") < told.index("(312 words)")


async def test_the_keys_of_the_place_that_has_the_focus_stand_first() -> None:
    app = BarApp()
    async with app.run_test(size=(160, 10)) as pilot:
        app.bar.state, app.bar.fold_word = CALM, "open"
        app.query_one(PromptInput).focus()
        await pilot.pause()
        here = [command.title.lower() for command in COMMANDS if command.where == "log" and command.in_footer]
        assert here
        assert not any(f" {title}" in app.bar.render().plain for title in here)
        app.chat.focus()
        await pilot.pause()
        told = app.bar.render().plain
        assert [told.index(f" {title}") for title in here] == sorted(told.index(f" {title}") for title in here)
        assert told.index(f" {here[-1]}") < told.index("F1 help")


async def test_a_narrow_line_keeps_the_gauge_with_its_word_and_the_way_to_help() -> None:
    app = BarApp()
    async with app.run_test(size=(60, 10)):
        app.bar.state = FULL
        told = app.bar.render().plain
        assert "84 % getting full" in told
        assert "F1 help" in told
        assert len(told) <= 60


async def test_the_spinner_turns_four_times_a_second_and_not_where_nobody_looks() -> None:
    assert TICKS_PER_SECOND == 4
    app = BarApp()
    async with app.run_test(size=(160, 10)) as pilot:
        app.bar.state = replace(CALM, phase="waiting", busy_since=0.0)
        while app.bar.tick < 2:
            await pilot.pause(0.01)
        app.bar.is_still = True
        stood_at = app.bar.tick
        await pilot.pause(2.5 / TICKS_PER_SECOND)
        assert app.bar.tick == stood_at
        told = app.bar.render().plain
        assert "waiting for the model" in told
        assert not re.search(r"model \d", told)
        app.bar.is_still = False
        while app.bar.tick == stood_at:
            await pilot.pause(0.01)


async def test_the_gauge_is_where_it_belongs_as_soon_as_one_looks_away() -> None:
    app = BarApp()
    async with app.run_test(size=(160, 10)):
        app.bar.state = CALM
        app.bar.state = FULL
        assert app.bar.shown_share != 0.84
        app.bar.is_still = True
        assert app.bar.shown_share == 0.84


async def test_a_longer_gauge_gives_way_to_the_keys_that_stop_and_help() -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(80, 10)):
        app.bar.state = replace(CALM, phase="running", detail="bash, at most 120 s", busy_since=0.0)
        told = app.bar.render().plain
        assert "running" in told
        assert "F1 help" in told
        assert "esc stop" in told


@pytest.mark.parametrize("phase", ["idle", "running", "compacting"])
async def test_there_are_always_two_blanks_before_the_keys(phase: Phase) -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(160, 10)) as pilot:
        app.bar.state = replace(FULL, phase=phase, detail="bash", busy_since=None if phase == "idle" else 0.0)
        for columns in range(40, 161):
            await pilot.resize_terminal(columns, 10)
            told = app.bar.render().plain
            assert len(told) <= columns
            assert re.search(r"\S {1}(?:esc|F\d|ctrl)", told) is None, told


@pytest.mark.parametrize("word", ["open", "fold", ""])
async def test_what_enter_does_in_the_chat_is_told_as_it_is(word: str) -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(160, 10)) as pilot:
        app.bar.state, app.bar.fold_word = CALM, word
        app.chat.focus()
        await pilot.pause()
        assert re.findall(r"⏎ (\w+)", app.bar.render().plain) == ([word] if word else [])


@pytest.mark.parametrize(
    ("where", "phase", "columns", "told"),
    [
        ("prompt", "idle", 80, ""),
        ("prompt", "answering", 80, "esc stop"),
        ("tree", "idle", 80, "esc back"),
        ("tree", "idle", 120, ""),
        ("tree", "answering", 120, "esc back, then stop"),
        ("queue", "answering", 120, ""),
        ("prompt", "asking", 120, ""),
    ],
)
async def test_what_escape_does_is_told_for_where_one_is(where: Where, phase: Phase, columns: int, told: str) -> None:
    app = BarApp(is_still=True)
    async with app.run_test(size=(columns, 10)) as pilot:
        await pilot.pause()
        app.bar.where = where
        app.bar.state = replace(CALM, phase=phase, busy_since=None if phase == "idle" else 0.0)
        assert re.findall(r"esc [a-z, ]*[a-z]", app.bar.render().plain) == ([told] if told else [])
