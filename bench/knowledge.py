"""Knowledge: what is current is told, what is stale never, old rules outlive fresh trivia, and all of it is quick."""

import math
import random
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.frame import Measure, at_least, at_most, cpu_of, ratio
from bench.knowledge_probe.pairs import judge, read_pairs
from bench.knowledge_probe.world import Question, World, bytes_of_budget, make_world
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry, KnowledgePolicy
from diligent_tui.knowledge.exporting import read_entries, write_lines
from diligent_tui.knowledge.importing import plan_import
from diligent_tui.knowledge.injection import choose, render
from diligent_tui.knowledge.ranking import rank
from diligent_tui.knowledge.searching import search
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.state import KnowledgeState, fold
from diligent_tui.knowledge.store import KnowledgeStore

WINDOW_TOKENS = 200_000
POLICY = KnowledgePolicy()
UNIFORM = KnowledgePolicy(half_life_days=dict.fromkeys(KNOWLEDGE_TYPES, 30.0))
SEEDS = (1, 2, 3, 4, 5)
ENTRIES = 10_000
FEW_IMPORTED, MANY_IMPORTED = 1_000, 4_000
FIRST_TEN = 10
MOST_FITTING = 50

Order = Callable[[KnowledgeState], Sequence[KnowledgeEntry]]
ORDERS: dict[str, Order] = {
    "ours": lambda state: [scored.entry for scored in rank([state], POLICY)],
    "uniform 30 days": lambda state: [scored.entry for scored in rank([state], UNIFORM)],
    "recency only": lambda state: sorted(state.live, key=lambda entry: (entry.moment, entry.id), reverse=True),
    "confidence only": lambda state: sorted(state.live, key=lambda entry: (-entry.confidence, entry.id)),
}


