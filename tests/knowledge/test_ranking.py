"""What is pinned, sure, fresh and corrected comes first; what is superseded does not come at all."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.knowledge import (
    DEFAULT_HALF_LIFE_DAYS,
    KNOWLEDGE_TYPES,
    KnowledgeEntry,
    KnowledgeLine,
    KnowledgePolicy,
    KnowledgeType,
)
from diligent_tui.knowledge.ranking import newest_moment, rank
from diligent_tui.knowledge.state import KnowledgeState, fold
from tests.knowledge.facts import NOON, change, fact

POLICY = KnowledgePolicy()


def ranked_ids(*states: KnowledgeState, policy: KnowledgePolicy = POLICY) -> list[str]:
    return [scored.entry.id for scored in rank(states, policy)]


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        ([fact("a", confidence=0.5), fact("b", confidence=0.9)], ["b", "a"]),
        ([fact("a", days=-30), fact("b")], ["b", "a"]),
        ([fact("a", kind="discovery"), fact("b"), fact("c", kind="correction")], ["c", "b", "a"]),
        ([fact("a", kind="preference"), fact("b", kind="correction")], ["b", "a"]),
        ([fact("a", days=-400, confidence=0.1, pinned=True), fact("b", kind="correction")], ["a", "b"]),
        ([fact("a", days=-60, kind="preference"), fact("b", days=-60)], ["a", "b"]),
        ([fact("a", confidence=0.0), fact("b", days=-40_000)], ["b", "a"]),
        ([fact("a", days=-40_001), fact("b", days=-40_000), fact("c")], ["c", "b", "a"]),
        ([fact("b"), fact("a"), fact("c")], ["a", "b", "c"]),
        ([fact("a", "wrong", pinned=True), fact("b", "right", confidence=0.1, supersedes="a")], ["b"]),
        ([fact("a"), change("retract", "a"), fact("b")], ["b"]),
    ],
)
def test_rank(lines: list[KnowledgeLine], order: list[str]) -> None:
    assert ranked_ids(fold(lines)) == order
    assert ranked_ids(fold(lines[::-1])) == order


@pytest.mark.parametrize("kind", KNOWLEDGE_TYPES)
def test_after_a_half_life_the_score_is_half(kind: KnowledgeType) -> None:
    old = fact("a", kind=kind, days=-DEFAULT_HALF_LIFE_DAYS[kind])
    new = fact("b", kind=kind)
    first, second = rank([fold([old, new])], POLICY)
    assert first.entry == new
    assert first.score == pytest.approx(0.8 * POLICY.type_weights[kind])
    assert second.score == pytest.approx(first.score / 2)
    assert (second.recency, second.age_days) == (0.5, DEFAULT_HALF_LIFE_DAYS[kind])


def test_the_policy_decides() -> None:
    policy = KnowledgePolicy(
        half_life_days={**DEFAULT_HALF_LIFE_DAYS, "discovery": 10_000.0},
        type_weights={**POLICY.type_weights, "discovery": 2.0},
    )
    state = fold([fact("a", kind="discovery", days=-100), fact("b", kind="correction")])
    assert ranked_ids(state) == ["b", "a"]
    assert ranked_ids(state, policy=policy) == ["a", "b"]


def test_both_files_rank_together_under_one_now() -> None:
    project = fold([fact("a", days=-30)])
    user = fold([fact("b", scope="user", days=-90), fact("c", scope="user")])
    assert newest_moment([project, user]) == NOON
    assert ranked_ids(project, user) == ranked_ids(user, project) == ["c", "a", "b"]


def test_a_moment_before_the_entry_makes_it_new_and_not_better() -> None:
    (scored,) = rank([fold([fact("a", days=5)])], POLICY, now=NOON)
    assert (scored.age_days, scored.recency) == (0.0, 1.0)


many_facts = st.lists(
    st.builds(
        fact,
        st.uuids().map(lambda uuid: uuid.hex[:8]),
        st.text(min_size=1, max_size=60),
        kind=st.sampled_from(KNOWLEDGE_TYPES),
        days=st.floats(-1000, 1000),
        confidence=st.floats(0, 1),
        pinned=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda entry: entry.id,
)


@given(many_facts.flatmap(lambda facts: st.tuples(st.just(facts), st.permutations(facts))))
def test_rank_is_stable_and_falls_with_the_score(pair: tuple[list[KnowledgeEntry], Sequence[KnowledgeEntry]]) -> None:
    facts, shuffled = pair
    ranked = rank([fold(facts)], POLICY)
    assert ranked == rank([fold(shuffled)], POLICY)
    assert {scored.entry.id for scored in ranked} == {entry.id for entry in facts}
    for scored in ranked:
        assert scored.score == pytest.approx(scored.entry.confidence * scored.recency * scored.type_weight)
        assert scored.pinned == scored.entry.pinned
    for earlier, later in pairwise(ranked):
        assert earlier.pinned >= later.pinned
        if earlier.pinned == later.pinned:
            assert earlier.score >= later.score * (1 - 1e-9)


@given(many_facts, st.data())
def test_a_correction_takes_the_place_of_what_it_corrects(facts: list[KnowledgeEntry], data: st.DataObject) -> None:
    if not facts:
        return
    wrong = data.draw(st.sampled_from(facts))
    right = fact("right", kind="correction", confidence=0.01, days=-2000, supersedes=wrong.id)
    ids = ranked_ids(fold([*facts, right]))
    assert wrong.id not in ids
    assert "right" in ids
