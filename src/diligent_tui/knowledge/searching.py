"""Finds knowledge by words: BM25 over the entries, in memory and without an index to keep."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.words import terms_of

SATURATION = 1.2
LENGTH_SHARE = 0.75
"""The usual constants of BM25: how soon repeated words stop counting, and how much long texts lose."""
BACKGROUND_TEXTS = 20
"""Texts that are thought to be there besides, with none of the words, so that a small file weighs like a large one."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry found, and how well it fits."""

    entry: KnowledgeEntry
    score: float


def weigher(texts: Sequence[Iterable[str]]) -> Callable[[str], float]:
    """How much each word tells among texts, each given by its different words: the rarer the more."""
    frequency = Counter(term for terms in texts for term in terms)
    count = len(texts) + BACKGROUND_TEXTS
    weights = {term: math.log(1 + (count - known + 0.5) / (known + 0.5)) for term, known in frequency.items()}
    # A word never seen tells as much as one seen once, else every new word would make two sentences more unlike.
    unknown = math.log(1 + (count - 0.5) / 1.5)
    return lambda term: weights.get(term, unknown)


def search(words: str, entries: Iterable[KnowledgeEntry], most: int | None = None) -> tuple[Match, ...]:
    """The entries that fit the words, the best first; one whose id is asked for comes before all."""
    kept = tuple(entries)
    counts = [terms_of(" ".join((entry.content, entry.type, *entry.tags))) for entry in kept]
    lengths = [counted.total() for counted in counts]
    mean_length = max(1.0, sum(lengths) / len(kept)) if kept else 1.0
    weigh, wanted, asked = weigher(counts), terms_of(words).keys(), words.strip()
    matches: list[Match] = []
    for entry, counted, length in zip(kept, counts, lengths, strict=True):
        if entry.id == asked:
            matches.append(Match(entry, math.inf))
        elif shared := wanted & counted.keys():
            room = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / mean_length)
            score = sum(weigh(term) * counted[term] * (SATURATION + 1) / (counted[term] + room) for term in shared)
            matches.append(Match(entry, score))
    return tuple(sorted(matches, key=lambda match: (-match.score, match.entry.id))[:most])