def run(quick: bool) -> list[Measure]:
    """Measure telling, ranking, finding, duplicates and speed."""
    seeds = SEEDS[:1] if quick else SEEDS
    full = bytes_of_budget(POLICY.budget_tokens, 10)
    worlds = [make_world(seed, full) for seed in seeds]
    return [
        *telling(worlds),
        *asking(worlds),
        *_duplicates(),
        _speed(rounds=2 if quick else 5, entries=ENTRIES // 5 if quick else ENTRIES),
        _growth(rounds=2 if quick else 5),
    ]


def telling(worlds: Sequence[World]) -> list[Measure]:
    """What is told of worlds that are ten times the budget."""
    told = [_Told.of(world, POLICY) for world in worlds]
    plain = [_Told.of(world, UNIFORM) for world in worlds]
    return [
        at_least("current@budget, at 10× the budget", 100 * _mean(each.current for each in told), "%", 98),
        at_most("stale@budget", sum(each.stale for each in told), "entries", 0),
        at_least("permanent rules told, at 10× the budget", 100 * _mean(each.rules for each in told), "%", 95),
        at_least("  the same, uniform 30 days", 100 * _mean(each.rules for each in plain), "%", 0),
        at_most("tokens told ÷ budget", _mean(each.share for each in told), "×", 1),
        at_most("blocks that differ when nothing changed", sum(not each.is_stable for each in told), "blocks", 0),
    ]


@dataclass(frozen=True, slots=True)
class _Told:
    """What a world's injection held."""

    current: float
    rules: float
    stale: int
    share: float
    is_stable: bool

    @classmethod
    def of(cls, world: World, policy: KnowledgePolicy) -> "_Told":
        chosen = choose([fold(world.lines)], policy, WINDOW_TOKENS)
        inside = {scored.entry.id for scored in chosen.inside}
        shuffled = list(world.lines)
        random.Random(7).shuffle(shuffled)
        again = choose([fold(shuffled)], policy, WINDOW_TOKENS)
        return cls(
            current=_mean(question.answer_id in inside for question in world.current),
            rules=_mean(question.answer_id in inside for question in world.rules),
            stale=len(inside & world.stale_ids),
            share=chosen.tokens / chosen.budget_tokens,
            is_stable=render(chosen) == render(again),
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, and the entries that share words with it, the best first."""

    question: Question
    fitting: tuple[str, ...]


def _asked(world: World, live: Sequence[KnowledgeEntry]) -> list[_Asked]:
    """Every third question, for each searches thousands of entries."""
    questions = [*world.current, *world.rules][::3]
    return [_Asked(each, tuple(match.entry.id for match in search(each.words, live))) for each in questions]


def asking(worlds: Sequence[World]) -> list[Measure]:
    """How far up the answers to questions stand, by rank and when they are searched for."""
    states = [fold(world.lines) for world in worlds]
    asked = [_asked(world, state.live) for world, state in zip(worlds, states, strict=True)]
    abstained = [
        not search(words, state.live)
        for world, state in zip(worlds, states, strict=True)
        for words in world.unanswered[::5]
    ]
    return [
        *_ranking(states, asked),
        *_finding([each for of_world in asked for each in of_world]),
        at_least("questions without an answer, nothing shown", 100 * _mean(abstained), "%", 0),
    ]


def _ranking(states: Sequence[KnowledgeState], asked: Sequence[Sequence[_Asked]]) -> list[Measure]:
    """Among the entries that share words with a question: how far up does its answer stand?"""
    measures: list[Measure] = []
    reciprocal: dict[str, float] = {}
    for name, order in ORDERS.items():
        places = [
            place
            for state, of_world in zip(states, asked, strict=True)
            for place in _places([entry.id for entry in order(state)], of_world)
        ]
        reciprocal[name] = _mean(1 / place for place in places)
        gain = _mean(1 / math.log2(place + 1) if place <= FIRST_TEN else 0.0 for place in places)
        # The others are there to be compared with; ours must beat the best of them.
        measures.append(at_least(f"nDCG@10 by rank, {name}", gain, "", 0))
        measures.append(at_least(f"MRR by rank, {name}", reciprocal[name], "", 0))
    others = max(value for name, value in reciprocal.items() if name != "ours")
    return [*measures, at_least("MRR by rank, ours ÷ best of the others", reciprocal["ours"] / others, "×", 1)]


def _places(ordered: Sequence[str], asked: Sequence[_Asked]) -> list[int]:
    place_of = {entry_id: place for place, entry_id in enumerate(ordered)}
    return [
        sorted({*each.fitting[:MOST_FITTING], each.question.answer_id}, key=place_of.__getitem__).index(
            each.question.answer_id
        )
        + 1
        for each in asked
    ]


def _finding(asked: Sequence[_Asked]) -> list[Measure]:
    places = [
        each.fitting.index(each.question.answer_id) + 1 if each.question.answer_id in each.fitting else math.inf
        for each in asked
    ]
    return [
        at_least("search_knowledge, MRR", _mean(1 / place for place in places), "", 0.8),
        at_least("search_knowledge, answer among 10", 100 * _mean(place <= FIRST_TEN for place in places), "%", 95),
    ]


def _duplicates() -> list[Measure]:
    pairs = read_pairs()
    hits = judge(pairs)
    of = {relation: sum(pair.relation == relation for pair in pairs) for relation in hits.found}
    return [
        at_least("duplicates found", 100 * hits.found["same"] / of["same"], "%", 85),
        at_least("contradictions found", 100 * hits.found["contrary"] / of["contrary"], "%", 85),
        at_least("of what is shown, right (precision)", 100 * hits.precision, "%", 85),
        at_most("other matters shown", hits.found["distinct"], f"of {of['distinct']}", 6),
    ]


def _speed(rounds: int, entries: int) -> Measure:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge.jsonl"
        world = make_world(1, bytes_of_budget(POLICY.budget_tokens, 10))
        lines = list(world.lines)
        more = [
            line.model_copy(update={"id": f"{line.id}.{number}", "supersedes": None})
            for number in range(entries // len(lines) + 1)
            for line in lines
        ]
        path.write_bytes(write_lines(more[:entries]))
        state = KnowledgeStore(path).refresh()

        def read() -> float:
            return cpu_of(lambda: KnowledgeStore(path).refresh())

        def tell() -> float:
            return cpu_of(lambda: render(choose([state], POLICY, WINDOW_TOKENS)))

        return at_most(f"rank and inject {len(state.live):,} ÷ read them", ratio(tell, read, rounds), "×", 3)


def _growth(rounds: int) -> Measure:
    """What an entry costs to take in when there are many of them, against what it costs when there are few."""

    def cost_of_one(entries: int) -> Callable[[], float]:
        facts = (KnowledgeEntry(type="pattern", content=f"Fact {number} of a long list.") for number in range(entries))
        data = write_lines([each.model_copy(update={"id": f"{place:08x}"}) for place, each in enumerate(facts)])

        def take_in() -> float:
            with tempfile.TemporaryDirectory() as folder:
                shelf = KnowledgeShelf(None, KnowledgeStore(Path(folder) / "knowledge.jsonl", "user"))
                return cpu_of(lambda: _import(data, shelf)) / entries

        return take_in

    cost = ratio(cost_of_one(MANY_IMPORTED), cost_of_one(FEW_IMPORTED), rounds)
    return at_most(f"import of {MANY_IMPORTED:,} ÷ of {FEW_IMPORTED:,}, per entry", cost, "×", 1.5)


def _import(data: bytes, shelf: KnowledgeShelf) -> None:
    shelf.take_in(plan_import(read_entries(data, "jsonl"), shelf.states, datetime.now(UTC)), "user")


def _mean(values: Iterable[float]) -> float:
    numbers = [*values]
    return sum(numbers) / len(numbers)
