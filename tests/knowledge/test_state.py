"""Lines add up to one state, in whatever order git puts them."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.knowledge import KnowledgeLine, KnowledgeOp
from diligent_tui.knowledge.state import KnowledgeState, fold
from tests.knowledge.facts import NOON, change, fact

IDS = ("a", "b", "c", "d", "e")


def live_ids(state: KnowledgeState) -> list[str]:
    return [entry.id for entry in state.live]


def test_no_lines_are_no_knowledge() -> None:
    assert fold([]) == KnowledgeState()
    assert fold([]).live == ()


def test_entries_stand_in_the_order_of_their_lines() -> None:
    state = fold([fact("b", days=1), fact("a", days=0), fact("c", days=2)], damaged=3)
    assert live_ids(state) == ["b", "a", "c"]
    assert state.damaged == 3


def test_the_newest_moment_is_that_of_any_line() -> None:
    assert fold([fact("b", days=-1), change("pin", "b"), fact("a", days=-2)]).newest_moment == NOON


@pytest.mark.parametrize(
    ("lines", "live"),
    [
        ([fact("a"), fact("b", supersedes="a")], ["b"]),
        ([fact("b", supersedes="a"), fact("a")], ["b"]),
        ([fact("b", supersedes="gone")], ["b"]),
        ([fact("a"), fact("b", supersedes="a"), change("retract", "b")], []),
        ([fact("a"), fact("b", supersedes="a"), change("restore", "a")], ["b"]),
        ([fact("a"), change("retract", "a")], []),
        ([change("retract", "a"), fact("a")], []),
        ([fact("a"), change("retract", "a", days=1), change("restore", "a", days=2)], ["a"]),
        ([fact("a"), change("restore", "a", days=2), change("retract", "a", days=1)], ["a"]),
        ([fact("a"), change("restore", "a", change_id="c1"), change("retract", "a", change_id="c2")], []),
        ([fact("a", supersedes="a")], ["a"]),
        ([fact("a", supersedes="b"), fact("b", supersedes="a", days=1)], ["b"]),
        ([fact("a", supersedes="c"), fact("b", supersedes="a", days=2), fact("c", supersedes="b", days=1)], ["b"]),
        ([fact("a", supersedes="b"), fact("b", supersedes="a", days=1), fact("c", supersedes="b")], ["c"]),
        ([fact("a"), fact("b", supersedes="a"), fact("c", supersedes="a")], ["b", "c"]),
    ],
)
def test_what_is_superseded_or_retracted_does_not_hold(lines: list[KnowledgeLine], live: list[str]) -> None:
    assert live_ids(fold(lines)) == live


@pytest.mark.parametrize(
    ("lines", "pinned"),
    [
        ([fact("a")], set[str]()),
        ([fact("a", pinned=True)], {"a"}),
        ([fact("a"), change("pin", "a")], {"a"}),
        ([fact("a", pinned=True), change("unpin", "a", days=-9)], set[str]()),
        ([change("unpin", "a", days=2), change("pin", "a", days=1), fact("a", pinned=True)], set[str]()),
        ([fact("a"), change("pin", "a", days=1), change("retract", "a", days=2)], {"a"}),
        ([change("pin", "gone")], set[str]()),
    ],
)
def test_the_last_word_on_a_pin_counts(lines: list[KnowledgeLine], pinned: set[str]) -> None:
    assert fold(lines).pinned == pinned


def test_of_two_entries_with_one_id_the_earlier_counts() -> None:
    first, second = fact("a", "first"), fact("a", "second", days=1)
    assert fold([first, second]).entries["a"] == fold([second, first]).entries["a"] == first


def test_the_history_of_an_entry_is_its_chain() -> None:
    chain = [fact("a"), fact("b", supersedes="a", days=1), fact("c", supersedes="b", days=2)]
    state = fold([chain[1], fact("x"), chain[2], chain[0]])
    for entry in chain:
        assert state.history(entry.id) == tuple(chain)
        assert state.newest_of(entry.id) == chain[2]
    assert state.history("x") == (fact("x"),)


def test_a_chain_that_parted_has_both_ends_and_the_live_one_is_the_newest() -> None:
    lines = [
        fact("a"),
        fact("b", supersedes="a", days=1),
        fact("c", supersedes="a", days=2),
        change("retract", "c", days=3),
    ]
    state = fold(lines)
    assert [entry.id for entry in state.history("a")] == ["a", "b", "c"]
    assert state.newest_of("a").id == "b"


def test_a_history_in_a_ring_ends() -> None:
    state = fold([fact("a", supersedes="b"), fact("b", supersedes="a", days=1)])
    assert {entry.id for entry in state.history("a")} == {"a", "b"}
    assert state.newest_of("a").id == state.newest_of("b").id == "b"


def test_an_unknown_id_has_no_history() -> None:
    with pytest.raises(KeyError):
        fold([]).history("a")


facts = st.builds(
    fact,
    st.sampled_from(IDS),
    st.sampled_from(["one", "two"]),
    days=st.integers(0, 3),
    supersedes=st.none() | st.sampled_from(IDS),
    pinned=st.booleans(),
)
changes = st.builds(
    change,
    st.sampled_from(get_args(KnowledgeOp)),
    st.sampled_from(IDS),
    days=st.integers(0, 3),
    change_id=st.sampled_from(["c1", "c2"]),
)


@given(st.lists(facts | changes, max_size=12).flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))))
def test_the_order_of_lines_changes_nothing(pair: tuple[list[KnowledgeLine], Sequence[KnowledgeLine]]) -> None:
    lines, shuffled = pair
    state = fold(lines)
    # Git's union may also repeat what both sides have.
    assert state == fold(shuffled) == fold([*lines, *shuffled])
    for entry_id in state.entries:
        assert state.newest_of(entry_id) in state.history(entry_id)
        assert not {entry.id for entry in state.live} & (state.superseded_by.keys() | state.retracted)


@given(st.lists(facts, min_size=1, max_size=8))
def test_superseding_alone_never_leaves_nothing(lines: list[KnowledgeLine]) -> None:
    assert fold(lines).live
