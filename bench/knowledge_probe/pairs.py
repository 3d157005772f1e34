"""Pairs of facts written by hand: what was said, what comes new, and how the two stand to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.duplicates import nearest

Relation = Literal["same", "contrary", "distinct"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
FILE = Path(__file__).with_name("pairs.tsv")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two facts; `distinct` ones share words and are about different matters."""

    relation: Relation
    said: str
    new: str


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found of pairs that should be found, and what was found besides."""

    found: dict[Relation, int]
    false: int
    """Entries shown for a new fact that are not the one it belongs with."""
    missed: tuple[Pair, ...]
    wrong: tuple[tuple[str, str], ...]

    @property
    def precision(self) -> float:
        """The share of what is shown that belongs there."""
        right = self.found["same"] + self.found["contrary"]
        return right / (right + self.false) if right + self.false else 0.0


def read_pairs() -> tuple[Pair, ...]:
    """All pairs of the file."""
    rows = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]
    return tuple(Pair(relation, said, new) for kind, said, new in rows for relation in RELATIONS if relation == kind)


def judge(pairs: Sequence[Pair]) -> Hits:
    """Hold each new fact against all that were said, as the tool does when it is asked to save it."""
    entries = [
        KnowledgeEntry(id=f"{number:04}", type="pattern", content=pair.said) for number, pair in enumerate(pairs)
    ]
    found: dict[Relation, int] = dict.fromkeys(RELATIONS, 0)
    missed: list[Pair] = []
    wrong: list[tuple[str, str]] = []
    for number, pair in enumerate(pairs):
        shown = {near.entry.id for near in nearest(pair.new, entries)}
        is_found = f"{number:04}" in shown
        found[pair.relation] += is_found
        if pair.relation != "distinct":
            shown.discard(f"{number:04}")
            missed += [] if is_found else [pair]
        wrong += [(pair.new, pairs[int(each)].said) for each in sorted(shown)]
    return Hits(found, len(wrong), tuple(missed), tuple(wrong))
