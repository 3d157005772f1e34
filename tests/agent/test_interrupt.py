"""Stopping the agent in each of its phases: it is idle, nothing runs on, its words are kept, the next prompt works."""

import asyncio
from pathlib import Path

import pytest

from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage
from diligent_tui.providers.wire import check_request
from tests.agent.phases import LONGEST_SECONDS, PHASES, Stopped, reach_summary, survivors


@pytest.mark.parametrize("name", PHASES)
async def test_a_turn_is_stopped_in_every_phase(tmp_path: Path, name: str) -> None:
    stopped = Stopped(tmp_path, PHASES[name])
    await stopped.reach()
    stopped.session.interrupt()
    await asyncio.wait_for(stopped.session.wait_idle(), LONGEST_SECONDS)
    assert not stopped.session.is_running
    assert survivors(tmp_path) == []
    assert stopped.last_end == "interrupted"
    assert check_request(stopped.session.next_request()) == []
    assert not (tmp_path / "made").exists()
    assert await stopped.next_prompt_works()
    assert survivors(tmp_path) == []
    await stopped.session.close()


@pytest.mark.parametrize("name", ["streaming", "thinking", "running a quiet command", "running a flood"])
async def test_what_was_said_until_then_is_kept_and_marked(tmp_path: Path, name: str) -> None:
    stopped = Stopped(tmp_path, PHASES[name])
    await stopped.reach()
    stopped.session.interrupt()
    await asyncio.wait_for(stopped.session.wait_idle(), LONGEST_SECONDS)
    session = stopped.session
    entries = [session.store.entry(node.id) for node in session.conversation.path]
    messages = [entry.message for entry in entries if isinstance(entry, MessageEntry)]
    match messages[-1]:
        case AssistantMessage() as answer:
            assert answer.stop_reason == "interrupted"
        case ToolResultMessage() as result:
            assert str(result.output).startswith("Interrupted by the user. Output so far:")
        case other:
            pytest.fail(f"nothing of the answer was kept: {other}")
    await session.close()


@pytest.mark.parametrize("times", [2, 5])
@pytest.mark.parametrize("name", ["streaming", "running what will not end", "asking for permission"])
async def test_stopping_again_and_again_changes_nothing(tmp_path: Path, name: str, times: int) -> None:
    stopped = Stopped(tmp_path, PHASES[name])
    await stopped.reach()
    for _ in range(times):
        stopped.session.interrupt()
        await asyncio.sleep(0)
    await asyncio.wait_for(stopped.session.wait_idle(), LONGEST_SECONDS)
    stopped.session.interrupt()
    assert survivors(tmp_path) == []
    assert await stopped.next_prompt_works()
    await stopped.session.close()


async def test_a_summary_of_a_branch_is_stopped_and_nothing_moves(tmp_path: Path) -> None:
    session, leave = await reach_summary(tmp_path)
    leaf = session.store.tree.leaf_id
    leaving = leave()
    await asyncio.sleep(0)
    session.interrupt()
    assert await asyncio.wait_for(leaving, LONGEST_SECONDS) is False
    assert session.store.tree.leaf_id == leaf
    await session.close()


async def test_closing_with_a_hundred_children_leaves_none(tmp_path: Path) -> None:
    stopped = Stopped(tmp_path, PHASES["running fifty children"])
    await stopped.reach()
    await asyncio.wait_for(stopped.session.close(), LONGEST_SECONDS)
    assert survivors(tmp_path) == []
