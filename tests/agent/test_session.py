"""The door to the agent: prompts, tools, queue, steering, interruption, limits and branches, on the offline model."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.domain.errors import SessionLocked, UsageError
from diligent_tui.domain.events import (
    ContextMeasured,
    ContextOverflowed,
    Event,
    MessageSaved,
    PermissionRequested,
    QueueChanged,
    RetryScheduled,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageRecorded,
    event_to_json,
)
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage
from diligent_tui.domain.requests import Request, Text
from diligent_tui.providers.registry import find
from diligent_tui.providers.retry import Backoff
from diligent_tui.providers.wire import check_request
from tests.agent.conftest import MakeStage, Stage


async def until(stage: Stage, event_class: type[Event]) -> None:
    """Wait for the next event of a kind."""
    seen = asyncio.Event()
    stop = stage.session.hub.subscribe(lambda event: seen.set() if isinstance(event, event_class) else None)
    await asyncio.wait_for(seen.wait(), 20)
    stop()


async def test_a_prompt_is_saved_before_the_first_request_and_its_tools_really_run(
    stage: Stage, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("seven swans\n")
    await stage.ask("read note.txt then run echo hi")
    kinds = [type(event) for event in stage.events]
    assert kinds[0] is TurnStarted
    assert kinds.index(MessageSaved) < kinds.index(StepStarted)
    assert [event.name for event in stage.heard(ToolFinished)] == ["read", "bash"]
    assert "seven swans" in stage.heard(ToolFinished)[0].output
    assert stage.heard(TurnFinished)[0].reason == "done"
    assert stage.heard(UsageRecorded)
    assert stage.heard(ContextMeasured)[-1].limit == 32_000
    answer = stage.messages()[-1]
    assert isinstance(answer, AssistantMessage)
    assert "seven swans" in answer.text


async def test_every_event_can_be_written_as_json(stage: Stage) -> None:
    await stage.ask("run echo hi")
    assert all(event_to_json(event)["type"] for event in stage.events)


async def test_the_file_appears_with_the_first_prompt_and_not_before(stage: Stage) -> None:
    assert not stage.session.store.path.exists()
    await stage.ask("hello")
    assert stage.session.store.path.exists()


async def test_a_reopened_session_goes_on_where_it_was(stage: Stage) -> None:
    await stage.ask("run echo first")
    before = stage.messages()
    again = await stage.reopen()
    assert again.messages() == before
    await again.ask("what did I ask?")
    answer = again.messages()[-1]
    assert isinstance(answer, AssistantMessage)
    assert "run echo first" in answer.text
    await again.session.close()


async def test_a_second_writer_is_told_who_holds_the_session(stage: Stage) -> None:
    await stage.ask("hello")
    with pytest.raises(SessionLocked, match="process"):
        await AgentSession.resume(stage.session.store.path, stage.given)


async def test_interrupting_a_stream_keeps_its_words_and_the_next_prompt_works(stage: Stage) -> None:
    await stage.session.prompt("[[t=4000 r=400 id=ab]]")
    await until(stage, TextDelta)
    stage.session.interrupt()
    await stage.session.wait_idle()
    assert stage.heard(TurnFinished)[-1].reason == "interrupted"
    answer = stage.messages()[-1]
    assert isinstance(answer, AssistantMessage)
    assert answer.stop_reason == "interrupted"
    assert answer.text
    assert "".join(event.text for event in stage.heard(TextDelta)) == answer.text
    await stage.ask("run echo still here")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_interrupting_a_tool_ends_it_and_answers_its_call(stage: Stage) -> None:
    await stage.session.prompt("run echo begun; sleep 60")
    await until(stage, ToolStarted)
    stage.session.interrupt()
    await stage.session.wait_idle()
    outcome = stage.messages()[-1]
    assert isinstance(outcome, ToolResultMessage)
    assert str(outcome.output).startswith("Interrupted by the user.")
    assert check_request(stage.session.next_request()) == []
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_a_prompt_sent_meanwhile_is_saved_queued_and_then_answered(stage: Stage) -> None:
    await stage.session.prompt("run sleep 0.2")
    await stage.session.prompt("run echo queued one")
    assert stage.heard(QueueChanged)[-1].items[0].text == "run echo queued one"
    assert b'"queued"' in stage.session.store.path.read_bytes()
    await stage.session.wait_idle()
    assert stage.session.waiting.items == ()
    prompts = [message.content for message in stage.messages() if isinstance(message, UserMessage)]
    assert prompts == ["run sleep 0.2", "run echo queued one"]
    assert [event.reason for event in stage.heard(TurnFinished)] == ["done", "done"]


async def test_a_queued_prompt_can_be_taken_back(stage: Stage) -> None:
    await stage.session.prompt("run sleep 0.2")
    await stage.session.prompt("not this")
    waiting = stage.session.waiting.items[0]
    assert await stage.session.take_back(waiting.id) == "not this"
    assert await stage.session.take_back(waiting.id) is None
    await stage.session.wait_idle()
    assert len(stage.heard(TurnFinished)) == 1


async def test_queued_text_survives_a_reopening(stage: Stage) -> None:
    await stage.session.prompt("run sleep 30")
    await stage.session.prompt("later")
    stage.session.interrupt()
    again = await stage.reopen()
    assert [item.text for item in again.session.waiting.items] == ["later"]
    await again.session.close()


async def test_steering_reaches_the_model_after_the_current_tool_and_skips_the_rest(stage: Stage) -> None:
    await stage.session.prompt("run sleep 0.2 then run echo never")
    await until(stage, ToolStarted)
    await stage.session.steer("run echo instead")
    await stage.session.wait_idle()
    commands = [event.input["command"] for event in stage.heard(ToolStarted)]
    assert commands == ["sleep 0.2", "echo instead"]
    assert len(stage.heard(TurnFinished)) == 1


async def test_a_question_waits_for_its_answer(make_stage: MakeStage) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    await until(stage, PermissionRequested)
    question = stage.heard(PermissionRequested)[0]
    assert question.subject == "touch made"
    assert stage.session.resolve_permission(question.call_id, allowed=False, reason="not now")
    await stage.session.wait_idle()
    assert "not now" in stage.heard(ToolFinished)[0].output
    assert not stage.session.resolve_permission(question.call_id, allowed=True)


async def test_interrupting_a_question_refuses_it(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage(mode="ask")
    await stage.session.prompt("run touch made")
    await until(stage, PermissionRequested)
    stage.session.interrupt()
    await stage.session.wait_idle()
    assert not (tmp_path / "made").exists()
    assert stage.heard(TurnFinished)[-1].reason == "interrupted"


async def test_without_anybody_to_ask_a_risky_call_is_denied_with_the_reason(make_stage: MakeStage) -> None:
    stage = make_stage(AgentPolicy(may_ask=False), mode="ask")
    await stage.ask("run touch made")
    assert "nobody is here" in stage.heard(ToolFinished)[0].output


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("[[fault=overloaded]]", "overloaded"),
        ("[[fault=auth]]", "auth"),
        ("[[fault=no_end]]", "stream_cut"),
        ("[[fault=cut]]", "stream_cut"),
        ("[[fault=bad_response]]", "bad_response"),
        ("[[fault=empty]]", "bad_response"),
        ("[[fault=overflow]]", "context_overflow"),
    ],
)
async def test_a_failing_provider_ends_the_turn_with_a_sentence_and_the_session_goes_on(
    stage: Stage, prompt: str, kind: str
) -> None:
    await stage.ask(prompt)
    problem = stage.heard(TurnFailed)[0].problem
    assert problem.kind == kind
    assert problem.message
    assert problem.advice
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"


@pytest.mark.parametrize("fault", ["overloaded", "unavailable", "rate_limited"])
async def test_a_fault_that_passes_is_waited_out_and_told(stage: Stage, fault: str) -> None:
    await stage.ask(f"run echo hi [[fault={fault} times=2 after=0]]")
    assert [event.attempt for event in stage.heard(RetryScheduled)] == [2, 3]
    assert stage.heard(TurnFinished)[0].reason == "done"
    assert [event.name for event in stage.heard(ToolFinished)] in ([], ["bash"])


async def test_an_answer_that_was_cut_off_goes_on_from_what_is_saved(stage: Stage) -> None:
    await stage.ask("[[fault=cut times=1]]")
    assert len(stage.heard(RetryScheduled)) == 1
    assert stage.heard(TurnFinished)[0].reason == "done"
    answers = [message for message in stage.messages() if isinstance(message, AssistantMessage)]
    first, _ = answers
    assert first.stop_reason == "error"
    check_request(stage.session.next_request())


async def test_esc_ends_the_wait_for_the_next_try(make_stage: MakeStage) -> None:
    stage = make_stage(AgentPolicy(backoff=Backoff(first_delay_seconds=60)))
    waiting = asyncio.create_task(until(stage, RetryScheduled))
    await stage.session.prompt("[[fault=overloaded]]")
    await waiting
    stage.session.interrupt()
    await asyncio.wait_for(stage.session.wait_idle(), 20)
    assert stage.heard(TurnFinished)[0].reason == "interrupted"


async def test_an_overflow_is_told_with_its_figures(stage: Stage) -> None:
    await stage.ask("[[fault=overflow]]")
    overflow = stage.heard(ContextOverflowed)[0]
    assert overflow.tokens > overflow.limit > 0


async def test_an_answer_cut_by_the_limit_is_continued_once(stage: Stage) -> None:
    await stage.ask("[[fault=max_tokens times=1]]")
    assert stage.heard(TurnFinished)[0].steps == 2
    assert stage.heard(TurnFinished)[0].reason == "done"


@pytest.mark.parametrize("fault", ["refusal", "content_filter"])
async def test_other_ends_of_an_answer_are_told_by_name(stage: Stage, fault: str) -> None:
    await stage.ask(f"[[fault={fault}]]")
    assert stage.heard(TurnFinished)[0].reason == fault


async def test_a_truncated_call_never_runs(stage: Stage) -> None:
    await stage.ask("[[fault=truncated_call]]")
    assert stage.heard(ToolStarted) == []


async def test_an_unknown_tool_is_answered_with_the_names_there_are(stage: Stage) -> None:
    await stage.ask("[[fault=unknown_tool times=1]]")
    assert "There are: add_knowledge, bash, edit, glob, grep, ls, read" in stage.heard(ToolFinished)[0].output


async def test_the_same_call_three_times_stops_the_turn(stage: Stage) -> None:
    await stage.ask("[[fault=same_call]]")
    assert stage.heard(TurnFinished)[0].reason == "repeated_call"
    assert len(stage.heard(ToolStarted)) == 2


async def test_the_step_limit_stops_the_turn(make_stage: MakeStage) -> None:
    stage = make_stage(AgentPolicy(max_steps=2))
    await stage.ask("run echo 1 then run echo 2 then run echo 3")
    assert stage.heard(TurnFinished)[0].reason == "step_limit"


async def test_moving_in_the_tree_changes_what_the_model_sees_and_is_remembered(stage: Stage) -> None:
    await stage.ask("run echo one")
    first_turn = [node.id for node in stage.session.conversation.path]
    await stage.ask("run echo two")
    await stage.session.move_to(first_turn[-1])
    words = [part.text for m in stage.session.next_request().messages for part in m.parts if isinstance(part, Text)]
    assert "run echo two" not in words
    again = await stage.reopen()
    assert [node.id for node in again.session.conversation.path] == first_turn
    await again.ask("run echo three")
    assert len(again.session.store.tree.children[first_turn[-1]]) >= 2
    await again.session.close()


async def test_going_before_the_first_entry_begins_a_new_root_with_its_own_system_prompt(stage: Stage) -> None:
    await stage.ask("hello")
    await stage.session.move_to(None)
    await stage.ask("hello again")
    assert stage.session.conversation.system_prompt() == "Be good.\n"
    assert len(stage.session.store.tree.children[None]) == 2


async def test_names_labels_and_pins_are_saved(stage: Stage) -> None:
    await stage.ask("hello")
    prompt_id = stage.session.conversation.path[0].id
    await stage.session.rename("greeting")
    await stage.session.label(prompt_id, "start")
    await stage.session.memory.pin(prompt_id)
    await stage.session.memory.unpin(prompt_id)
    again = await stage.reopen()
    assert again.session.store.content.name == "greeting"
    assert again.session.store.content.labels == {prompt_id: "start"}
    await again.session.close()


async def test_wishes_that_make_no_sense_are_refused_with_a_sentence(stage: Stage) -> None:
    with pytest.raises(UsageError):
        await stage.session.prompt("   ")
    with pytest.raises(UsageError, match="no entry"):
        await stage.session.move_to("nowhere0")
    await stage.session.prompt("run sleep 0.1")
    with pytest.raises(UsageError, match="at work"):
        await stage.session.move_to(None)


async def test_a_resumed_session_goes_on_with_its_own_model(stage: Stage) -> None:
    await stage.ask("hello")
    await stage.session.set_model(find("sonnet"), "high")
    await stage.ask("hello")
    await stage.session.close()
    again = await AgentSession.resume(stage.session.store.path, replace(stage.given, find_model=find))
    assert again.model == find("sonnet")
    await again.close()
    told = await AgentSession.resume(stage.session.store.path, stage.given)
    assert told.model == stage.given.model
    await told.close()


async def test_the_prefix_of_requests_stays_the_same_from_step_to_step(stage: Stage) -> None:
    requests: list[Request] = []
    hub = stage.session.hub
    hub.subscribe(
        lambda event: requests.append(stage.session.next_request()) if isinstance(event, StepStarted) else None
    )
    await stage.ask("run echo 1 then run echo 2 then run echo 3")
    await stage.ask("run echo 4")
    for before, after in pairwise(requests):
        assert after.system == before.system
        assert after.tools == before.tools
        assert after.messages[: len(before.messages)] == before.messages


async def test_real_counts_teach_the_estimator_and_the_measure_becomes_real(stage: Stage) -> None:
    await stage.ask("hello")
    assert stage.session.estimator.ratios["offline/rehearsal"].samples == 1
    assert not stage.session.measure().estimated


async def test_the_trace_is_one_more_listener_and_counts_pieces_as_one(stage: Stage) -> None:
    trace = TraceRecorder()
    stage.session.hub.subscribe(trace)
    await stage.ask("[[t=500 r=0 id=x]]")
    texts = [record for record in trace.records if isinstance(record.event, TextDelta)]
    assert len(texts) == 1
    assert texts[0].repeats > 100
