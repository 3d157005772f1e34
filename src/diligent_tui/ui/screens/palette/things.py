"""What the palette finds: things of several kinds, each from its own source, and the search over them; pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.widgets.completion.fuzzy import EXACT, SCATTERED, has_all, rank

Kind = Literal["command", "session", "entry", "knowledge", "file", "model"]
TITLES: Mapping[Kind, str] = MappingProxyType(
    {
        "command": "Commands",
        "session": "Sessions",
        "entry": "In this session",
        "knowledge": "Knowledge",
        "file": "Files",
        "model": "Models",
    }
)
PROSE: tuple[Kind, ...] = ("entry", "knowledge")
"""In long texts scattered letters are found everywhere and mean nothing; whole words there stand behind names."""
LABEL_CHARS = 200
MOST_IN_SECTION = 50
UNASKED: Mapping[Kind, int] = MappingProxyType(
    {"command": 50, "session": 5, "entry": 5, "knowledge": 5, "file": 5, "model": 5}
)
"""How many of each kind are shown before a letter is typed."""

Source = Callable[[], Iterable["Thing"]]
"""Gives its things, newest first; it is asked in a thread, portion by portion."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something one can go to or do; `id` tells it from others of its kind."""

    kind: Kind
    id: str
    label: str
    note: str = ""
    """Stands dim at the right."""
    about: str = ""
    """Stands dim behind the label, in a column with those of its neighbours."""
    low: str = field(init=False)

    def __post_init__(self) -> None:
        """Labels come from outside and are cleaned once; the small letters are for the search."""
        label = clean_line(self.label, LABEL_CHARS)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "note", clean_line(self.note, LABEL_CHARS))
        object.__setattr__(self, "about", clean_line(self.about, LABEL_CHARS))
        object.__setattr__(self, "low", label.lower())


@dataclass(frozen=True, slots=True)
class Section:
    """The things of one kind that were found, the best first, and how many there are."""

    kind: Kind
    things: tuple[Thing, ...]
    found: int

    @property
    def title(self) -> str:
        """What stands above them."""
        return TITLES[self.kind]


def search(words: str, known: Mapping[Kind, Sequence[Thing]]) -> tuple[Section, ...]:
    """What the words mean, the section with the best first; without words the newest of each kind."""
    parts = words.lower().split()
    if not parts:
        return tuple(
            Section(kind, tuple(things[: UNASKED[kind]]), len(things)) for kind, things in known.items() if things
        )
    ranked: list[tuple[int, Section]] = []
    for kind, things in known.items():
        if found := _scored(parts, kind, things):
            shown = tuple(thing for _, thing in found[:MOST_IN_SECTION])
            ranked.append((found[0][0], Section(kind, shown, len(found))))
    ranked.sort(key=lambda each: -each[0])
    return tuple(section for _, section in ranked)


def _scored(parts: Sequence[str], kind: Kind, things: Sequence[Thing]) -> list[tuple[int, Thing]]:
    """The meant ones with their scores, best first; among equals the newest, which is the order they came in."""
    if kind in PROSE:
        return [(SCATTERED, thing) for thing in things if has_all(parts, thing.low)]
    scored: list[tuple[int, Thing]] = []
    for thing in things:
        score = EXACT
        for part in parts:
            score = min(score, rank(part, thing.low))
            if not score:
                break
        else:
            scored.append((score, thing))
    scored.sort(key=lambda each: -each[0])
    return scored
