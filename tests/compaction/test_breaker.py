"""Compaction is not tried again where it does not help, and never keeps a request from fitting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.compaction.breaker import Breaker, is_effective
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.triggers import Need, need_of, usual_turn_tokens
from tests.strategies.conversations import Conversation, Step, Turn, tokens_at

POLICY = CompactionPolicy()
LATER = 1_000.0


def test_two_compactions_that_did_not_help_latch_it_off_until_the_user_resets() -> None:
    once = Breaker().compacted(0, was_effective=False).step_finished()
    assert once.judge(POLICY, LATER) == "go"
    twice = once.compacted(LATER, was_effective=False).step_finished()
    assert twice.judge(POLICY, 9 * LATER) == "latched"
    assert twice.judge(POLICY, 9 * LATER, would_overflow=True) == "latched"
    assert twice.judge(POLICY, 9 * LATER, by_hand=True) == "go"
    assert twice.reset().judge(POLICY, 9 * LATER) == "go"


def test_what_the_provider_counts_afterwards_decides_whether_it_helped() -> None:
    breaker = Breaker()
    for moment in (0.0, LATER):
        breaker = breaker.compacted(moment, was_effective=True).measured(190, 100).step_finished()
    assert breaker.is_latched(POLICY)
    helped = Breaker(ineffective_in_a_row=1).compacted(0, was_effective=True).measured(90, 100)
    assert helped.ineffective_in_a_row == 0
    assert helped.measured(190, 100) == helped


@pytest.mark.parametrize(
    ("seconds", "would_overflow", "judgement"),
    [(59, False, "cooling"), (59, True, "go"), (60, False, "go"), (-5, False, "go")],
)
def test_the_cooldown_gives_way_where_a_request_would_not_fit(
    seconds: float, would_overflow: bool, judgement: str
) -> None:
    breaker = Breaker().compacted(100, was_effective=True).step_finished()
    assert breaker.judge(POLICY, 100 + seconds, would_overflow=would_overflow) == judgement


def test_by_hand_another_way_may_be_tried_after_failures_that_changed_nothing() -> None:
    breaker = Breaker().failed(0).failed(LATER)
    assert breaker.judge(POLICY, 9 * LATER, would_overflow=True) == "latched"
    assert breaker.judge(POLICY, 9 * LATER, by_hand=True) == "go"


def test_there_is_no_third_compaction_without_a_finished_step() -> None:
    breaker = Breaker().compacted(0, was_effective=True).compacted(LATER, was_effective=True)
    assert breaker.judge(POLICY, 9 * LATER, by_hand=True, would_overflow=True) == "no_step_between"
    assert breaker.step_finished().judge(POLICY, 9 * LATER) == "go"


@given(st.lists(st.sampled_from(("compact", "step", "measure", "fail", "reset")), max_size=40), st.booleans())
def test_never_more_than_two_without_a_step_whatever_happens(acts: list[str], helps: bool) -> None:
    breaker, in_a_row, now = Breaker(), 0, 0.0
    for act in acts:
        now += 100
        if act in ("compact", "fail") and breaker.judge(POLICY, now, would_overflow=True) == "go":
            in_a_row += act == "compact"
            breaker = breaker.compacted(now, was_effective=helps) if act == "compact" else breaker.failed(now)
        elif act == "step":
            in_a_row = 0
            breaker = breaker.step_finished()
        elif act == "measure":
            breaker = breaker.measured(10 if helps else 200, 100)
        elif act == "reset":
            breaker = breaker.reset()
        assert in_a_row <= 2


@pytest.mark.parametrize(("after", "is_it"), [(90, True), (91, False), (101, False)])
def test_a_compaction_helps_if_it_frees_a_tenth_and_comes_under_the_limit(after: int, is_it: bool) -> None:
    assert is_effective(POLICY, 100, after, 95) == is_it


@pytest.mark.parametrize(
    ("context_tokens", "usual_turn", "starts_turn", "need"),
    [
        (10_000, 0, True, "nothing"),
        (26_000, 0, True, "prune"),
        (28_001, 0, False, "compact"),
        (24_000, 5_000, True, "compact"),
        (24_000, 5_000, False, "nothing"),
        (24_000, 3_000, True, "nothing"),
        (17_000, 50_000, True, "nothing"),
    ],
)
def test_what_is_needed_before_a_request(context_tokens: int, usual_turn: int, starts_turn: bool, need: Need) -> None:
    found = need_of(POLICY, context_tokens, 32_000, 2_000, 2_000, usual_turn_tokens=usual_turn, starts_turn=starts_turn)
    assert found == need


def test_nothing_is_done_by_itself_if_the_user_said_so() -> None:
    assert need_of(CompactionPolicy(is_automatic=False), 99_000, 32_000, 2_000, 2_000) == "nothing"


def test_the_usual_turn_is_the_median_of_the_finished_ones() -> None:
    talk = Conversation(30_000)
    for share in (0.01, 0.2, 0.02, 0.03):
        talk.play(Turn(0.0, (Step(0.0, (share,)),)))
    talk.play(Turn(0.9, ()))
    sizes = talk.sizes(tokens_at(1.0))
    assert 600 < usual_turn_tokens(talk.see().items, sizes) < 1_100
    assert usual_turn_tokens(talk.see().items[:3], sizes) == 0
