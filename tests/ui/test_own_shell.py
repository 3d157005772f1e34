"""A command behind an exclamation mark: run, shown open in the chat, told to the model, stopped, and there again."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.transcript import ChatBlock
from tests.ui.stage import MOST_PAUSES, ask, begin, blocks, make_app, ready, settled


async def run(pilot: Pilot[int], command: str) -> ChatBlock:
    """Run a command and wait until it has ended; the card of it."""
    core = await ready(pilot)
    await start(pilot, command)
    for _ in range(MOST_PAUSES):
        cards = [block for block in blocks(core.chat) if block.kind == "tool" and block.subject == command]
        if cards and cards[-1].state in ("done", "failed") and core.session and not core.session.is_running:
            await settled(pilot)
            return cards[-1]
        await pilot.pause(0.01)
    raise AssertionError(f"{command!r} did not end")


async def start(pilot: Pilot[int], command: str) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.set_text(f"!{command}")
    await pilot.press("enter")


async def test_its_output_is_open_in_the_chat_and_told_to_the_model(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        card = await run(pilot, "echo seven swans; touch made")
        assert (tmp_path / "project" / "made").exists()
        assert (card.state, card.subject) == ("done", "echo seven swans; touch made")
        assert not core.chat.model.blocks.is_folded(card.id)
        assert [block.text for block in blocks(core.chat) if block.kind == "prompt"] == [
            "!echo seven swans; touch made"
        ]
        await ask(pilot, "hello")
        assert core.session is not None
        assert "seven swans" in str(core.session.next_request().messages)


async def test_escape_stops_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        await start(pilot, "echo begun; sleep 60")
        while not any(block.kind == "tool" and block.text for block in blocks(core.chat)):
            await pilot.pause(0.01)
        await pilot.press("escape")
        assert core.session is not None
        await core.session.wait_idle()
        await settled(pilot)
        card = next(block for block in blocks(core.chat) if block.kind == "tool")
        assert card.state == "failed"


async def test_what_destroys_is_asked(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"mode": "full"})
    async with app.run_test() as pilot:
        await ready(pilot)
        await start(pilot, "git clean -xdf")
        while not isinstance(app.screen, PermissionScreen):
            await pilot.pause(0.01)
        await pilot.press("escape")


async def test_while_the_agent_works_the_command_comes_back(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await begin(pilot, "explain [[fault=stall]]")
        await start(pilot, "ls")
        while app.main.prompt.text != "!ls":
            await pilot.pause(0.01)
        await pilot.press("escape")


async def test_it_is_there_again_when_the_session_is_opened_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await run(pilot, "echo seven swans")
        await ask(pilot, "hello")
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test() as pilot:
        core = await ready(pilot)
        await settled(pilot)
        said, card, *_ = blocks(core.chat)
        assert (said.kind, said.text) == ("prompt", "!echo seven swans")
        assert (card.kind, card.tool_name, card.subject) == ("tool", "bash", "echo seven swans")
        assert core.chat.renderer.source(card) == "seven swans\n"


@pytest.mark.parametrize("command", ["echo seven swans", "echo no; exit 3"])
async def test_its_card_is_the_same_after_resuming_with_its_time_and_its_end(tmp_path: Path, command: str) -> None:
    first = make_app(tmp_path)
    async with first.run_test() as pilot:
        before = await run(pilot, command)
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test() as pilot:
        core = await ready(pilot)
        await settled(pilot)
        (after,) = [block for block in blocks(core.chat) if block.kind == "tool"]
    assert before.duration_seconds is not None
    assert after.duration_seconds == round(before.duration_seconds, 3)
    assert (after.state, after.exit_code or 0, after.id) == (before.state, before.exit_code or 0, before.id)
