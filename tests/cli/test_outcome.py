import pytest

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.cli.outcome import Outcome
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.events import (
    CompactionFinished,
    Event,
    MessageSaved,
    PermissionResolved,
    StepStarted,
    ToolCallReady,
    ToolFinished,
    TurnFailed,
    TurnFinished,
    UsageRecorded,
)
from diligent_tui.domain.usage import Usage

DONE = TurnFinished("t", "done", 1, Usage(), 0.0)
STOPPED = TurnFinished("t", "interrupted", 1, Usage(), 0.0)
USED = Usage(input_tokens=60, output_tokens=40)


def heard(*events: Event) -> Outcome:
    outcome = Outcome()
    for event in events:
        outcome.note(event)
    return outcome


def said(text: str) -> MessageSaved:
    return MessageSaved("m", "assistant", text)


def test_an_answer_that_went_on_after_a_cut_is_one_and_what_came_before_tools_is_not_it() -> None:
    tool = ToolFinished("c", "read", "", False, 0.1)
    assert heard(said("I look."), tool, said("It is "), said("good.")).text == "It is good."
    assert heard(said("I look."), tool).text == "I look."


def test_summaries_are_counted_and_one_unknown_cost_makes_the_sum_unknown() -> None:
    paid = UsageRecorded("m", "a/b", USED, 0.5)
    summary = UsageRecorded("s", "a/b", USED, 0.25, "summary")
    outcome = heard(StepStarted("t", "m", 1, "a/b"), paid, summary)
    assert (outcome.steps, outcome.usage.context_tokens, outcome.cost) == (1, 200, 0.75)
    assert heard(paid, UsageRecorded("m", "a/b", USED, None)).cost is None


@pytest.mark.parametrize(
    ("policy", "limit"),
    [
        (AgentPolicy(), ""),
        (AgentPolicy(max_cost=0.75), "cost_limit"),
        (AgentPolicy(max_cost=0.76), ""),
        (AgentPolicy(max_tokens=200), "token_limit"),
        (AgentPolicy(max_tokens=201), ""),
    ],
)
def test_a_summary_can_reach_a_limit_that_answers_alone_do_not(policy: AgentPolicy, limit: str) -> None:
    outcome = heard(UsageRecorded("m", "a/b", USED, 0.5), UsageRecorded("s", "a/b", USED, 0.25, "summary"))
    assert outcome.limit_reached(policy) == limit


def test_a_denial_is_told_with_its_tool() -> None:
    outcome = heard(ToolCallReady("c", "bash", {}), PermissionResolved("c", False, "not allowed"), DONE)
    assert outcome.exit_code == 4
    assert [(each.name, each.reason) for each in outcome.report().denials] == [("bash", "not allowed")]
    assert heard(PermissionResolved("c", True, ""), DONE).exit_code == 0


@pytest.mark.parametrize(
    ("end", "stopped_by", "is_lost", "reason", "code"),
    [
        (DONE, "", False, "done", 0),
        (DONE, "interrupted", False, "done", 0),
        (STOPPED, "", False, "interrupted", 130),
        (STOPPED, "time_limit", False, "time_limit", 3),
        (STOPPED, "cost_limit", False, "cost_limit", 3),
        (STOPPED, "reader_left", True, "reader_left", 1),
        (DONE, "reader_left", True, "reader_left", 1),
        (DONE, "interrupted", True, "interrupted", 130),
        (TurnFailed("t", Problem("auth", "", "")), "", False, "failed", 5),
        (TurnFailed("t", Problem("storage_full", "", "")), "", False, "failed", 1),
    ],
)
def test_how_a_run_ended(end: Event, stopped_by: str, is_lost: bool, reason: str, code: int) -> None:
    outcome = heard(end)
    outcome.stopped_by, outcome.has_lost_output = stopped_by, is_lost
    assert (outcome.stop_reason, outcome.exit_code) == (reason, code)


def test_a_run_that_never_came_to_its_end_has_failed() -> None:
    assert (Outcome().stop_reason, Outcome().exit_code) == ("failed", 1)


def test_compactions_are_counted() -> None:
    assert heard(CompactionFinished("k", 9, 3, 2, 0, 2, "so far")).report().compactions == 1
