"""Searching in the chat: where one is among the matches is said, and so is that there are none."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.chat import pane as chat_pane
from diligent_tui.ui.screens.main.search_words import search_words
from diligent_tui.ui.transcript import ChatBlock
from diligent_tui.ui.widgets.virtual_log import Standing
from tests.ui.stage import ask, make_app, ready, settled

GOES_ON = "  n next  N previous  esc ends"


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing(3, 17), "3 of 17 “loader”" + GOES_ON),
        (Standing(3, 1_200, is_counted=False), "3 of 1,200+ “loader”" + GOES_ON),
        (Standing(1, 17, went_round=True), "1 of 17 “loader”, the first again" + GOES_ON),
        (Standing(17, 17, went_round=True), "17 of 17 “loader”, the last again" + GOES_ON),
        (Standing(1, 1, went_round=True), "1 of 1 “loader”, the only one" + GOES_ON),
        (Standing(), "“loader” is nowhere in the chat  esc ends"),
    ],
)
def test_a_search_says_where_it_is(standing: Standing, words: str) -> None:
    assert search_words("loader", standing).plain == words


def test_hostile_words_are_cleaned_and_cut() -> None:
    said = search_words("\x1b[2J\u202e" + "x" * 500 + "[bold]", Standing()).plain
    assert said.isprintable()
    assert len(said) < 80


def badge(app: DiligentApp) -> str:
    static = app.main.query_one("#badge", Static)
    return str(static.content) if static.display else ""


async def search(pilot: Pilot[int], words: str) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.focus()
    app.main.prompt.set_text(f"/search {words}")
    await pilot.press("enter")
    await settled(pilot)


async def test_matches_are_counted_and_gone_through_and_esc_ends_the_search(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        core = await ready(pilot)
        core.chat.take([ChatBlock(f"n{number}", "notice", text=f"swan swan {number}") for number in range(3)])
        await search(pilot, "swan")
        assert core.chat.has_focus
        assert badge(app).startswith("1 of 6 “swan”")
        steps = (("n", "2 of 6"), ("n", "3 of 6"), ("N", "2 of 6"), ("N", "1 of 6"), ("N", "6 of 6 “swan”, the last"))
        for key, place in steps:
            await pilot.press(key)
            await settled(pilot)
            assert badge(app).startswith(place)
        await pilot.press("n")
        await settled(pilot)
        assert badge(app).startswith("1 of 6 “swan”, the first again")
        await pilot.press("escape")
        await settled(pilot)
        assert badge(app) == ""
        assert core.chat.has_focus
        await pilot.press("escape")
        await settled(pilot)
        assert app.main.prompt.has_focus


async def test_words_that_stand_nowhere_are_said_to_and_a_new_session_ends_the_search(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        await search(pilot, "unicorn")
        assert badge(app).startswith("“unicorn” is nowhere in the chat")
        await app.action_new_session()
        await settled(pilot)
        assert badge(app) == ""


async def test_a_long_chat_is_counted_in_portions_until_all_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_pane, "COUNTED_BLOCKS", 10)
    app = make_app(tmp_path)
    told: list[Standing] = []
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        app.main.show_chat()
        core.chat.take([ChatBlock(f"n{number}", "notice", text="swan") for number in range(95)])
        await settled(pilot)
        show = app.main.show_search

        def hear(words: str, standing: Standing) -> None:
            told.append(standing)
            show(words, standing)

        monkeypatch.setattr(app.main, "show_search", hear)
        await search(pilot, "swan")
        while not told[-1].is_counted:
            await pilot.pause()
        assert [standing.count for standing in told] == [*range(10, 95, 10), 95]
        assert "of 95 “swan”" in badge(app)


async def test_footers_are_not_searched(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        await search(pilot, "out ·")
        assert badge(app).startswith("“out ·” is nowhere")
