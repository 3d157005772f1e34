"""Ground truth: at each checkpoint, what a context should still hold, told from the session itself.

Needed is what the agent itself uses later, that stood last in the part of the history that any tail would long have
passed, and that no tool or user brings back first. The other classes are what happened so far: files changed and read,
the newest errors, rules of the user's, things to do. Whatever stands in the newest 12 % of the window is left out.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from bench.survival.deeds import only_looks, touches_in
from bench.survival.finders import errors_in, literals_in, names_in, names_outside_paths, paths_in, rules_in
from bench.survival.ruler import Ruler, words_of
from bench.survival.transcripts import Transcript
from bench.survival.values import as_text, objects_in
from diligent_tui.domain.requests import RequestMessage, Text, ToolCall, ToolResult, UserTurn

Kind = Literal[
    "needed_path", "needed_ident", "needed_literal", "files_modified", "files_read", "errors", "user_rules", "todo"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
CHECKPOINTS = (0.50, 0.70, 0.85, 0.95)
TAIL_SHARE = 0.12
"""Of the window: what any tail holds anyway."""
NEWEST_ERRORS = 15
ERRORS_PER_RESULT = 3
DONE_STATES = frozenset({"done", "completed", "cancelled"})
Finder = Callable[[str], set[str]]
Sighting = tuple[int, str]
"""A turn and what is seen in it."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing that a context should hold, the turn where it stood last, and the one where it is used."""

    kind: Kind
    text: str
    last_turn: int
    use_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What should be known just before the answer of an exchange."""

    share: float
    exchange: int
    history_tokens: int
    probes: tuple[Probe, ...]


@dataclass(slots=True)
class _Places:
    """Where things of one kind are said at all, and where the agent says them for themselves."""

    said: dict[str, list[int]]
    used: dict[str, set[int]]

    def needed(self, turn: int, tail_from: int) -> Iterable[tuple[str, int, int]]:
        """What is used from a turn on and stood last before the tail, with both turns."""
        for text, uses in self.used.items():
            places = self.said[text]
            at = bisect_left(places, turn)
            if 0 < at < len(places) and places[at] in uses and places[at - 1] < tail_from:
                yield text, places[at - 1], places[at]


class GroundTruth:
    """All that one session has to ask for, whatever the window."""

    def __init__(self, transcript: Transcript, ruler: Ruler) -> None:
        """Read the session once."""
        self.transcript = transcript
        self._sizes = [ruler.message(turn) for turn in transcript.turns]
        words = [words_of(turn) for turn in transcript.turns]
        self._needed: Mapping[Kind, _Places] = {
            "needed_path": _places(transcript.turns, words, paths_in, paths_in),
            "needed_ident": _places(transcript.turns, words, names_in, names_outside_paths),
            "needed_literal": _places(transcript.turns, words, literals_in, literals_in),
        }
        self._changed: list[Sighting] = []
        self._read: list[Sighting] = []
        self._errors: list[Sighting] = []
        self._rules: list[Sighting] = []
        self._todo: list[tuple[int, tuple[str, ...]]] = []
        self._look_through(transcript.turns)

    def history_tokens(self, exchange: int) -> int:
        """Tokens of everything said before the answer of an exchange."""
        return sum(self._sizes[: 2 * exchange + 1])

    def checkpoints(self, window_tokens: int) -> tuple[Checkpoint, ...]:
        """Where to look, for one window: only where the whole history would not fit."""
        count = len(self.transcript.exchanges)
        chosen = {int(count * share): share for share in reversed(CHECKPOINTS)}
        return tuple(
            Checkpoint(share, exchange, tokens, tuple(self.probes(exchange, window_tokens)))
            for exchange, share in sorted(chosen.items())
            if exchange < count and (tokens := self.history_tokens(exchange)) > window_tokens
        )

    def probes(self, exchange: int, window_tokens: int) -> Iterable[Probe]:
        """Everything to ask for before the answer of an exchange."""
        turn = 2 * exchange + 1
        tail_from = self._tail_from(turn, int(window_tokens * TAIL_SHARE))
        for kind, places in self._needed.items():
            for text, last, use in places.needed(turn, tail_from):
                yield Probe(kind, text, last, use)
        yield from _happened("files_modified", self._changed, turn, tail_from)
        changed = {text for place, text in self._changed if place < turn}
        yield from (
            probe for probe in _happened("files_read", self._read, turn, tail_from) if probe.text not in changed
        )
        newest = list(_happened("errors", self._errors, turn, turn))[-NEWEST_ERRORS:]
        yield from (probe for probe in newest if probe.last_turn < tail_from)
        yield from _happened("user_rules", self._rules, turn, tail_from)
        lists = [(place, items) for place, items in self._todo if place < turn]
        for place, items in lists[-1:]:
            yield from (Probe("todo", item, place) for item in items if place < tail_from)

    def born_early(self, share: float) -> tuple[Probe, ...]:
        """What was there in the first part of the session, for the drift over repeated compactions."""
        turn = 2 * max(1, int(len(self.transcript.exchanges) * share)) + 1
        return (
            *_happened("files_modified", self._changed, turn, turn),
            *_happened("files_read", self._read, turn, turn),
            *_happened("user_rules", self._rules, turn, turn),
        )

    def _tail_from(self, turn: int, tail_tokens: int) -> int:
        place = turn
        while place > 0 and tail_tokens > 0:
            place -= 1
            tail_tokens -= self._sizes[place]
        return place

    def _look_through(self, turns: Sequence[RequestMessage]) -> None:
        calls: dict[str, ToolCall] = {}
        for place, turn in enumerate(turns):
            if not isinstance(turn, UserTurn):
                calls = {part.id: part for part in turn.parts if isinstance(part, ToolCall)}
                self._todo += [(place, items) for call in calls.values() if (items := _open_items(call)) is not None]
                continue
            for part in turn.parts:
                match part:
                    case Text():
                        self._rules += [(place, rule) for rule in rules_in(part.text)]
                    case ToolResult():
                        self._look_at(place, calls.get(part.call_id), part)
                    case _:
                        pass

    def _look_at(self, place: int, call: ToolCall | None, result: ToolResult) -> None:
        if call is None:
            return
        if not result.is_error:
            for touch in touches_in(call):
                (self._changed if touch.deed == "changed" else self._read).append((place, touch.key))
        if result.is_error or not only_looks(call):
            self._errors += [(place, line) for line in _few(errors_in(result.output))]


def _places(
    turns: Sequence[RequestMessage],
    words: Sequence[str],
    seen_in: Finder,
    used_in: Finder,
) -> _Places:
    used: dict[str, set[int]] = {}
    for place, turn in enumerate(turns):
        if turn.role == "assistant":
            for text in used_in(words[place]):
                used.setdefault(text, set()).add(place)
    said: dict[str, list[int]] = {}
    for place, text in enumerate(words):
        for found in seen_in(text):
            if found in used:
                said.setdefault(found, []).append(place)
    return _Places(said, used)


def _happened(kind: Kind, sightings: Iterable[Sighting], turn: int, before: int) -> Iterable[Probe]:
    """What was seen before a turn, each once where it was seen last, in that order."""
    last: dict[str, int] = {}
    for place, text in sightings:
        if place < turn:
            last.pop(text, None)
            last[text] = place
    return (Probe(kind, text, place) for text, place in last.items() if place < before)


def _few(lines: Iterable[str]) -> list[str]:
    """The first and the last few lines: a compiler says the same a hundred times."""
    found = list(dict.fromkeys(lines))
    return found if len(found) <= ERRORS_PER_RESULT else [*found[: ERRORS_PER_RESULT - 1], found[-1]]


def _open_items(call: ToolCall) -> tuple[str, ...] | None:
    if "todo" not in call.name.lower():
        return None
    items = [item for key in ("todos", "items") for item in objects_in(call.input.get(key))]
    return tuple(
        " ".join(text.split())
        for item in items
        if (text := as_text(item.get("content")) or as_text(item.get("text")))
        and (as_text(item.get("status")) or as_text(item.get("state"))) not in DONE_STATES
    )
