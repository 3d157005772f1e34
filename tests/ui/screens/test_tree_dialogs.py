"""What the tree's dialogs answer to each key, and that hostile text in them stays text."""

import re
from collections.abc import Callable

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.agent.comparison import BranchSide, Comparison
from diligent_tui.compaction.views import ContextPart
from diligent_tui.ui.panes.context import sheet_of
from diligent_tui.ui.screens.comparison import MOST_LISTED, ComparisonScreen
from diligent_tui.ui.screens.context_at import ContextScreen
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen, LeaveChoice
from diligent_tui.ui.screens.summarising import SummarisingScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES
from tests.ui.panes.context_stage import told, view_of

HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b"
BARE_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")
Dialog = LeaveBranchScreen | SummarisingScreen | ComparisonScreen | ContextScreen


class DialogApp(App[None]):
    """A screen for dialogs to lie over."""

    CSS_PATH = style_paths()

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(THEMES["dark"])
        self.theme = THEMES["dark"].name
        self.answers: list[object] = []


async def answers_to(screen: Dialog, *keys: str) -> list[object]:
    """What a dialog answers when these keys are pressed; nothing while it stands."""
    app = DialogApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(screen, app.answers.append)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
    return app.answers


def shown(screen: Dialog) -> str:
    return "\n".join(str(static.render()) for static in screen.query(Static))


@pytest.mark.parametrize(
    ("keys", "answers"),
    [
        (("enter",), [LeaveChoice("nothing")]),
        (("1",), []),
        (("1", "enter"), [LeaveChoice("nothing")]),
        (("2",), []),
        (("2", "enter"), [LeaveChoice("summary")]),
        (("3", "1", "enter"), [LeaveChoice("nothing")]),
        (("down", "enter"), [LeaveChoice("summary")]),
        (("3", "enter", *"zod", "enter"), [LeaveChoice("focus", "zod")]),
        (("j", "j", "j", "enter", *"zod", "enter"), [LeaveChoice("focus", "zod")]),
        (("3", "enter", "enter"), [LeaveChoice("summary")]),
        (("3", "enter", *"1", "enter"), [LeaveChoice("focus", "1")]),
        (("escape",), [None]),
        (("3", "enter", "escape"), []),
        (("3", "enter", "escape", "1", "enter"), [LeaveChoice("nothing")]),
        (("3", "enter", "escape", "escape"), [None]),
        (("x",), []),
    ],
)
async def test_leaving_answers_what_was_chosen(keys: tuple[str, ...], answers: list[LeaveChoice | None]) -> None:
    assert await answers_to(LeaveBranchScreen(12, "try-zod"), *keys) == answers


@pytest.mark.parametrize(("key", "answer"), [("1", "left"), ("2", "right"), ("escape", None), ("enter", None)])
async def test_a_comparison_answers_where_to_go(key: str, answer: str | None) -> None:
    side = BranchSide("a", 1, (), (), (), 0, None)
    assert await answers_to(ComparisonScreen(Comparison(None, "", 0, side, side)), key) == [answer]


async def test_a_comparison_tells_what_each_side_did_and_cuts_long_lists() -> None:
    left = BranchSide("aaaa", 1, ("only prompt",), ("both.py",), (), 900, None)
    right = BranchSide("bbbb", 60, tuple(f"prompt {n}" for n in range(60)), ("both.py", "own.py"), (), 84_000, 0.42)
    screen = ComparisonScreen(Comparison("cccc", "where `they` part\n\nand more", 7, left, right))
    app = DialogApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        text = shown(screen)
    for expected in (
        "They share 7 entries, up to “where they part”",
        "1 entry · 900 tokens · –",
        "60 entries · 84k tokens · $0.42",
        "= both.py",
        "+ own.py",
        "Changed  none",
        f"prompt {MOST_LISTED - 1}\n… 20 more",
    ):
        assert expected in text


@pytest.mark.parametrize(
    ("name", "head"), [("try-zod", "1  try-zod  aaaa"), ("use zod\n\nand more", "1  use zod  aaaa"), ("", "1  aaaa\n")]
)
async def test_a_side_is_headed_by_its_name_with_its_id_behind(name: str, head: str) -> None:
    side = BranchSide("aaaa", 1, (), (), (), 0, None, name)
    screen = ComparisonScreen(Comparison(None, "", 0, side, side))
    app = DialogApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        assert head in shown(screen)


async def test_a_summary_is_shown_as_its_words_come_and_escape_stops_it() -> None:
    screen = SummarisingScreen("12 entries")
    app = DialogApp()
    async with app.run_test() as pilot:
        screen.take("Early words, ")
        app.push_screen(screen, app.answers.append)
        await pilot.pause()
        for word in ("\x1b[", "31mred\x1b[0m ", "words."):
            screen.take(word)
        await pilot.pause()
        await pilot.pause()
        assert "Early words, red words." in shown(screen)
        await pilot.press("escape")
        assert app.answers == ["cancel"]


async def test_the_context_at_an_entry_is_the_board_of_the_pane_without_its_wishes() -> None:
    screen = ContextScreen("at a prompt", sheet_of(view_of()))
    app = DialogApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(screen)
        while not len(screen.board.parts.model.blocks):
            await pilot.pause(0.01)
        await pilot.press("end", "enter")
        assert not screen.board.parts.model.blocks.is_folded(screen.board.part.id if screen.board.part else "")
        await pilot.press("p")
        assert "Pins are set in the chat." in told(screen.board, "foot")
        await pilot.press("f", "escape")
        assert app.screen is screen
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is not screen


SIDE = BranchSide(HOSTILE, 1, (HOSTILE,), (HOSTILE,), (HOSTILE,), 1, None, HOSTILE)
HOSTILE_SCREENS: tuple[Callable[[], Dialog], ...] = (
    lambda: LeaveBranchScreen(1, HOSTILE),
    lambda: SummarisingScreen(HOSTILE),
    lambda: ComparisonScreen(Comparison("a", HOSTILE, 1, SIDE, SIDE)),
    lambda: ContextScreen(HOSTILE, sheet_of(view_of(ContextPart("turns", HOSTILE, HOSTILE, 1)))),
)


@pytest.mark.parametrize("make", HOSTILE_SCREENS, ids=["leaving", "summarising", "comparison", "context"])
async def test_hostile_text_reaches_neither_terminal_nor_markup(make: Callable[[], Dialog]) -> None:
    screen = make()
    app = DialogApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        if isinstance(screen, SummarisingScreen):
            screen.take(HOSTILE)
            await pilot.pause()
        text = shown(screen)
        if isinstance(screen, ContextScreen):
            text += "\n".join(screen.board.parts.line_texts(0))
    assert "[/bold]" in text
    assert not BARE_CONTROL.search(text)


async def test_a_pasted_focus_is_one_clean_line() -> None:
    async def paste(pilot: Pilot[None]) -> None:
        pilot.app.screen.query_one("#leave-focus").post_message(events.Paste(f"{HOSTILE}\r\nmore"))
        await pilot.pause()

    app = DialogApp()
    async with app.run_test() as pilot:
        app.push_screen(LeaveBranchScreen(1, "a"), app.answers.append)
        await pilot.press("3", "enter")
        await paste(pilot)
        await pilot.press("enter")
        (answer,) = app.answers
    assert isinstance(answer, LeaveChoice)
    assert answer.focus.endswith("evil ⏎ more")
    assert not BARE_CONTROL.search(answer.focus)
