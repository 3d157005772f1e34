"""At a glance: each entry with what made its score, whether it is told now, and what became of it."""

import pytest

from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.injection import choose
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.state import fold
from tests.knowledge.facts import change, fact

POLICY = KnowledgePolicy()


def test_every_factor_is_shown_and_makes_up_the_total() -> None:
    lines = [fact("a", kind="correction", days=-730, confidence=0.5), fact("b", days=0), change("pin", "b")]
    pinned, old = overview_of([fold(lines)], POLICY, 200_000).live
    assert (pinned.entry.id, old.entry.id) == ("b", "a")
    score = old.score
    assert score is not None
    assert (score.confidence, score.recency, score.type_weight, score.pinned) == (0.5, 0.5, 1.5, False)
    assert (score.half_life_days, score.age_days) == (730.0, 730.0)
    assert score.total == pytest.approx(0.5 * 0.5 * 1.5)
    assert pinned.pinned
    assert pinned.score is not None
    assert pinned.score.pinned


def test_what_found_no_room_is_told_of_where_it_stands() -> None:
    lines = [fact("a"), fact("big", "x" * 9_000, days=-1), fact("c", days=-2), fact("d", days=-3)]
    overview = overview_of([fold(lines)], POLICY, 20_000)
    assert [(known.entry.id, known.is_told) for known in overview.live] == [
        ("a", True),
        ("big", False),
        ("c", True),
        ("d", True),
    ]
    chosen = choose([fold(lines)], POLICY, 20_000)
    assert (overview.tokens, overview.budget_tokens) == (chosen.tokens, 2_000)


def test_the_past_comes_after_the_living_newest_first_with_what_became_of_it() -> None:
    lines = [
        fact("a", days=-9),
        fact("b", days=-5, supersedes="a"),
        fact("c", days=-7),
        change("retract", "c"),
        fact("u", scope="user"),
    ]
    overview = overview_of([fold(lines[:4], damaged=2), fold(lines[4:])], POLICY, 200_000, damaged_elsewhere=1)
    rows = [(known.entry.id, known.fate, known.superseded_by, known.score is None) for known in overview.entries]
    assert rows == [
        ("u", "live", (), False),
        ("b", "live", (), False),
        ("c", "retracted", (), True),
        ("a", "superseded", ("b",), True),
    ]
    assert overview.damaged == 3


def test_an_entry_of_a_branch_that_was_left_is_marked() -> None:
    overview = overview_of([fold([fact("a"), fact("b")])], POLICY, 200_000, lambda entry: entry.id == "b")
    assert {known.entry.id: known.is_left_behind for known in overview.live} == {"a": False, "b": True}
