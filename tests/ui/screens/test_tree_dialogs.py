"""What the tree's dialogs answer to each key, and that hostile text in them stays text."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.agent.comparison import BranchSide, Comparison
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Image, Request, Text, Thinking, ToolCall, ToolResult, UserTurn
from diligent_tui.ui.screens.comparison import MOST_LISTED, ComparisonScreen
from diligent_tui.ui.screens.context_at import ContextScreen, parts_of
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen, LeaveChoice
from diligent_tui.ui.screens.summarising import SummarisingScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES

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
        (("1",), [LeaveChoice("nothing")]),
        (("2",), [LeaveChoice("summary")]),
        (("down", "enter"), [LeaveChoice("summary")]),
        (("3", *"zod", "enter"), [LeaveChoice("focus", "zod")]),
        (("j", "j", "j", "enter", *"zod", "enter"), [LeaveChoice("focus", "zod")]),
        (("3", "enter"), [LeaveChoice("summary")]),
        (("3", *"1", "enter"), [LeaveChoice("focus", "1")]),
        (("escape",), [None]),
        (("3", "escape"), []),
        (("3", "escape", "1"), [LeaveChoice("nothing")]),
        (("3", "escape", "escape"), [None]),
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
    screen = ComparisonScreen(Comparison("cccc", "where they part", 7, left, right))
    app = DialogApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        text = shown(screen)
    for expected in (
        "They share 7 entries, up to  where they part",
        "1 entry · 900 tokens · –",
        "60 entries · 84k tokens · $0.42",
        "= both.py",
        "+ own.py",
        "Changed  none",
        f"prompt {MOST_LISTED - 1}\n… 20 more",
    ):
        assert expected in text


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


REQUEST = Request(
    Model("anthropic", "sonnet-5-5"),
    "Be good.",
    (),
    (
        UserTurn((Text("look"), Image({"path": "a.png"}))),
        AssistantTurn((Thinking("hm", None), ToolCall("c1", "read", {"path": "ü.py"}))),
        UserTurn((ToolResult("c1", "read", "gone", True),)),
    ),
    1_000,
)


def test_every_part_of_a_request_is_told_with_its_size() -> None:
    parts = parts_of(REQUEST, lambda size: size)
    assert [(part.title, part.text, part.tokens) for part in parts] == [
        ("system prompt", "Be good.", 8),
        ("1  user", "look\n\n[image]", 4),
        ("2  assistant", '[thinking]\nhm\n\n[call read c1]\n{"path": "ü.py"}', 27),
        ("3  user", "[error read c1]\ngone", 4),
    ]


async def test_a_long_message_is_folded_until_it_is_opened() -> None:
    long = UserTurn((Text("\n".join(f"line {number}" for number in range(50))),))
    screen = ContextScreen("at a prompt", replace(REQUEST, messages=(long,)), lambda size: size // 3)
    app = DialogApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        rows = screen.parts.line_texts(1)
        assert rows[1:8] == [*(f"line {number}" for number in range(6)), "… 44 more lines  ⏎ open"]
        await pilot.press("j", "enter")
        assert "line 49" in screen.parts.line_texts(1)
        await pilot.press("escape")
        assert not isinstance(app.screen, ContextScreen)


async def test_a_request_of_very_many_messages_is_one_widget() -> None:
    messages = tuple(UserTurn((Text(f"message {number}"),)) for number in range(5_000))
    screen = ContextScreen("at the end", replace(REQUEST, messages=messages), lambda size: size // 3)
    app = DialogApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        await pilot.press("end", "home", "pagedown")
        assert len(screen.query("*")) < 10
        assert screen.parts.rendered_rows < 500


SIDE = BranchSide(HOSTILE, 1, (HOSTILE,), (HOSTILE,), (HOSTILE,), 1, None)
HOSTILE_SCREENS: tuple[Callable[[], Dialog], ...] = (
    lambda: LeaveBranchScreen(1, HOSTILE),
    lambda: SummarisingScreen(HOSTILE),
    lambda: ComparisonScreen(Comparison("a", HOSTILE, 1, SIDE, SIDE)),
    lambda: ContextScreen(
        HOSTILE, replace(REQUEST, system=HOSTILE, messages=(UserTurn((Text(HOSTILE),)),)), lambda size: size
    ),
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
            text += "\n".join(screen.parts.line_texts(1))
    assert "[/bold]" in text
    assert not BARE_CONTROL.search(text)


async def test_a_pasted_focus_is_one_clean_line() -> None:
    async def paste(pilot: Pilot[None]) -> None:
        pilot.app.screen.query_one("#leave-focus").post_message(events.Paste(f"{HOSTILE}\r\nmore"))
        await pilot.pause()

    app = DialogApp()
    async with app.run_test() as pilot:
        app.push_screen(LeaveBranchScreen(1, "a"), app.answers.append)
        await pilot.press("3")
        await paste(pilot)
        await pilot.press("enter")
        (answer,) = app.answers
    assert isinstance(answer, LeaveChoice)
    assert answer.focus.endswith("evil ⏎ more")
    assert not BARE_CONTROL.search(answer.focus)
