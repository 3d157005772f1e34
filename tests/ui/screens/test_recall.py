"""The search over a session by its keys."""

import asyncio

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.progress import Tell
from diligent_tui.session.recall import Hit
from diligent_tui.ui.screens.recall import RecallChoice, RecallScreen
from diligent_tui.ui.screens.recall.found import Asked
from tests.ui.screens.recall_stage import Searched, a_session, at_rest, clock, open_recall, shown
from tests.ui.screens.sessions_stage import BareApp


class CopyingApp(BareApp):
    """Keeps what is to be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.copied: list[str] = []

    def on_recall_screen_copy_requested(self, message: RecallScreen.CopyRequested) -> None:
        self.copied.append(message.text)


async def type_keys(pilot: Pilot[int], screen: RecallScreen, *keys: str) -> None:
    await pilot.press(*keys)
    await at_rest(pilot, screen)


async def test_what_is_typed_is_found_and_enter_goes_there() -> None:
    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen, answers, _ = await open_recall(pilot)
        assert "Type words from it" in shown(screen)
        await type_keys(pilot, screen, *"file twice?")
        assert "found, best first" in shown(screen)
        assert "why does the loader read the file twice?" in shown(screen)
        await type_keys(pilot, screen, "enter")
    assert answers == [RecallChoice("show", "00000000")]


async def test_the_text_of_the_hit_stands_beside_from_the_line_that_matches() -> None:
    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen, _, _ = await open_recall(pilot, "load_config")
        assert "00000002 · result of read · from line" in shown(screen)
        assert "text = path.read_text()" in shown(screen)
        assert "LIMIT_3 = 3" not in shown(screen)
        await type_keys(pilot, screen, *["shift+up"] * 40)
        assert "LIMIT_3 = 3" in shown(screen)
        assert "81 lines" in shown(screen)


async def test_arrows_move_while_one_types_and_letters_act_after_tab() -> None:
    app = CopyingApp()
    async with app.run_test(size=(120, 40)) as pilot:
        screen, answers, searched = await open_recall(pilot, "positions")
        assert "1 of 5 found" in shown(screen)
        await type_keys(pilot, screen, "down", "tab", "j", "k", "G", "g", "j")
        assert "2 of 5 found" in shown(screen)
        await type_keys(pilot, screen, "y")
        assert len(app.copied) == 1
        assert f"Copied, {len(app.copied[0]):,} characters." in shown(screen)
        await type_keys(pilot, screen, "/", "y")
        assert searched.asked == ["positions", "positionsy"]
        assert "Nothing in this session has these words" in shown(screen)
        await type_keys(pilot, screen, "escape")
    assert answers == [None]


async def test_a_quote_names_its_entry() -> None:
    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen, answers, _ = await open_recall(pilot, "PositionError")
        await type_keys(pilot, screen, "tab", "i")
    assert answers == [
        RecallChoice(
            "quote",
            "00000004",
            "From 00000004 (result of bash make test):\n"
            "> FAILED tests/test_loader.py::test_positions - PositionError: no position for key 'theme.dark'\n"
            "> 1 failed\n",
        )
    ]


async def test_keys_typed_behind_the_one_that_closes_are_nobodys() -> None:
    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        _, answers, searched = await open_recall(pilot, "positions")
        await pilot.press("enter", "x", "enter", "escape")
    assert [answer.kind for answer in answers if answer] == ["show"]
    assert searched.asked == ["positions"]


async def test_while_a_search_runs_only_the_newest_words_wait() -> None:
    session = Searched(a_session())
    let_go = asyncio.Event()
    asked: list[str] = []

    async def slow(words: str, tell: Tell) -> tuple[Hit, ...]:
        asked.append(words)
        await let_go.wait()
        return await session.search(words, tell)

    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen = RecallScreen(slow, session.entries.__getitem__, clock=clock)
        await pilot.app.push_screen(screen)
        await pilot.press(*"twice")
        await pilot.pause()
        assert asked == ["t"]
        assert "Searching …" in shown(screen)
        let_go.set()
        await at_rest(pilot, screen)
        assert asked == ["t", "twice"]
        assert "why does the loader read the file twice?" in shown(screen)


async def test_a_search_that_fails_says_so() -> None:
    async def broken(_: str, __: Tell) -> tuple[Hit, ...]:
        raise StorageError("This session cannot be searched.", "Try again.")

    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen = RecallScreen(broken, Searched([]).entries.__getitem__, "swan", clock=clock)
        await pilot.app.push_screen(screen)
        await at_rest(pilot, screen)
        assert "This session cannot be searched. Try again." in shown(screen)


async def test_an_entry_that_cannot_be_read_shows_what_was_found() -> None:
    session = Searched(a_session())

    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen = RecallScreen(session.search, Searched([]).entries.__getitem__, "twice", clock=clock)
        await pilot.app.push_screen(screen)
        await at_rest(pilot, screen)
        assert "read the file twice" in shown(screen)


async def test_a_paste_is_words_on_one_line() -> None:
    async with CopyingApp().run_test(size=(120, 40)) as pilot:
        screen, _, searched = await open_recall(pilot)
        screen.post_message(Paste("PositionError\n\x1b[2J"))
        await at_rest(pilot, screen)
        assert searched.asked[-1].startswith("PositionError")
        assert "\x1b" not in searched.asked[-1]


@pytest.mark.parametrize("size", [(20, 6), (60, 20), (100, 30)])
async def test_it_stands_in_any_size(size: tuple[int, int]) -> None:
    async with CopyingApp().run_test(size=size) as pilot:
        screen, _, _ = await open_recall(pilot, "positions")
        await type_keys(pilot, screen, "pagedown", "shift+down", "tab", "space", "pageup")
        assert "Recall" in shown(screen)


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("LIMIT_7", "LIMIT_7 = 7\nLIMIT_13 = 13", ["LIMIT_7"]),
        ("LIMIT_7", "LIMIT_13 = 13", ["LIMIT"]),
        ("loader", "test_loader of the loader", ["loader", "loader"]),
    ],
)
def test_parts_of_a_name_are_set_off_only_where_no_whole_word_was_found(
    query: str, text: str, marked: list[str]
) -> None:
    content = Asked.of(query).within(text).mark(text)
    assert [text[span.start : span.end] for span in content.spans] == marked
