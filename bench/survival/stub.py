"""The stub summariser: the most central lines of what it is given, within a fixed budget. All policies share it.

A line counts for as much as its words are both common in the whole and rare in the pieces it is made of (TF-IDF
against the centroid), times a weight for who said it. It knows nothing of what is asked for later: no paths, no
identifiers, no errors.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.survival.ruler import CHARS_PER_TOKEN
from bench.survival.values import texts_in
from diligent_tui.domain.requests import RequestMessage, Text, ToolCall, ToolResult

SUMMARY_TOKENS = 1_500
LINE_CHARS = (24, 300)
LINES_PER_PIECE = 60
"""Beginning and end of a longer piece, half of this each."""
ALIKE = 0.8
"""Two lines that share so many of their words say the same."""

Role = Literal["user", "assistant", "call", "result", "summary"]
WEIGHTS: dict[Role, float] = {"user": 2.5, "summary": 1.6, "assistant": 1.3, "call": 0.8, "result": 0.5}
HEADINGS: dict[Role, str] = {
    "user": "## Goal",
    "assistant": "## Progress\n\n### Done",
    "call": "## Critical Context",
    "result": "## Critical Context",
    "summary": "## Key Decisions",
}
SECTIONS = tuple(dict.fromkeys(HEADINGS.values()))
THIS_TURN = "## This Turn So Far"

_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class Piece:
    """Something somebody said."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    place: int
    heading: str
    text: str
    words: frozenset[str]
    weight: float


def pieces_of(messages: Iterable[RequestMessage], output_chars: int | None = None) -> Iterator[Piece]:
    """What a list says, piece by piece; outputs are cut where a policy does so."""
    for message in messages:
        for part in message.parts:
            match part:
                case Text():
                    yield Piece(message.role, part.text)
                case ToolCall():
                    yield Piece("call", " ".join((part.name, *texts_in(part.input))))
                case ToolResult():
                    yield Piece("result", part.output[:output_chars])
                case _:
                    pass


def summarise(pieces: Sequence[Piece], *, is_turn_cut: bool = False, most_tokens: int = SUMMARY_TOKENS) -> str:
    """The summary of these pieces, under headings; of a turn that was cut, the newest work stands apart."""
    counts = [Counter(_WORD.findall(piece.text.lower())) for piece in pieces]
    spread = Counter(word for count in counts for word in count)
    weights = {word: math.log((1 + len(pieces)) / times) for word, times in spread.items()}
    centre: dict[str, float] = dict.fromkeys(spread, 0.0)
    for count in counts:
        for word, times in count.items():
            centre[word] += (1 + math.log(times)) * weights[word]
    turn_from = _newest_work(pieces) if is_turn_cut else len(pieces)
    lines = list(_lines(pieces, turn_from))
    ranked = sorted(lines, key=lambda line: (-_score(line, weights, centre), line.place))
    return _written(_chosen(ranked, most_tokens * CHARS_PER_TOKEN))


def _lines(pieces: Sequence[Piece], turn_from: int) -> Iterator[_Line]:
    place = 0
    for number, piece in enumerate(pieces):
        heading = THIS_TURN if number > turn_from and piece.role != "user" else HEADINGS[piece.role]
        said = piece.text.splitlines()
        if len(said) > LINES_PER_PIECE:
            said = [*said[: LINES_PER_PIECE // 2], *said[-LINES_PER_PIECE // 2 :]]
        for whole in said:
            line = " ".join(whole.split())[: LINE_CHARS[1]].removeprefix("- ")
            if whole.startswith("## ") and piece.role == "summary":
                heading = next((known for known in SECTIONS if known.startswith(whole.strip())), heading)
            elif len(line) >= LINE_CHARS[0] and not line.startswith("#"):
                yield _Line(place, heading, line, frozenset(_WORD.findall(line.lower())), WEIGHTS[piece.role])
            place += 1


def _score(line: _Line, weights: dict[str, float], centre: dict[str, float]) -> float:
    """The cosine of a line with the centroid, up to the centroid's own length."""
    # Added up exactly: the order in a set differs from run to run, and a tie must not hang on it.
    length = math.sqrt(math.fsum(weights.get(word, 0.0) ** 2 for word in line.words)) or 1.0
    return line.weight * math.fsum(weights.get(word, 0.0) * centre.get(word, 0.0) for word in line.words) / length


def _chosen(ranked: Iterable[_Line], budget_chars: int) -> list[_Line]:
    chosen: list[_Line] = []
    left = budget_chars - sum(len(heading) + 4 for heading in (*SECTIONS, THIS_TURN))
    for line in ranked:
        cost = len(line.text) + 3
        if cost > left:
            if left < LINE_CHARS[0]:
                break
            continue
        if any(len(line.words & other.words) >= ALIKE * len(line.words | other.words) for other in chosen):
            continue
        chosen.append(line)
        left -= cost
    return sorted(chosen, key=lambda line: line.place)


def _written(lines: Sequence[_Line]) -> str:
    parts: list[str] = []
    for heading in (*SECTIONS, THIS_TURN):
        said = [f"- {line.text}" for line in lines if line.heading == heading]
        if said or heading != THIS_TURN:
            parts.append("\n".join([heading, "", *(said or ["- (none)"])]))
    return "\n\n".join(parts)


def _newest_work(pieces: Sequence[Piece]) -> int:
    """The last third of the turn: what came before it is progress like any other."""
    prompt = max((number for number, piece in enumerate(pieces) if piece.role == "user"), default=0)
    return len(pieces) - (len(pieces) - prompt) // 3
