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
