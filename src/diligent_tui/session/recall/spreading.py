"""Orders passages so that they answer different words of a question, and not five times the same."""

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.session.recall.words import parts_in, words_in

ANSWERED = 0.5
"""A word that a better passage holds counts only so much for the next one; measured on real sessions."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that matches, with what is known of its entry; the higher the score, the better."""

    entry_id: str
    who: str
    about: str
    line: int
    text: str
    names: tuple[str, ...]
    score: float


def spread(found: Sequence[Candidate], asked: Collection[str]) -> Iterator[Candidate]:
    """The best passage, then at each step the one that adds most to those before it."""
    held = [_held(candidate, asked) for candidate in found]
    counts = Counter(word for words in held for word in words)
    weights = {word: math.log(1 + (len(found) - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
    wholes = [sum(weights[word] for word in words) for words in held]
    answered: Counter[str] = Counter()

    def worth(place: int) -> float:
        if not wholes[place]:
            return found[place].score
        left = sum(weights[word] * ANSWERED ** answered[word] for word in held[place])
        return found[place].score * left / wholes[place]

    heap = [(-candidate.score, place) for place, candidate in enumerate(found)]
    heapq.heapify(heap)
    while heap:
        # What a passage is worth only ever sinks, so one that stays on top after a fresh look is the best.
        _, place = heapq.heappop(heap)
        now = worth(place)
        if heap and -now > heap[0][0]:
            heapq.heappush(heap, (-now, place))
            continue
        yield found[place]
        answered.update(held[place])


def _held(candidate: Candidate, asked: Collection[str]) -> frozenset[str]:
    text = f"{candidate.text} {candidate.about}"
    return frozenset(word for word in (*words_in(text), *parts_in(text)) if word in asked)
