"""Keys that the user chose act, the old ones do not, and the screen says the keys of now everywhere."""

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.widget import Widget

from diligent_tui.domain.events import QueuedText
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.commands.keys_now import hints_now, key_now
from diligent_tui.ui.commands.prompt_keys import prompt_keys
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.palette_desk import commands
from diligent_tui.ui.screens.help import HelpScreen, KeyList
from diligent_tui.ui.screens.palette import PaletteScreen
from diligent_tui.ui.screens.sessions import SessionsScreen
from diligent_tui.ui.state import ScreenState
from diligent_tui.ui.widgets.guide import GuideStrip
from diligent_tui.ui.widgets.header import Header
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from diligent_tui.ui.widgets.status_bar import StatusBar
from diligent_tui.ui.widgets.welcome import Welcome
from tests.ui.stage import ask, make_app, ready

WIDE = (160, 50)
CHOSEN = {
    "help": "f14",
    "tree": "ctrl+b",
    "zoom": "f15",
    "summary": "",
    "tree_label": "L",
    "stash": "ctrl+x",
    "session_rename": "z",
    "copy": "w",
    "fold_all": "",
    "treee": "f20",
    "tools": "wibble",
}


def said_by(widget: Widget) -> str:
    drawn = widget.render()
    assert isinstance(drawn, Content)
    return drawn.plain


def rows_of(widget: Widget) -> str:
    return "\n".join(widget.render_line(y).text for y in range(widget.size.height))


async def test_the_screen_says_the_keys_of_now(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys=CHOSEN)
    async with app.run_test(size=WIDE) as pilot:
        core = await ready(pilot)
        await pilot.pause()
        line = said_by(app.main.query_one(StatusBar))
        assert "F14 help" in line
        assert "ctrl+b tree" in line
        # What cannot be used keeps our key, and is told.
        assert "F3 tools" in line
        welcome = said_by(app.main.query_one(Welcome))
        assert "ctrl+b tree" in welcome
        assert "F14 help" in welcome
        assert "/summary shows that" in welcome
        assert "F2" not in welcome
        assert "`treee` names no command. Did you mean `tree`?" in welcome
        await pilot.press("f2")
        assert not core.tree.display
        await pilot.press("ctrl+b")
        await pilot.pause()
        assert core.tree.has_focus
        assert rows_of(core.tree.query_one("#tree-foot")).strip() == "tab prompt  ctrl+b hide"
        await pilot.press("f15")
        await pilot.pause()
        assert "zoomed  F15 back" in said_by(app.main.query_one(Header))
        await pilot.press("f14")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        told = said_by(app.screen.query_one(KeyList))
        assert "  L  " in told
        assert "  ctrl+b  " in told
        await pilot.press("f14")
        await pilot.pause()
        assert app.screen is app.main


LETTERS = {
    "tree_label": "L",
    "tool_filter": "v",
    "fact_add": "+",
    "summary": "f15",
    "context_filter": "v",
    "trace_export": "E",
}


async def test_the_feet_of_all_panes_follow(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys=LETTERS)
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot, "run echo hi")
        for key, foot, words in (
            ("f2", "#tree-foot", "L label"),
            ("f3", "#tools-foot", "v filter"),
            ("f4", "#knowledge-foot", "+ add"),
            ("f15", "#summary-foot", "F15 hide"),
            ("f6", "#context-foot", "v filter"),
            ("f7", "#trace-foot", "E export"),
        ):
            await pilot.press(key, "f9")
            await pilot.pause()
            assert words in rows_of(app.main.query_one(foot)), foot
            await pilot.press("f9")


async def test_the_keys_of_the_prompt_and_the_chat_follow(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys=CHOSEN)
    async with app.run_test(size=WIDE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        app.main.prompt.set_text("later")
        await pilot.press("ctrl+t")
        assert app.main.prompt.text == "later"
        await pilot.press("ctrl+x")
        assert app.main.prompt.text == ""
        core.chat.focus()
        await pilot.pause()
        bound = app.screen.active_bindings
        assert bound["w"].binding.action == "copy"
        assert "y" not in bound
        assert "z" not in bound
        assert "w copy" in said_by(app.main.query_one(StatusBar))


async def test_the_keys_of_the_session_list_follow(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys=CHOSEN)
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot, "hello")
        await pilot.press("f8")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        while not screen.list.files:
            await pilot.pause()
        await pilot.press("r")
        assert "Rename it from the prompt" not in rows_of(screen.query_one("#sessions-slot"))
        await pilot.press("z")
        await pilot.pause()
        assert "Rename it from the prompt" in rows_of(screen.query_one("#sessions-slot"))


