"""A folder that brings something is asked about once, and used only after a yes."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.trust import TrustScreen
from tests.ui.stage import ask, make_app, ready

RULE = "Always answer in rhyme."


def is_asked(app: DiligentApp) -> bool:
    return isinstance(app.screen, TrustScreen)


async def answer(pilot: Pilot[int], app: DiligentApp, key: str) -> None:
    """Press until it is heard: keys that come with the dialog are not for it."""
    while not is_asked(app):
        await pilot.pause(0.01)
    while is_asked(app):
        await pilot.press(key)
        await pilot.pause(0.02)
    while any(worker.group == "travel" for worker in app.workers):
        await pilot.pause(0.01)


async def system_prompt(pilot: Pilot[int]) -> str:
    core = await ready(pilot)
    await ask(pilot, "hello")
    assert core.session is not None
    return core.session.next_request().system


@pytest.mark.parametrize(("key", "is_used"), [("t", True), ("o", True), ("n", False)])
async def test_instructions_are_used_after_a_yes_and_a_no_is_kept(tmp_path: Path, key: str, is_used: bool) -> None:
    app = make_app(tmp_path)
    (app.opening.cwd / "AGENTS.md").write_text(f"# Rules\n\n{RULE}\n")
    async with app.run_test(size=(110, 34)) as pilot:
        await ready(pilot)
        await answer(pilot, app, key)
        assert (RULE in await system_prompt(pilot)) is is_used
        assert app.main.state is not None
        assert app.main.state.sandbox

    again = make_app(tmp_path)
    async with again.run_test(size=(110, 34)) as pilot:
        await ready(pilot)
        if key == "o":
            await answer(pilot, again, "n")
        assert (RULE in await system_prompt(pilot)) is (key == "t")
        assert not is_asked(again)


async def planted(tmp_path: Path) -> str:
    """A session that this user's diligent knows nothing of; its id."""
    app = make_app(tmp_path)
    async with app.run_test(size=(110, 34)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello from elsewhere")
        assert core.session is not None
        session_id = core.session.id
    (tmp_path / "home" / ".local" / "state" / "diligent" / "trust.json").unlink()
    return session_id


@pytest.mark.parametrize("wanted", ["", "elsewhere"])
@pytest.mark.parametrize(("key", "goes_on"), [("t", True), ("o", True), ("n", False)])
async def test_a_strange_session_is_gone_on_with_after_a_yes_only(
    tmp_path: Path, key: str, goes_on: bool, wanted: str
) -> None:
    session_id = await planted(tmp_path)
    app = make_app(tmp_path, goes_on=True, resume=wanted, prompt="and now?")
    async with app.run_test(size=(110, 34)) as pilot:
        while not is_asked(app):
            await pilot.pause(0.01)
        assert app.core is not None
        assert app.core.session is not None
        assert app.core.session.store.tree.nodes == {}
        await answer(pilot, app, key)
        while any(worker.group == "core" and worker.is_running for worker in app.workers):
            await pilot.pause(0.01)
        session = app.core.session
        assert (session.id == session_id) is goes_on
        await session.wait_idle()
        assert bool(session.store.tree.nodes) is goes_on
        assert app.main.prompt.text == ("" if goes_on else "and now?")


async def test_a_wanted_session_that_is_not_there_is_said_after_the_yes(tmp_path: Path) -> None:
    await planted(tmp_path)
    app = make_app(tmp_path, resume="no such words")
    async with app.run_test(size=(110, 34)) as pilot:
        await answer(pilot, app, "t")
        while not (app.core and app.core.session):
            await pilot.pause(0.01)
        assert app.is_running
        assert app.core.session.store.tree.nodes == {}
