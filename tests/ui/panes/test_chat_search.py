"""Searching in the chat: where one is among the matches is said, and so is that there are none."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.chat import pane as chat_pane
from diligent_tui.ui.panes.chat.searching import markdown_texts
from diligent_tui.ui.screens.main.search_words import search_words
from diligent_tui.ui.transcript import ChatBlock, MemoryNote
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


@pytest.mark.parametrize(
    ("source", "words", "is_there"),
    [
        ("The **rehearsal** engine, *no* `language` model", "engine, no language model", True),
        ("# Plan\n- [ ] read [the file](https://x.org/a)", "read the file", True),
        ("```\n# a comment\nx = 2 * 3\n```", "x = 2 * 3", True),
        ("see snake_case_name and _this_ one", "snake_case_name and this", True),
        ("plain", "nothing", False),
    ],
)
def test_an_answer_is_searched_as_it_is_seen_and_as_it_was_written(source: str, words: str, is_there: bool) -> None:
    core = max(words.split(), key=len)
    assert any(words in text for text in markdown_texts(source, core)) == is_there


async def test_what_stands_on_screen_is_found_in_answers_cards_and_rows_of_memory(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        chat = (await ready(pilot)).chat
        card = ChatBlock("c", "tool", tool_name="bash", subject="make swans", text="swans\nexit code 3", state="failed")
        card = replace(card, exit_code=3)
        chat.take([card, ChatBlock("m", "memory", text="**Seven** swans.", memory=MemoryNote("compacted"))])
        await search(pilot, "engine, no language")
        assert badge(app).startswith("1 of 1")
        for words, place in (("make swans", "c"), ("exit 3", "c"), ("compacted", "m"), ("Seven swans", "m")):
            await search(pilot, words)
            assert badge(app).startswith("1 of 1"), words
            assert chat.cursor_block is not None
            assert chat.cursor_block.id == place


async def test_a_match_that_a_folded_card_does_not_show_opens_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        chat = (await ready(pilot)).chat
        app.main.show_chat()
        chat.take([ChatBlock("c", "tool", tool_name="bash", subject="make swans", text="one\nswans\nmore")])
        await settled(pilot)
        await search(pilot, "swans")
        assert badge(app).startswith("1 of 2")
        assert chat.model.blocks.is_folded("c")
        await pilot.press("n")
        await settled(pilot)
        assert not chat.model.blocks.is_folded("c")
        shown = chat.shown_current_match("c")
        assert shown is not None
        assert shown.line == 2


async def test_a_slash_in_the_chat_begins_a_search(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        (await ready(pilot)).chat.focus()
        await pilot.press("slash")
        await pilot.pause()
        assert app.main.prompt.has_focus
        assert app.main.prompt.text == "/search "
