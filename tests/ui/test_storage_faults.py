"""A disk that refuses and a session in use elsewhere, as the user meets them."""

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.choice import ChoiceScreen
from tests.faults.refusing_disk import RefusingDisk
from tests.ui.stage import ask, blocks, make_app, ready, settled


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> RefusingDisk:
    return RefusingDisk(monkeypatch)


async def asked(pilot: Pilot[int]) -> ChoiceScreen:
    while not isinstance(pilot.app.screen, ChoiceScreen):
        await pilot.pause(0.005)
    await pilot.pause()
    return pilot.app.screen


async def test_words_that_cannot_be_saved_stay_in_the_editor_until_they_are(tmp_path: Path, disk: RefusingDisk) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        disk.refuses_with = b""
        app.main.prompt.set_text("these words matter")
        await pilot.press("enter")
        await asked(pilot)
        assert "disk is full" in app.export_screenshot().replace("&#160;", " ")
        assert app.main.prompt.text == "these words matter"
        assert not blocks(core.chat)
        await pilot.press("r")
        await asked(pilot)
        assert app.main.prompt.text == "these words matter"
        disk.refuses_with = None
        await pilot.press("r")
        assert core.session is not None
        while not core.session.store.tree.nodes:
            await pilot.pause(0.005)
        await core.session.wait_idle()
        await settled(pilot)
        assert app.main.prompt.text == ""
        assert blocks(core.chat)[0].text == "these words matter"


async def test_an_answer_that_cannot_be_saved_waits_until_the_disk_is_mended(
    tmp_path: Path, disk: RefusingDisk
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        disk.refuses_with = b'"assistant"'
        app.main.prompt.set_text("hello")
        await pilot.press("enter")
        await asked(pilot)
        assert core.session is not None
        assert core.session.is_stuck
        disk.refuses_with = None
        await pilot.press("r")
        await core.session.wait_idle()
        await settled(pilot)
        assert not isinstance(app.screen, ChoiceScreen)
        assert core.session.store.path.read_bytes().count(b'"assistant"') == 1


async def test_giving_up_stops_the_turn_and_says_so(tmp_path: Path, disk: RefusingDisk) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        disk.refuses_with = b'"assistant"'
        app.main.prompt.set_text("hello")
        await pilot.press("enter")
        await asked(pilot)
        await pilot.press("escape")
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        assert blocks(core.chat)[-1].is_error
        disk.refuses_with = None
        await ask(pilot, "hello again")
        assert not blocks(core.chat)[-1].is_error


async def test_giving_up_on_what_a_tool_brought_leaves_nothing_running_on_the_screen(
    tmp_path: Path, disk: RefusingDisk
) -> None:
    app = make_app(tmp_path, flags={"mode": "full"})
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        disk.refuses_with = b'"tool_result"'
        app.main.prompt.set_text("run echo hi")
        await pilot.press("enter")
        await asked(pilot)
        await pilot.press("escape")
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        assert app.main.state is not None
        assert app.main.state.phase == "idle"
        assert any(block.is_error for block in blocks(core.chat))
        disk.refuses_with = None
        await ask(pilot, "hello again")
        assert core.session.store.path.read_bytes().count(b'"assistant"') == 2


async def held_elsewhere(app: DiligentApp, tmp_path: Path) -> AgentSession:
    """A session with one turn, open for writing in what counts as another process."""
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "the first words")
        assert core.session is not None
        path, given = core.session.store.path, core.ground.given
    return await AgentSession.resume(path, given)


@pytest.mark.parametrize("key", ["f", "r"])
async def test_a_session_in_use_is_asked_about(tmp_path: Path, key: str) -> None:
    other = await held_elsewhere(make_app(tmp_path), tmp_path)
    app = make_app(tmp_path, goes_on=True)
    async with app.run_test(size=(100, 30)) as pilot:
        await asked(pilot)
        assert "process" in app.export_screenshot()
        await pilot.press(key)
        core = await ready(pilot)
        await settled(pilot)
        assert core.session is not None
        assert any(block.kind == "prompt" for block in blocks(core.chat))
        if key == "f":
            assert core.session.id != other.id
            await ask(pilot, "words of the fork")
        else:
            assert core.session.store.read_only_because
            app.main.prompt.set_text("may I?")
            await pilot.press("enter")
            await pilot.pause()
            while app.main.prompt.text != "may I?":
                await pilot.pause(0.005)
    await other.prompt("words of the other")
    await other.wait_idle()
    text = other.store.path.read_text()
    assert "words of the other" in text
    assert "words of the fork" not in text
    await other.close()


async def test_leaving_a_session_in_use_alone_leaves(tmp_path: Path) -> None:
    other = await held_elsewhere(make_app(tmp_path), tmp_path)
    app = make_app(tmp_path, goes_on=True)
    async with app.run_test(size=(100, 30)) as pilot:
        await asked(pilot)
        await pilot.press("escape")
        while app.is_running:
            await asyncio.sleep(0.005)
    assert app.return_code == 1
    await other.close()
