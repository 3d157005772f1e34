"""Questions wait for their answers, and a yes that holds longer spares the next question."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from diligent_tui.agent import tool_calls
from diligent_tui.agent.permissions import Decision, Questions
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.events import MessageSaved, PermissionRequested, PermissionResolved, ToolFinished
from diligent_tui.domain.messages import ToolResultMessage
from tests.agent.conftest import MakeStage, Stage


async def question(stage: Stage, number: int) -> PermissionRequested:
    """Wait for so many questions, and give the last."""
    while len(stage.heard(PermissionRequested)) < number:
        await asyncio.sleep(0)
    return stage.heard(PermissionRequested)[number - 1]


async def test_a_new_rule_answers_the_questions_that_it_makes_needless() -> None:
    questions = Questions()
    first = asyncio.create_task(questions.ask("1"))
    second = asyncio.create_task(questions.ask("2", lambda: True))
    third = asyncio.create_task(questions.ask("3", lambda: False))
    await asyncio.sleep(0)
    assert questions.resolve("1", Decision(allowed=True, scope="session"))
    await questions.settle()
    assert await first == Decision(allowed=True, scope="session")
    assert await second == Decision(allowed=True)
    assert not third.done()
    assert not questions.resolve("2", Decision(allowed=False))
    assert questions.resolve("3", Decision(allowed=False, reason="no"))
    assert (await third).reason == "no"


async def test_a_yes_for_the_session_is_not_asked_again(make_stage: MakeStage) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    asked = await question(stage, 1)
    assert asked.rule == "bash(touch made)"
    stage.session.resolve_permission(asked.call_id, allowed=True, scope="session", rule=asked.rule)
    await stage.session.wait_idle()
    await asyncio.wait_for(stage.ask("run touch made"), 20)
    assert len(stage.heard(ToolFinished)) == 2
    assert len(stage.heard(PermissionRequested)) == 1


async def test_a_question_that_is_interrupted_is_told_as_answered(make_stage: MakeStage) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    asked = await question(stage, 1)
    stage.session.interrupt()
    await stage.session.wait_idle()
    resolved = stage.heard(PermissionResolved)
    assert [(event.call_id, event.allowed) for event in resolved] == [(asked.call_id, False)]


async def test_the_model_is_told_the_reason_of_a_no(make_stage: MakeStage) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    asked = await question(stage, 1)
    stage.session.resolve_permission(asked.call_id, allowed=False, reason="use make.")
    await stage.session.wait_idle()
    assert stage.heard(ToolFinished)[0].output == "Not allowed: use make."


async def test_a_call_takes_as_long_as_it_runs_and_not_as_its_question_waits(
    make_stage: MakeStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = [0.0]
    monkeypatch.setattr(tool_calls, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + waited[0]))
    stage = make_stage(mode="ask")
    for number, allowed in enumerate((True, False), start=1):
        await stage.session.prompt(f"run touch made{number}")
        asked = await question(stage, number)
        waited[0] += 1_000.0
        stage.session.resolve_permission(asked.call_id, allowed=allowed)
        await stage.session.wait_idle()
    ran, refused = (event.duration_seconds for event in stage.heard(ToolFinished))
    assert 0 < ran < 1_000
    assert refused == 0
    saved = [stage.session.store.entry(event.entry_id) for event in stage.heard(MessageSaved)]
    kept = [entry.message for entry in saved if isinstance(entry, MessageEntry)]
    times = [message.duration_seconds for message in kept if isinstance(message, ToolResultMessage)]
    assert times[0] is not None
    assert times[1] is None
