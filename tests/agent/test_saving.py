"""A disk that refuses: words go back to the user, a turn stands still, and nothing pretends to be saved."""

import asyncio
from pathlib import Path

import pytest

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.domain.errors import StorageFull
from diligent_tui.domain.events import (
    StorageFailed,
    StorageRecovered,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage
from tests.agent.conftest import MakeStage, Stage
from tests.faults.refusing_disk import RefusingDisk


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> RefusingDisk:
    return RefusingDisk(monkeypatch)


async def stuck(stage: Stage) -> None:
    while not stage.session.is_stuck:
        await asyncio.sleep(0.001)


async def test_a_prompt_that_cannot_be_saved_is_refused_and_nothing_begins(stage: Stage, disk: RefusingDisk) -> None:
    await stage.ask("hello")
    before = stage.session.store.path.read_bytes()
    stage.events.clear()
    disk.refuses_with = b""
    with pytest.raises(StorageFull):
        await stage.session.prompt("these words matter")
    assert [event.text for event in stage.heard(StorageFailed)] == ["these words matter"]
    assert not stage.heard(TurnStarted)
    assert not stage.session.is_running
    assert stage.session.store.path.read_bytes() == before
    disk.refuses_with = None
    await stage.ask("these words matter")
    assert stage.heard(StorageRecovered)
    assert [m.content for m in stage.messages() if isinstance(m, UserMessage)] == ["hello", "these words matter"]


async def test_an_answer_that_cannot_be_saved_waits_and_is_saved_once(stage: Stage, disk: RefusingDisk) -> None:
    disk.refuses_with = b'"assistant"'
    await stage.session.prompt("hello")
    await stuck(stage)
    assert not any(isinstance(message, AssistantMessage) for message in stage.messages())
    stage.session.save_again()
    await asyncio.sleep(0)
    await stuck(stage)
    assert len(stage.heard(StorageFailed)) >= 2
    disk.refuses_with = None
    stage.session.save_again()
    await stage.session.wait_idle()
    assert stage.heard(StorageRecovered)
    assert stage.heard(TurnFinished)[0].reason == "done"
    again = await stage.reopen()
    assert sum(isinstance(message, AssistantMessage) for message in again.messages()) == 1
    await again.session.close()


async def test_giving_up_ends_the_turn_with_a_sentence_and_all_goes_on(stage: Stage, disk: RefusingDisk) -> None:
    disk.refuses_with = b'"assistant"'
    await stage.session.prompt("hello")
    await stuck(stage)
    stage.session.interrupt()
    await stage.session.wait_idle()
    assert stage.heard(TurnFailed)[0].problem.kind == "storage_full"
    disk.refuses_with = None
    await stage.ask("hello again")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_giving_up_on_what_a_tool_brought_ends_the_turn_as_well(stage: Stage, disk: RefusingDisk) -> None:
    disk.refuses_with = b'"tool_result"'
    await stage.session.prompt("run echo hi")
    await stuck(stage)
    stage.session.interrupt()
    await stage.session.wait_idle()
    assert [failed.problem.kind for failed in stage.heard(TurnFailed)] == ["storage_full"]
    disk.refuses_with = None
    await stage.ask("hello again")
    assert stage.heard(TurnFinished)[-1].reason == "done"


@pytest.mark.parametrize("goes_on", [True, False], ids=["tried again", "given up"])
async def test_two_tools_that_cannot_be_saved_at_once_wait_for_one_answer(
    stage: Stage, disk: RefusingDisk, tmp_path: Path, *, goes_on: bool
) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("words\n")
    disk.refuses_with = b'"tool_result"'
    await stage.session.prompt("read a.py and b.py")
    await stuck(stage)
    if goes_on:
        disk.refuses_with = None
        stage.session.save_again()
    else:
        stage.session.interrupt()
    await asyncio.wait_for(stage.session.wait_idle(), 20)
    assert not stage.session.is_stuck
    results = sum(isinstance(message, ToolResultMessage) for message in stage.messages())
    assert results == (2 if goes_on else 0)
    assert bool(stage.heard(TurnFinished)) == goes_on


async def test_where_nobody_can_answer_the_turn_fails_at_once(make_stage: MakeStage, disk: RefusingDisk) -> None:
    stage = make_stage(AgentPolicy(may_ask=False))
    for role in (b'"assistant"', b'"tool_result"'):
        disk.refuses_with = role
        await stage.ask("run echo hi")
    assert [failed.problem.kind for failed in stage.heard(TurnFailed)] == ["storage_full", "storage_full"]


async def test_closing_does_not_wait_for_a_disk(stage: Stage, disk: RefusingDisk) -> None:
    disk.refuses_with = b'"assistant"'
    await stage.session.prompt("hello")
    await stuck(stage)
    await asyncio.wait_for(stage.session.close(), 20)


async def test_a_lost_piece_of_a_stream_is_told_while_it_streams(stage: Stage, disk: RefusingDisk) -> None:
    disk.refuses_with = b'"partial"'
    await stage.ask("[[t=400 r=2000]]")
    assert stage.heard(StorageFailed)
    assert stage.heard(StorageRecovered)
    assert stage.heard(TurnFinished)[0].reason == "done"


async def test_a_queued_text_is_delivered_by_one_line(stage: Stage, tmp_path: Path) -> None:
    await stage.session.prompt("run sleep 0.2")
    await stage.session.prompt("and then this")
    assert [item.text for item in stage.session.waiting.items] == ["and then this"]
    await stage.session.wait_idle()
    assert not stage.session.waiting.items
    lines = stage.session.store.path.read_text().splitlines()
    delivering = [line for line in lines if '"queuedId"' in line]
    assert len(delivering) == 1
    assert "and then this" in delivering[0]
    assert not any('"unqueued"' in line for line in lines)


async def test_a_queued_text_that_cannot_be_delivered_still_waits(stage: Stage, disk: RefusingDisk) -> None:
    await stage.session.prompt("run sleep 0.2")
    await stage.session.prompt("and then this")
    disk.refuses_with = b'"queuedId"'
    await stage.session.wait_idle()
    assert [item.text for item in stage.session.waiting.items] == ["and then this"]
    disk.refuses_with = None
    again = await stage.reopen()
    assert [item.text for item in again.session.waiting.items] == ["and then this"]
    await again.session.close()
