"""Which words of a changed line are others, and which lines of a change belong together; all in bounded time."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

Spans = tuple[tuple[int, int], ...]
Pair = tuple[int | None, int | None]

WORD = re.compile(r"\w+|\s+|[^\w\s]")
MOST_CHARS = 1_000
"""A longer line is data more than prose or code; marks in it would cost time and help nobody."""
MOST_WORDS = 250
LEAST_ALIKE = 0.35
"""Of the longer line so much must be the same, or marks would tell less than the two lines do."""
MOST_COMPARED = 144
"""Lines that went times lines that came, in one change; in a larger one the first belongs to the first, and so on."""
LEAST_RELATED = 0.3


def word_changes(old: str, new: str) -> tuple[Spans, Spans] | None:
    """The stretches that are in one line only, what is outside of them being the same; None where marks do not help."""
    if max(len(old), len(new)) > MOST_CHARS:
        return None
    old_words, new_words = WORD.findall(old), WORD.findall(new)
    if max(len(old_words), len(new_words)) > MOST_WORDS:
        return None
    opcodes = SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
    old_spans: list[tuple[int, int]] = []
    new_spans: list[tuple[int, int]] = []
    old_at = new_at = same = 0
    for number, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        old_end = old_at + sum(map(len, old_words[i1:i2]))
        new_end = new_at + sum(map(len, new_words[j1:j2]))
        is_between = 0 < number < len(opcodes) - 1
        # One mark over two changed words reads better than two marks with a blank between.
        if tag != "equal" or (is_between and old[old_at:old_end].isspace()):
            _extend(old_spans, old_at, old_end)
            _extend(new_spans, new_at, new_end)
        else:
            same += len(old[old_at:old_end].replace(" ", ""))
        old_at, new_at = old_end, new_end
    longer = max(len(old.replace(" ", "")), len(new.replace(" ", "")))
    if longer and same / longer < LEAST_ALIKE:
        return None
    return tuple(old_spans), tuple(new_spans)


def paired(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Which line came for which, in order; a line without a partner stands alone."""
    if len(old) * len(new) > MOST_COMPARED:
        return _in_order(range(len(old)), range(len(new)))
    old_words = [frozenset(WORD.findall(line.strip())) for line in old]
    new_words = [frozenset(WORD.findall(line.strip())) for line in new]
    # best[i][j]: how related the lines from i and from j on can be.
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            related = _related(old_words[i], new_words[j])
            both = best[i + 1][j + 1] + related if related >= LEAST_RELATED else 0.0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    pairs: list[Pair] = []
    i = j = from_i = from_j = 0
    while i < len(old) and j < len(new):
        related = _related(old_words[i], new_words[j])
        if related >= LEAST_RELATED and best[i][j] == best[i + 1][j + 1] + related:
            pairs += [*_in_order(range(from_i, i), range(from_j, j)), (i, j)]
            i, j = i + 1, j + 1
            from_i, from_j = i, j
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return [*pairs, *_in_order(range(from_i, len(old)), range(from_j, len(new)))]


def _related(old: frozenset[str], new: frozenset[str]) -> float:
    """The share of words that both have."""
    return 2 * len(old & new) / (len(old) + len(new)) if old and new else 0.0


def _in_order(old: range, new: range) -> list[Pair]:
    """Side by side as far as both go, then what is left of the longer."""
    both = min(len(old), len(new))
    alone: list[Pair] = [(i, None) for i in old[both:]]
    alone += [(None, j) for j in new[both:]]
    return [*zip(old[:both], new[:both], strict=True), *alone]


def _extend(spans: list[tuple[int, int]], start: int, end: int) -> None:
    if start == end:
        return
    if spans and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))
