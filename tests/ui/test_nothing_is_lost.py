"""What was written stays: whatever comes up while one writes, whatever the disk says, whichever key follows."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.agent.attachments import mentioned_pictures
from diligent_tui.config.drafts import DraftDrawer
from diligent_tui.domain.speech import typed_words
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import Access
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from tests.agent.test_attachments import png
from tests.ui.screens.test_palette import find
from tests.ui.stage import ask, begin, make_app, ready, settled, until


def prompts(core: Core) -> list[str]:
    """What was sent to the model, oldest first."""
    assert core.session is not None
    path = core.session.conversation.path
    return [typed_words(core.session.store.entry(node.id)) or "" for node in path if node.is_prompt]


async def queue_up(pilot: Pilot[int], app: DiligentApp, *texts: str) -> None:
    """Let texts wait behind a turn that does not end."""
    await begin(pilot, "explain [[fault=stall]]")
    for count, text in enumerate(texts, start=1):
        app.main.prompt.set_text(text)
        await pilot.press("enter")
        await until(pilot, lambda count=count: bool(app.main.state and len(app.main.state.queue) == count))


async def test_whoever_types_on_answers_no_question_and_loses_no_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PermissionScreen, "GRACE_SECONDS", 60.0)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await pilot.press(*"this i")
        await core.submit("run touch made")
        await until(pilot, lambda: isinstance(app.screen, PermissionScreen))
        await pilot.press("s", "space", *"to", "enter", *"yes")
        await pilot.pause()
        assert isinstance(app.screen, PermissionScreen)
        assert app.main.prompt.text == "this is toyes"
        assert len(prompts(core)) == 1
        monkeypatch.setattr(PermissionScreen, "GRACE_SECONDS", 0.0)
        await pilot.press("n")
        assert core.session is not None
        await core.session.wait_idle()
        assert app.main.prompt.text == "this is toyes"
    assert not (tmp_path / "project" / "made").exists()


@pytest.mark.parametrize(("draft", "keys"), [("", []), ("a draft", ["shift+tab"])], ids=["no draft", "elsewhere"])
async def test_a_key_that_came_too_soon_is_only_typed_where_one_was_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, draft: str, keys: list[str]
) -> None:
    monkeypatch.setattr(PermissionScreen, "GRACE_SECONDS", 60.0)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        app.main.prompt.set_text(draft)
        await pilot.press(*keys)
        await core.submit("run touch made")
        await until(pilot, lambda: isinstance(app.screen, PermissionScreen))
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(app.screen, PermissionScreen)
        assert app.main.prompt.text == draft


@pytest.mark.parametrize(("folder", "keys"), [("drafts", ["x"]), ("prompts", ["x", "ctrl+c"])])
async def test_what_cannot_be_kept_is_said_once_and_one_writes_on(
    tmp_path: Path, said: list[str], folder: str, keys: list[str]
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        state = core.ground.house.places.user_state
        state.mkdir(parents=True, exist_ok=True)
        (state / folder).write_text("in the way")
        for _ in range(2):
            await pilot.press(*keys)
            await pilot.pause()
            await app.keep_draft()
        assert len([sentence for sentence in said if "not saved:" in sentence]) == 1
        assert app.is_running
        await pilot.press("ctrl+q")
    assert app.return_code == 0


async def test_telling_the_agent_at_work_runs_commands_as_sending_does(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        assert core.session is not None
        app.main.prompt.set_text("/mode plan")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: core.session is not None and core.session.mode == "plan")
        app.main.prompt.set_text("!echo swans > made")
        await pilot.press("ctrl+s")
        await until(pilot, (tmp_path / "project" / "made").exists)
        assert prompts(core) == ["hello"]


@pytest.mark.parametrize(("action", "begun"), [("search_chat", "/search "), ("rename_session", "/name ")])
async def test_words_for_a_command_do_not_take_the_place_of_a_draft(tmp_path: Path, action: str, begun: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        await ask(pilot, "hello")
        await pilot.press(*"draft")
        for _ in range(2):
            await app.run_action(action)
            assert app.main.prompt.text == begun
        await pilot.press(*"hello", "enter")
        assert app.main.prompt.text == "draft"


async def test_an_earlier_prompt_does_not_take_the_place_of_a_draft(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        app.main.prompt.set_history(["first", "second"])
        await pilot.press(*"draft", "ctrl+r", "enter")
        assert app.main.prompt.text == "second"
        await pilot.press("ctrl+r", "down", "enter")
        assert app.main.prompt.text == "first"
        await pilot.press("enter")
        assert app.main.prompt.text == "draft"


async def test_whoever_leaves_at_once_finds_the_draft_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        places = core.ground.house.places
        await pilot.press(*"draft", "ctrl+q")
    assert DraftDrawer(places.user_state, places.root).begin().unsent.text == "draft"


async def test_a_draft_is_kept_whatever_the_way_out(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        places = core.ground.house.places
        await pilot.press(*"draft")
        app.exit(0)
    assert DraftDrawer(places.user_state, places.root).begin().unsent.text == "draft"


async def test_letters_typed_while_a_queued_text_comes_back_stand_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    goes_on = asyncio.Event()
    take_back = Core.take_back_newest

    async def take_back_slowly(core: Core) -> str | None:
        await goes_on.wait()
        return await take_back(core)

    monkeypatch.setattr(Core, "take_back_newest", take_back_slowly)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        await queue_up(pilot, app, "queued words")
        await pilot.press("up", *"xyz")
        goes_on.set()
        await until(pilot, lambda: "queued words" in app.main.prompt.text)
        assert app.main.prompt.text == "queued words\nxyz"
        await pilot.press("escape")


async def test_what_is_sent_before_the_session_is_there_is_done_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    goes_on = asyncio.Event()
    open_session = Core.open

    async def open_slowly(core: Core, access: Access) -> None:
        await goes_on.wait()
        await open_session(core, access)

    monkeypatch.setattr(Core, "open", open_slowly)
    async with app.run_test(size=(100, 30)) as pilot:
        for text in ("/mode plan", "run touch made", "/name swans"):
            app.main.prompt.set_text(text)
            await pilot.press("enter")
        await pilot.pause()
        assert app.core is None
        goes_on.set()
        core = await ready(pilot)
        await until(pilot, lambda: bool(app.main.state and app.main.state.session_name == "swans"))
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        assert core.session.mode == "plan"
        assert prompts(core) == ["run touch made"]
    assert not (tmp_path / "project" / "made").exists()


@pytest.mark.parametrize(
    ("draft", "moves", "text"),
    [
        ("please look at ", 0, "please look at @swans.md "),
        ("please look at", 0, "please look at @swans.md "),
        ("see now", 4, "see @swans.md now"),
        ("", 0, "@swans.md "),
    ],
)
async def test_a_file_from_the_palette_goes_where_the_cursor_stands(
    tmp_path: Path, draft: str, moves: int, text: str
) -> None:
    app = make_app(tmp_path)
    (tmp_path / "project" / "swans.md").write_text("seven\n")
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        app.main.prompt.set_text(draft)
        await pilot.press(*["left"] * moves)
        await find(pilot, "swans", "file")
        assert app.main.prompt.text == text


async def test_a_picture_is_named_apart_from_the_letters_around_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    shot = tmp_path / "project" / "shot.png"
    shot.write_bytes(png(640, 480))
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=True))
        await pilot.press(*"abc")
        app.main.prompt.paste(str(shot))
        assert app.main.prompt.text == f"abc @{shot} "
        await pilot.press("backspace", *"xyz", "home", "right", "right", "right", "delete")
        assert list(mentioned_pictures(app.main.prompt.text)) == [str(shot)]
        assert app.main.prompt.text == f"abc @{shot} xyz"


async def test_a_path_is_a_prompt_and_an_unknown_command_comes_back(tmp_path: Path, said: list[str]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "/etc/hosts is wrong, fix it")
        assert prompts(core) == ["/etc/hosts is wrong, fix it"]
        app.main.prompt.set_text("/modle gpt")
        await pilot.press("enter")
        await pilot.pause()
        assert app.main.prompt.text == "/modle gpt"
        assert any("/model" in sentence for sentence in said)
        assert len(prompts(core)) == 1


async def test_what_still_waits_after_a_stop_is_sent_by_enter_on_the_empty_prompt(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await queue_up(pilot, app, "one", "two")
        strip = app.main.query_one(QueueStrip)
        assert "⏎ sends" not in strip.render().plain
        await pilot.press("escape")
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        assert "waits · ⏎ sends · ↑ edits" in strip.render().plain
        await pilot.press("enter")
        await until(pilot, lambda: prompts(core)[1:] == ["one", "two"])
        await core.session.wait_idle()
        await settled(pilot)
        assert not strip.display


async def test_a_waiting_text_keeps_its_place_when_it_is_edited(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await queue_up(pilot, app, "one", "two", "three", "four", "five")
        app.main.query_one(QueueStrip).focus()
        await pilot.pause()
        await pilot.press("k", "k", "e")
        await until(pilot, lambda: app.main.prompt.text == "three")
        await pilot.press(*" or so", "enter")
        await until(pilot, lambda: bool(app.main.state and len(app.main.state.queue) == 5))
        assert core.session is not None
        assert [item.text for item in core.session.waiting.items] == ["one", "two", "three or so", "four", "five"]
        await pilot.press(*"six", "enter")
        await until(pilot, lambda: bool(app.main.state and len(app.main.state.queue) == 6))
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        texts = [item.text for item in core.session.waiting.items]
        assert texts == ["one", "two", "three or so", "four", "five", "six"]


async def test_what_is_selected_with_the_mouse_is_copied_like_the_rest(tmp_path: Path, said: list[str]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        app.copy_to_clipboard("these words")
        await until(pilot, lambda: any("11 characters" in sentence for sentence in said))
        assert (core.ground.house.places.user_state / "copied.txt").read_text() == "these words"
