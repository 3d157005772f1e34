"""The worlds that knowledge is measured on are what they say, and the bars hold on one of them."""

from bench.knowledge import asking, telling
from bench.knowledge_probe.pairs import RELATIONS, judge, read_pairs
from bench.knowledge_probe.world import CHAINS, DAYS, NOW, RULES, bytes_of_budget, make_world
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.state import fold

PAIRS = read_pairs()


def test_there_are_sixty_pairs_each_way_and_each_is_another() -> None:
    assert [sum(pair.relation == relation for pair in PAIRS) for relation in RELATIONS] == [60, 60, 60]
    assert len({pair.said for pair in PAIRS}) == len({pair.new for pair in PAIRS}) == len(PAIRS)


def test_what_is_the_same_or_the_contrary_is_found_and_other_matters_are_not() -> None:
    hits = judge(PAIRS)
    assert hits.found["same"] >= 54
    assert hits.found["contrary"] >= 54
    assert hits.found["distinct"] <= 4
    assert hits.precision >= 0.9


def test_a_world_is_the_same_each_time_and_another_with_another_seed() -> None:
    assert make_world(1, 30_000) == make_world(1, 30_000)
    assert make_world(1, 30_000).lines != make_world(2, 30_000).lines


def test_a_world_holds_chains_rules_and_trivia() -> None:
    world = make_world(3, 60_000)
    state = fold(world.lines)
    assert (len(world.current), len(world.rules)) == (CHAINS, RULES)
    assert all(state.is_live(question.answer_id) for question in (*world.current, *world.rules))
    assert world.stale_ids
    assert not any(state.is_live(entry_id) for entry_id in world.stale_ids)
    assert all((NOW - state.entries[each.answer_id].moment).days >= 59 for each in world.rules)
    assert all(0 <= (NOW - entry.moment).days <= DAYS for entry in state.entries.values())


def test_the_bars_hold_on_one_world() -> None:
    worlds = [make_world(1, bytes_of_budget(KnowledgePolicy().budget_tokens, 10))]
    measures = {measure.name: measure for measure in (*telling(worlds), *asking(worlds))}
    assert [name for name, measure in measures.items() if measure.verdict != "ok"] == []
    assert measures["permanent rules told, at 10× the budget"].target == 95
    assert measures["current@budget, at 10× the budget"].target == 98
    # Were this not so, the world would be too easy to tell rankings apart.
    assert measures["  the same, uniform 30 days"].value < 50
