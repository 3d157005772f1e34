"""The state of the screen's edges, folded from events."""

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.state import Phase, ScreenState, reduce

PROBLEM = Problem("overloaded", "Busy.", "Wait.")
TURN = ev.TurnStarted("t", "do it")


def after(*events: ev.Event) -> ScreenState:
    state = ScreenState()
    for number, event in enumerate(events):
        state = reduce(state, event, float(number))
    return state


@pytest.mark.parametrize(
    ("event", "phase"),
    [
        (TURN, "waiting"),
        (ev.StepStarted("t", "m", 1, "x/y"), "waiting"),
        (ev.TextDelta("m", "hi"), "answering"),
        (ev.ThinkingDelta("m", "hm"), "thinking"),
        (ev.ToolStarted("c", "read", {}), "running"),
        (ev.PermissionRequested("c", "bash", "rm x", "why"), "asking"),
        (ev.RetryScheduled("m", 1, 2.0, PROBLEM), "retrying"),
        (ev.CompactionStarted("k", 9, 10, "auto", "threshold"), "compacting"),
        (ev.TurnFinished("t", "done", 1, Usage(), 0.0), "idle"),
        (ev.TurnFailed("t", PROBLEM), "idle"),
    ],
)
def test_every_phase_has_its_event(event: ev.Event, phase: Phase) -> None:
    assert after(TURN, event).phase == phase


def test_a_turn_is_busy_from_its_start_to_its_end() -> None:
    assert after(TURN, ev.TextDelta("m", "x")).busy_since == 0.0
    assert not after(TURN, ev.TurnFinished("t", "done", 1, Usage(), 0.0)).is_busy
    assert not after(TURN, ev.TurnFailed("t", PROBLEM)).is_busy


def test_a_problem_stays_until_the_next_turn() -> None:
    assert after(TURN, ev.TurnFailed("t", PROBLEM)).problem == PROBLEM
    assert after(TURN, ev.TurnFailed("t", PROBLEM), TURN).problem is None


def test_usage_gives_cost_and_cache_share_and_an_unknown_price_makes_the_cost_unknown() -> None:
    usage = Usage(input_tokens=25, cache_read_tokens=75)
    state = after(ev.UsageRecorded("m", "x", usage, 0.5), ev.UsageRecorded("m", "x", usage, 0.25))
    assert state.cost == 0.75
    assert state.cache_percent == 75.0
    assert after(ev.UsageRecorded("m", "x", usage, None)).cost is None


def test_the_measure_is_a_share_of_the_window() -> None:
    state = after(ev.ContextMeasured(50, 200, limit_assumed=True, estimated=False, parts=()))
    assert (state.percent, state.is_estimated, state.limit_is_assumed) == (25.0, False, True)
    assert ScreenState().percent is None


def test_a_question_is_open_until_it_is_resolved_or_the_turn_ends() -> None:
    question = ev.PermissionRequested("c", "bash", "rm x", "why")
    assert after(TURN, question).question == question
    assert after(TURN, question, ev.PermissionResolved("c", True, "")).question is None
    assert after(TURN, question, ev.TurnFinished("t", "interrupted", 1, Usage(), 0.0)).question is None


def test_every_event_is_folded() -> None:
    for name in ("Pinned", "Unpinned", "SessionForked"):
        event_class = getattr(ev, name)
        fields = ("e", "label")[: len(event_class.__dataclass_fields__)]
        assert after(event_class(*fields)) == ScreenState()


def test_the_branch_is_named_by_the_label_above_the_leaf() -> None:
    assert after(ev.LeafMoved("e", "try-zod")).branch == "try-zod"
    assert after(ev.LeafMoved("e", "try-zod"), ev.Labelled("e", "", "")).branch == ""


def test_a_storage_problem_ends_when_saving_works_again() -> None:
    failed = ev.StorageFailed(Problem("storage_full", "The disk is full.", "Free some space."), "")
    assert after(failed).problem == failed.problem
    assert after(failed, ev.StorageRecovered()).problem is None
