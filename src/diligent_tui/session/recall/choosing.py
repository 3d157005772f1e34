"""From passages that match to hits that fit: repeats are left out, lines are packed, one entry is one hit."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from diligent_tui.domain.estimator import utf8_size
from diligent_tui.session.recall.hits import Hit, also, heading
from diligent_tui.session.recall.spreading import Candidate, spread
from diligent_tui.session.recall.words import parts_in, query_parts_in, shared, terms_in, words_in

ABOUT_CHARS = 80
NAMES_BYTES = 100
"""Room for the names beside each snippet; they bring more per byte than another line does."""
LEAST_ROOM_BYTES = 60
MOST_KNOWN_SHARE = 0.7
"""A passage of which more than this was shown already is a repeat, as of a file that was read twice."""
SHORTEST_TELLING_CHARS = 8
"""Shorter lines, as closing brackets, are alike everywhere and no sign of a repeat."""
GAP = "…"

_LINE_NUMBER = re.compile(r"^\s*\d+[\t→:|]\s?")


@dataclass(slots=True)
class _Draft:
    best: Candidate
    about: str
    line: int
    pieces: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def choose(found: Sequence[Candidate], query: str, room_bytes: int, most_hits: int) -> tuple[Hit, ...]:
    """The hits, best first; their listing is never longer than the room."""
    asked = {*terms_in(query), *query_parts_in(query)}
    names_bytes = min(NAMES_BYTES, room_bytes // (2 * most_hits))
    left = room_bytes - most_hits * names_bytes
    drafts: dict[str, _Draft] = {}
    seen: set[str] = set()
    for candidate in spread(found, asked):
        draft = drafts.get(candidate.entry_id)
        if draft is None and len(drafts) == most_hits:
            continue
        lines = _unseen(candidate.text, seen)
        if not lines:
            continue
        about = candidate.about[:ABOUT_CHARS]
        line = candidate.line + _best_line(candidate.text.split("\n"), asked)
        # A heading and the blank row before it, or the mark of a gap.
        cost = utf8_size(GAP) + 2
        if draft is None:
            cost = utf8_size(heading(candidate.entry_id, candidate.who, about, line)) + 3
        if left - cost < LEAST_ROOM_BYTES:
            break
        shown = _packed(lines, asked, left - cost)
        if not shown:
            continue
        if draft is None:
            draft = drafts[candidate.entry_id] = _Draft(candidate, about, line)
        draft.pieces.append((candidate.line, shown))
        seen.update(_key(line) for line in lines)
        left -= cost + utf8_size(shown)
    return tuple(_finished(drafts.values(), asked, names_bytes))


def _finished(drafts: Collection[_Draft], asked: Collection[str], names_bytes: int) -> Iterator[Hit]:
    snippets = [f"\n{GAP}\n".join(piece for _, piece in sorted(draft.pieces)) for draft in drafts]
    shown = "\n".join(snippets)
    named: set[str] = set()
    for draft, snippet in zip(drafts, snippets, strict=True):
        best = draft.best
        fresh = [name for name in best.names if name not in named and name not in shown]
        names = _fitting(sorted(fresh, key=lambda name: -shared(name, asked)), names_bytes)
        named.update(names)
        yield Hit(best.entry_id, best.who, draft.about, snippet, draft.line, best.score, names)


def _fitting(names: Sequence[str], room_bytes: int) -> tuple[str, ...]:
    left = room_bytes - utf8_size(also([])) - 1
    taken: list[str] = []
    for name in names:
        if (cost := utf8_size(name) + 2) <= left:
            taken.append(name)
            left -= cost
    return tuple(taken)


def _unseen(text: str, seen: Collection[str]) -> list[str]:
    """The lines of a passage that hold a word and were not shown yet; none, if nearly all of it was."""
    lines = [line for line in text.split("\n") if any(map(str.isalnum, line))]
    telling = [key for line in lines if len(key := _key(line)) > SHORTEST_TELLING_CHARS]
    if telling and sum(key in seen for key in telling) > MOST_KNOWN_SHARE * len(telling):
        return []
    return [line for line in lines if len(key := _key(line)) <= SHORTEST_TELLING_CHARS or key not in seen]


def _best_line(lines: Sequence[str], asked: Collection[str]) -> int:
    """The place of the line that answers most, the first of equals."""
    return max(range(len(lines)), key=lambda place: _answers(lines[place], asked))


def _answers(line: str, asked: Collection[str]) -> int:
    return len({word for word in (*words_in(line), *parts_in(line)) if word in asked})


def _key(line: str) -> str:
    """By what two lines are the same: neither their indentation nor their number in a file counts."""
    return " ".join(_LINE_NUMBER.sub("", line).split())


def _packed(lines: Sequence[str], asked: Collection[str], room_bytes: int) -> str:
    """The lines with little of their indentation; where room is short, the run of them that answers most."""
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    packed = [" " * ((len(line) - len(line.lstrip()) - margin) // 4) + " ".join(line.split()) for line in lines]
    sizes = [utf8_size(line) + 1 for line in packed]
    if sum(sizes) <= room_bytes:
        return "\n".join(packed)
    values = [1 + 10 * _answers(line, asked) for line in packed]
    best_value = best_start = best_end = 0
    for start in range(len(packed)):
        size = value = 0
        for end in range(start, len(packed)):
            size += sizes[end]
            if size > room_bytes:
                break
            value += values[end]
            if value > best_value:
                best_value, best_start, best_end = value, start, end + 1
    return "\n".join(packed[best_start:best_end])
