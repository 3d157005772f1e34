"""The figures of compaction, as the specification has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.compaction.policy import CompactionPolicy, budgets, summary_words

POLICY = CompactionPolicy()


@pytest.mark.parametrize(
    ("window_tokens", "output_tokens", "reserve_tokens"),
    [(200_000, 8_000, 16_384), (200_000, 32_000, 32_000), (32_000, 1_000, 4_000), (8_000, 2_000, 2_000)],
)
def test_the_reserve_is_an_eighth_at_most_16k_or_the_answers_length(
    window_tokens: int, output_tokens: int, reserve_tokens: int
) -> None:
    assert POLICY.reserve_tokens(window_tokens, output_tokens) == reserve_tokens
    assert POLICY.compact_over(window_tokens, output_tokens) == window_tokens - reserve_tokens


def test_the_users_own_reserve_takes_the_place_of_ours_but_never_of_the_answers() -> None:
    policy = CompactionPolicy(own_reserve_tokens=500)
    assert policy.reserve_tokens(200_000, 100) == 500
    assert policy.reserve_tokens(200_000, 8_000) == 8_000


def test_the_figures_at_200k_are_those_of_the_specification() -> None:
    assert POLICY.prune_at(200_000) == 160_000
    assert POLICY.least_freed_tokens(200_000) == 20_000
    assert POLICY.protected_tokens(200_000) == 40_000
    assert POLICY.keep_tokens(200_000, 20_000) == 20_000
    assert POLICY.keep_tokens(32_000, 8_000) == 6_000
    assert budgets(POLICY, 200_000, 20_000).ledger_tokens == 16_000
    assert summary_words(POLICY, 4_096) == (800, 1_200)


@given(st.integers(8_000, 1_000_000), st.floats(0, 0.6), st.floats(0, 0.5))
def test_the_parts_of_a_compacted_context_never_pass_what_it_may_fill(
    window_tokens: int, overhead_share: float, pins_share: float
) -> None:
    overhead = int(window_tokens * overhead_share)
    room = window_tokens - overhead
    share = budgets(POLICY, window_tokens, overhead, int(room * pins_share))
    parts = share.summary_tokens + share.prefix_tokens + share.ledger_tokens + int(room * pins_share)
    assert parts + max(0, share.most_keep_tokens) <= max(room * 0.6, parts)
    assert share.keep_tokens <= max(share.most_keep_tokens, POLICY.keep_tokens(window_tokens, overhead))
    if pins_share == 0:
        assert share.keep_tokens >= min(20_000, int(room * 0.125))


def test_the_tail_is_whole_where_there_is_room_and_gives_way_in_a_small_window() -> None:
    assert budgets(POLICY, 200_000, 20_000).keep_tokens == 20_000
    assert budgets(POLICY, 128_000, 10_000).keep_tokens == 20_000
    small = budgets(POLICY, 32_000, 2_000)
    assert small.keep_tokens < POLICY.keep_tokens(32_000, 2_000)
    filled = small.keep_tokens + small.summary_tokens + small.prefix_tokens + small.ledger_tokens
    assert filled <= POLICY.wished_share_of_room * 30_000 + 1
    # Much that is pinned takes from the summary's neighbours, not the whole tail.
    assert budgets(POLICY, 32_000, 2_000, 6_000).keep_tokens == 3_750
