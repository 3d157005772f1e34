"""The app as a person uses it: keys in, what is on the screen out."""

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.ui.core import Core
from diligent_tui.ui.screens.help import HelpScreen
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.widgets.status_bar import StatusBar
from diligent_tui.ui.widgets.welcome import Welcome
from tests.ui.stage import ask, begin, blocks, make_app, ready, settled


async def question(pilot: Pilot[int]) -> None:
    """Wait until a question is on the screen."""
    while not isinstance(pilot.app.screen, PermissionScreen):
        await pilot.pause(0.01)


async def test_a_prompt_is_answered_with_two_tool_cards(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    (tmp_path / "project" / "README.md").write_text("# Swans\n")
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "read README.md then run echo hi")
        core = await ready(pilot)
        cards = [block for block in blocks(core.chat) if block.kind == "tool"]
        assert [(card.tool_name, card.state) for card in cards] == [("read", "done"), ("bash", "done")]
        assert not app.main.query_one(Welcome).display
        assert app.main.state is not None
        assert not app.main.state.is_busy


async def test_what_is_on_the_screen_can_be_drawn_while_its_session_is_closed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "run echo swans")
        core = await ready(pilot)
        await core.close()
        # Another width: all of it is read and drawn anew.
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        drawn = core.chat.render_lines(core.chat.size.region)
        assert any("echo swans" in strip.text for strip in drawn)


async def test_leaving_waits_until_panes_that_are_being_put_in_are_whole(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        async with app.main.settling:
            leaving = asyncio.create_task(app.action_quit())
            await pilot.pause()
            assert not leaving.done()
        await leaving
    assert app.return_code == 0


async def test_leaving_ends_what_is_still_being_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path)
    began, is_over = asyncio.Event(), asyncio.Event()

    async def open_slowly(core: Core, access: str) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_over.set()

    monkeypatch.setattr(Core, "open", open_slowly)
    async with app.run_test(size=(120, 40)):
        await began.wait()
        await app.action_quit()
        await asyncio.wait_for(is_over.wait(), 60)
    assert app.return_code == 0


