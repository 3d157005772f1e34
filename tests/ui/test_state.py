"""The state of the screen's edges, folded from events."""

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.state import Phase, ScreenState, WritingPhase, reduce

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


STARTED = ev.CompactionStarted("k", 9, 10, "auto", "manual")
FINISHED = ev.CompactionFinished("k", 9, 3, 4, 0, 4, "Goal")
FAILED = ev.CompactionFailed("k", PROBLEM, can_retry=True, suggest_new_session=False)


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ((), "pruning"),
        ((ev.CompactionPruned("k", 3, 900, ("read",)),), "pruning"),
        ((ev.CompactionSummarising("k", 12),), "summarising"),
        ((ev.CompactionSummarising("k", 12), ev.CompactionChecking("k")), "checking"),
        ((ev.CompactionChecking("k"), ev.CompactionSummarising("k", 12)), "summarising"),
    ],
)
def test_a_compaction_has_its_own_phases(events: tuple[ev.Event, ...], phase: WritingPhase) -> None:
    state = after(STARTED, *events)
    assert state.compacting is not None
    assert state.compacting.phase == phase
    assert state.is_busy


@pytest.mark.parametrize("ending", [FINISHED, FAILED])
def test_a_compaction_by_hand_leaves_the_screen_idle_and_one_inside_a_turn_leaves_it_waiting(ending: ev.Event) -> None:
    assert (after(STARTED, ending).phase, after(STARTED, ending).is_busy) == ("idle", False)
    within = after(TURN, STARTED, ending)
    assert (within.phase, within.working_since) == ("waiting", 0.0)
    assert after(TURN, STARTED).working_since == 1.0


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (("## Goal",), 2),
        (("One", " two", " three"), 3),
        (("One ", "two ", "three"), 3),
        (("On", "e t", "wo"), 2),
        (("", "  ", "one", "\n", "two"), 2),
    ],
)
def test_the_words_of_a_summary_are_counted_however_it_is_cut_into_pieces(pieces: tuple[str, ...], words: int) -> None:
    begun = (STARTED, ev.CompactionSummarising("k", 4, 600))
    state = after(*begun, *(ev.CompactionSummaryDelta("k", piece) for piece in pieces))
    assert state.compacting is not None
    assert (state.compacting.words, state.compacting.expected_words) == (words, 600)


def test_a_summary_that_is_written_again_is_counted_again() -> None:
    again = (ev.CompactionSummarising("k", 4), ev.CompactionSummaryDelta("k", "one two three"))
    state = after(STARTED, *again, ev.CompactionRejected("k", "too short"), *again)
    assert state.compacting is not None
    assert state.compacting.words == 3


def test_the_parts_of_a_long_summary_are_one_work() -> None:
    parts = [ev.CompactionSummarising("k", 4, 600, part, 3) for part in (1, 2)]
    state = after(STARTED, parts[0], ev.CompactionSummaryDelta("k", "one two"), parts[1])
    assert state.compacting is not None
    assert (state.compacting.part, state.compacting.parts, state.compacting.words) == (2, 3, 0)
    assert state.compacting.writing_since == 1.0


def test_the_kinds_of_the_context_are_kept_for_the_gauge() -> None:
    parts = (("system", 10), ("turns", 40))
    measured = ev.ContextMeasured(50, 200, limit_assumed=False, estimated=False, parts=parts)
    assert after(measured).parts == parts


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


def test_pruning_alone_is_no_compaction_that_is_counted() -> None:
    pruned = ev.CompactionFinished("k", 9, 3, 0, 4, 0, "")
    assert reduce(ScreenState(compactions=2), pruned, 0.0).compactions == 2
    assert reduce(ScreenState(compactions=2), FINISHED, 0.0).compactions == 3


ERRAND = (ev.ErrandStarted("e", "learn", 40), ev.ErrandAsked("e", "offline/rehearsal", 100))


def test_an_errand_is_shown_as_written_and_counted_until_it_ends() -> None:
    state = after(*ERRAND, ev.ErrandDelta("e", "one two"), ev.ErrandDelta("e", " three"))
    assert state.writing is not None
    assert (state.writing.deed, state.writing.phase) == ("learning", "writing")
    assert (state.writing.words, state.writing.expected_words, state.writing.writing_since) == (3, 100, 1.0)
    assert (state.is_working, state.is_busy, state.working_since) == (True, False, 0.0)
    for ending in (ev.ErrandFinished("e", "learn", "", 0, 1.0), ev.ErrandFailed("e", "learn", PROBLEM)):
        ended = after(*ERRAND, ending)
        assert (ended.writing, ended.is_working) == (None, False)


def test_of_two_errands_the_newest_is_shown_and_a_compaction_or_a_question_before_both() -> None:
    both = (*ERRAND, ev.ErrandStarted("b", "branch_summary", 12))
    newest = after(*both).writing
    assert newest is not None
    assert (newest.deed, newest.phase) == ("summing up the branch", "reading")
    assert after(*both, ev.ErrandFinished("b", "branch_summary", "", 0, 1.0)).writing == after(*ERRAND).writing
    compacting = after(*both, STARTED)
    assert compacting.writing is compacting.compacting is not None
    assert after(TURN, *both, ev.PermissionRequested("c", "bash", "rm x", "why")).writing is None
