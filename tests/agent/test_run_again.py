"""A call that the user runs again: the same rules, no step of the model's, a note for it, and all of it undoable."""

import asyncio
from pathlib import Path

import pytest

from diligent_tui.agent.user_call import note_of
from diligent_tui.agent.user_turn import MOST_TOLD_BYTES
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import PermissionRequested, StepStarted, ToolFinished, ToolOutput, TurnFinished
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.tools.base import Outcome
from tests.agent.conftest import MakeStage, Stage

HELLO: dict[str, object] = {"command": "echo hello"}


def notes(stage: Stage) -> list[str]:
    entries = (stage.session.store.entry(node.id) for node in stage.session.conversation.path)
    return [entry.text for entry in entries if isinstance(entry, KnowledgeNoteEntry)]


async def asked(stage: Stage) -> PermissionRequested:
    while not stage.heard(PermissionRequested):
        await asyncio.sleep(0)
    return stage.heard(PermissionRequested)[-1]


async def test_it_runs_is_seen_live_and_told_to_the_model_without_asking_it(stage: Stage) -> None:
    await stage.ask("hello")
    steps = len(stage.heard(StepStarted))
    await stage.session.acts.run_again("bash", HELLO)
    finished = stage.heard(ToolFinished)[-1]
    assert (finished.output, finished.exit_code) == ("hello\n", 0)
    assert stage.heard(ToolOutput)[-1].call_id == finished.call_id
    assert len(stage.heard(StepStarted)) == steps
    assert stage.heard(TurnFinished)[-1].reason == "done"
    assert notes(stage)[-1].endswith('bash {"command": "echo hello"}\nIt went well:\nhello\n')
    assert "It went well" in str(stage.session.next_request().messages[-1])
    await stage.ask("hello again")
    assert stage.heard(TurnFinished)[-1].reason == "done"


@pytest.mark.parametrize("is_allowed", [True, False])
async def test_what_must_be_asked_is_asked(make_stage: MakeStage, tmp_path: Path, is_allowed: bool) -> None:
    stage = make_stage(mode="ask")
    await stage.ask("hello")
    running = asyncio.create_task(stage.session.acts.run_again("write", {"path": "a.txt", "content": "new\n"}))
    question = await asked(stage)
    assert question.diff
    assert stage.session.is_running
    stage.session.resolve_permission(question.call_id, allowed=is_allowed)
    await running
    assert (tmp_path / "a.txt").exists() is is_allowed
    assert ("It went well" in notes(stage)[-1]) is is_allowed


async def test_a_file_that_it_changed_can_be_put_back(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old\n")
    await stage.ask("hello")
    await stage.session.acts.run_again("write", {"path": "a.txt", "content": "new\n"})
    assert (tmp_path / "a.txt").read_text() == "new\n"
    turn = stage.session.history.turns()[0]
    assert turn.turn_id in stage.session.store.tree.nodes
    stage.session.history.restore(stage.session.history.plan_restore([turn.turn_id]), ())
    assert (tmp_path / "a.txt").read_text() == "old\n"


async def test_it_can_be_stopped_and_the_next_prompt_works(stage: Stage) -> None:
    await stage.ask("hello")
    running = asyncio.create_task(stage.session.acts.run_again("bash", {"command": "echo begun; sleep 100"}))
    while not stage.heard(ToolOutput):
        await asyncio.sleep(0.001)
    stage.session.interrupt()
    await running
    assert stage.heard(TurnFinished)[-1].reason == "interrupted"
    assert "begun" in notes(stage)[-1]
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_while_the_agent_works_it_is_refused(make_stage: MakeStage) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    await asked(stage)
    with pytest.raises(UsageError):
        await stage.session.acts.run_again("bash", HELLO)


def test_of_a_long_output_both_ends_are_told() -> None:
    told = note_of(ToolCallBlock(id="1", name="bash", input=HELLO), Outcome("a" * 50_000 + "the end", is_error=True))
    assert len(told) < MOST_TOLD_BYTES + 300
    assert "It failed:\naaa" in told
    assert told.endswith("the end")
    assert "bytes left out" in told