class QueueApp(App[None]):
    """A strip with one waiting text, and what was wanted of it."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = QueueStrip({"queued_delete": "x", "queued_steer": ""})
        self.wanted: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.strip

    def on_queue_strip_drop_wanted(self, message: QueueStrip.DropWanted) -> None:
        self.wanted.append(f"drop {message.queued_id}")

    def on_queue_strip_steer_wanted(self, message: QueueStrip.SteerWanted) -> None:
        self.wanted.append(f"steer {message.queued_id}")


async def test_the_keys_of_waiting_texts_follow() -> None:
    app = QueueApp()
    async with app.run_test(size=(80, 10)) as pilot:
        app.strip.state = ScreenState(queue=(QueuedText("q1", "later", "queue"),))
        await pilot.pause()
        app.strip.focus()
        await pilot.pause()
        assert "⏎ edit  x delete  esc back" in said_by(app.strip)
        await pilot.press("d", "s", "x")
        await pilot.pause()
        assert app.wanted == ["drop q1"]


def test_the_guide_names_the_keys_of_now() -> None:
    guide = GuideStrip({"guide_next": "f20", "guide_back": "", "summary": "f15"})
    guide.turn(1)
    told = said_by(guide)
    assert "F15 shows the summary" in told
    assert told.endswith("F20 next  /guide-back back  /guide hide")


def test_the_palette_names_the_keys_of_now() -> None:
    keys = {thing.id: thing.note for thing in commands({"tree": "ctrl+b", "summary": ""})}
    assert keys["toggle_pane('tree')"] == "ctrl+b"
    assert keys["toggle_pane('summary')"] == "/summary"
    assert keys["toggle_pane('tools')"] == "F3"


HINTS: list[Hint] = [("⏎", "go on"), ("m c", "compare"), ("l", "label"), ("F2", "hide"), ("esc", "back")]


@pytest.mark.parametrize(
    ("keymap", "told"),
    [
        ({}, HINTS),
        ({"tree_label": "L"}, [("⏎", "go on"), ("m c", "compare"), ("L", "label"), ("F2", "hide"), ("esc", "back")]),
        ({"tree_label": "", "tree_mark": ""}, [("⏎", "go on"), ("c", "compare"), ("F2", "hide"), ("esc", "back")]),
        ({"tree": "shift+f2"}, [*HINTS[:3], ("shift+F2", "hide"), HINTS[4]]),
        ({"tree": ""}, [*HINTS[:3], ("/tree", "hide"), HINTS[4]]),
        ({"tree_go": "o,enter"}, HINTS),
        # What holds in other places says nothing here.
        ({"tool_copy": "l", "trace_copy": "m", "charts_right": "x"}, HINTS),
    ],
)
def test_a_foot_follows_the_keys_of_its_place(keymap: dict[str, str], told: list[Hint]) -> None:
    assert list(hints_now(HINTS, "tree", keymap)) == told


def test_a_command_without_a_key_is_named_by_its_slash_word() -> None:
    assert key_now("sessions", {}) == "F8"
    assert key_now("sessions", {"sessions": ""}) == "/sessions"


def test_a_key_of_the_prompt_that_was_given_another_deed_loses_its_first() -> None:
    keys = prompt_keys({"submit": "ctrl+enter", "newline": "enter"})
    assert (keys["ctrl+enter"], keys["enter"]) == ("submit", "newline")
    assert "ctrl+j" not in keys
    # What is only another way in some terminals stays.
    assert keys["shift+enter"] == "newline"


async def _asks_for_help(pilot: Pilot[int], app: DiligentApp) -> bool:
    await pilot.press("question_mark")
    await pilot.pause()
    if not isinstance(app.screen, HelpScreen):
        return False
    await pilot.press("question_mark")
    await pilot.pause()
    assert not isinstance(app.screen, HelpScreen)
    return True


async def test_a_question_mark_shows_the_help_wherever_no_text_is_typed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        for key in ("f2", "f3", "f4", "f5", "f6", "f7", "f8"):
            await pilot.press(key)
            await pilot.pause()
            assert await _asks_for_help(pilot, app), key
        await pilot.press("escape")
        await pilot.pause()
        core.chat.focus()
        await pilot.pause()
        assert await _asks_for_help(pilot, app)


async def test_a_question_mark_is_typed_where_text_is_typed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        app.main.prompt.focus()
        await pilot.pause()
        assert not await _asks_for_help(pilot, app)
        assert app.main.prompt.text == "?"
        for pane, key in (("f2", "slash"), ("f2", "l"), ("f3", "slash"), ("f4", "slash"), ("f4", "a"), ("f6", "slash")):
            await pilot.press(pane)
            await pilot.pause()
            await pilot.press(key)
            await pilot.pause()
            assert not await _asks_for_help(pilot, app), (pane, key)
            await pilot.press("escape", "escape")
            app.main.prompt.focus()
            await pilot.pause()
        await pilot.press("f8")
        await pilot.pause()
        await pilot.press("slash")
        assert not await _asks_for_help(pilot, app)
        await pilot.press("escape", "escape")
        await pilot.pause()
        app.main.prompt.focus()
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, PaletteScreen)
        assert not await _asks_for_help(pilot, app)
        assert core.session is not None
