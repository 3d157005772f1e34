"""Finds what was said before, the same or the contrary, so that it is superseded and not piled up.

Words are weighed as BM25 weighs them: those that many entries hold tell little. That two facts are about one matter
can be told so; which of them is right cannot, and is left to who reads them.
"""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.searching import weigher
from diligent_tui.knowledge.words import matters_of, normalised

LEAST_SIMILARITY = 0.57
"""From here on two sentences are mostly about one matter; measured on the pairs of the benchmark."""
MOST_FOUND = 3


@dataclass(frozen=True, slots=True)
class Near:
    """An entry about the same matter; 1.0 is the very same words."""

    entry: KnowledgeEntry
    similarity: float


def nearest(
    content: str, entries: Iterable[KnowledgeEntry], least: float = LEAST_SIMILARITY, most: int = MOST_FOUND
) -> tuple[Near, ...]:
    """The entries most like a content, the likest first; slow for thousands of entries, so it is called in a thread."""
    kept = tuple(entries)
    terms = [matters_of(entry.content) for entry in kept]
    new, words = matters_of(content), normalised(content)
    weigh = weigher(terms)
    near = (
        Near(entry, 1.0 if normalised(entry.content) == words else similarity(new, old, weigh))
        for entry, old in zip(kept, terms, strict=True)
        # Most entries share no word with the new one and need no more of a look.
        if not new or not new.isdisjoint(old)
    )
    found = [each for each in near if each.similarity >= least]
    return tuple(sorted(found, key=lambda each: (-each.similarity, each.entry.id))[:most])


def similarity(left: Set[str], right: Set[str], weigh: Callable[[str], float]) -> float:
    """How much two sets of words share, from 0 to 1: of both together, and of the shorter one, in the mean."""
    left_weight, right_weight = sum(map(weigh, left)), sum(map(weigh, right))
    shorter = min(left_weight, right_weight)
    if not shorter:
        return 0.0
    shared = sum(map(weigh, left & right))
    return (2 * shared / (left_weight + right_weight) + shared / shorter) / 2