async def test_typing_before_the_core_is_there_is_not_lost(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.main.prompt.set_text("run echo early")
        await pilot.press("enter")
        core = await ready(pilot)
        assert core.session is not None
        while not blocks(core.chat):
            await pilot.pause(0.01)
        await core.session.wait_idle()
        await settled(pilot)
        assert blocks(core.chat)[0].text == "run echo early"


async def test_escape_stops_the_agent_and_keeps_the_words(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await begin(pilot, "[[t=4000 r=300 id=ab]]")
        core = await ready(pilot)
        while not any(block.kind == "answer" for block in blocks(core.chat)):
            await pilot.pause(0.01)
        await pilot.press("escape")
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        assert [block.kind for block in blocks(core.chat)] == ["prompt", "answer", "notice"]
        last = core.session.conversation.path[-1]
        saved = core.session.store.entry(last.id)
        assert isinstance(getattr(saved, "message", None), AssistantMessage)


async def test_a_prompt_meanwhile_is_queued_shown_and_recalled_by_up(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"mode": "full"})
    async with app.run_test(size=(100, 30)) as pilot:
        await begin(pilot, "run sleep 30")
        app.main.prompt.set_text("and then this")
        await pilot.press("enter")
        while not (app.main.state and app.main.state.queue):
            await pilot.pause(0.01)
        await pilot.press("up")
        while app.main.prompt.text != "and then this":
            await pilot.pause(0.01)
        await settled(pilot)
        assert app.main.state.queue == ()
        await pilot.press("escape")


async def test_a_question_shows_the_command_and_no_is_under_enter(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await begin(pilot, "run touch made")
        await question(pilot)
        await pilot.press("enter")
        core = await ready(pilot)
        assert core.session is not None
        await core.session.wait_idle()
        assert not (tmp_path / "project" / "made").exists()
        await begin(pilot, "run touch made")
        await question(pilot)
        await pilot.press("y")
        await core.session.wait_idle()
        assert (tmp_path / "project" / "made").exists()


async def test_a_session_opens_again_with_everything_in_place(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "run echo one")
        await ask(pilot, "run echo two")
        core = await ready(pilot)
        before = [(block.kind, block.tool_name, block.subject) for block in blocks(core.chat)]
        await pilot.press("ctrl+q")
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert [(block.kind, block.tool_name, block.subject) for block in blocks(core.chat)] == before
        await ask(pilot, "what did I ask?")
        answer = next(block for block in reversed(blocks(core.chat)) if block.kind == "answer")
        assert "run echo one" in core.chat.renderer.source(answer)


async def test_a_long_session_opens_at_its_end_and_the_beginning_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diligent_tui.ui.glimpse.TAIL_ENTRIES", 3)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        for number in range(4):
            await ask(pilot, f"hello {number}")
        core = await ready(pilot)
        before = [(block.kind, block.has_gap) for block in blocks(core.chat)]
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert [(block.kind, block.has_gap) for block in blocks(core.chat)] == before
        assert core.chat.renderer.source(blocks(core.chat)[0]) == "hello 0"
        assert core.chat.model.is_following


async def test_slash_commands_never_reach_the_model(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        for text in ("/mode plan", "/name swans", "/nonsense"):
            app.main.prompt.set_text(text)
            await pilot.press("enter")
            await pilot.pause(0.05)
        await settled(pilot)
        assert app.main.state is not None
        while app.main.state.session_name != "swans":
            await pilot.pause(0.01)
        assert app.main.state.mode == "plan"
        prompts = [block for block in blocks(core.chat) if block.kind == "prompt"]
        assert len(prompts) == 1


async def test_a_new_session_keeps_the_unsent_text_and_shows_the_welcome(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "hello")
        core = await ready(pilot)
        assert core.session is not None
        first = core.session.id
        app.main.prompt.set_text("unsent")
        await app.action_new_session()
        assert core.session.id != first
        assert app.main.prompt.text == "unsent"
        assert app.main.query_one(Welcome).display
        await ask(pilot, "hello again")
        assert len(list((tmp_path / "project" / ".diligent" / "sessions").glob("*.jsonl"))) == 2


async def test_the_draft_survives(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        await pilot.press(*"half a thought")
        drafts = tmp_path / "home"
        for _ in range(500):
            if any(b"half a thought" in path.read_bytes() for path in drafts.rglob("drafts/*.txt")):
                break
            await pilot.pause(0.01)
    again = make_app(tmp_path)
    async with again.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        assert again.main.prompt.text == "half a thought"


async def test_f1_shows_keys_and_escape_only_closes_them(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"mode": "full"})
    async with app.run_test(size=(100, 30)) as pilot:
        await begin(pilot, "run sleep 30")
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        core = await ready(pilot)
        assert core.session is not None
        assert core.session.is_running
        await pilot.press("escape")
        await core.session.wait_idle()


async def test_a_storm_of_sizes_down_to_one_cell_is_survived(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "[[t=500 r=0 id=a]]")
        for number in range(60):
            await pilot.resize_terminal(1 + (number * 37) % 160, 1 + (number * 13) % 50)
        await pilot.resize_terminal(100, 30)
        await settled(pilot)
        await ask(pilot, "hello")


async def test_a_provider_that_fails_is_said_in_the_chat(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "[[fault=overloaded]]")
        core = await ready(pilot)
        last = blocks(core.chat)[-1]
        assert last.kind == "notice"
        assert last.is_error


async def test_every_theme_can_be_worn_in_the_middle_of_a_session(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "[[t=300 r=0 id=a]]")
        worn: list[str] = []
        for _ in range(4):
            app.action_next_theme()
            await pilot.pause()
            worn.append(app.theme)
        assert worn == ["diligent-light", "diligent-ansi", "diligent-contrast", "diligent-dark"]


@pytest.mark.parametrize(("wish", "is_still"), [(True, True), (False, False)], ids=["reduced motion", "usual"])
async def test_nothing_moves_where_motion_is_unwanted_or_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: bool, is_still: bool
) -> None:
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "full")
    app = make_app(tmp_path, reduced_motion=wish)
    async with app.run_test() as pilot:
        await ready(pilot)
        assert app.animation_level == ("none" if wish else "full")
        assert app.main.query_one(StatusBar).is_still == is_still
        app.post_message(events.AppBlur())
        await pilot.pause()
        assert app.main.query_one(StatusBar).is_still
        app.post_message(events.AppFocus())
        await pilot.pause()
        assert app.main.query_one(StatusBar).is_still == is_still


async def test_what_was_typed_before_there_was_a_screen_begins_the_prompt(tmp_path: Path) -> None:
    app = make_app(tmp_path, typed="hel")
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await pilot.press("l", "o")
        await pilot.pause()
        assert app.main.prompt.text == "hello"
