"""The coverage report as a list: what was dropped first, under headings with counts, of one kind or of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from diligent_tui.compaction.coverage import CoverageItem, CoverageReport, Place
from diligent_tui.compaction.extractors import FINDING_KINDS

ORDER: tuple[Place, ...] = ("dropped", "invented", "ledger", "summary", "knowledge")
PLACE_WORDS: Mapping[Place, str] = MappingProxyType(
    {
        "dropped": "dropped",
        "invented": "invented",
        "ledger": "in the ledger",
        "summary": "in the summary",
        "knowledge": "in knowledge",
    }
)
PLACE_NOTES: Mapping[Place, str] = MappingProxyType(
    {
        "dropped": "the summary does not say it",
        "invented": "only the summary says it",
        "ledger": "kept word for word",
    }
)
"""What a place means, where its word does not say it."""
KIND_WORDS: Mapping[str, str] = MappingProxyType({"constraint": "rule", "identifier": "name"})
"""Kinds that a shorter word fits better."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A place and how many facts are there."""

    place: Place
    count: int


Line = Heading | CoverageItem


def listed(report: CoverageReport, kind: str | None) -> list[Line]:
    """The facts of a kind under the places where they are; places without any are left out, but not the dropped."""
    lines: list[Line] = []
    for place in ORDER:
        items = [item for item in report.at(place) if kind is None or item.kind == kind]
        if items or place == "dropped":
            lines += [Heading(place, len(items)), *items]
    return lines


def kinds_in(report: CoverageReport) -> list[str]:
    """The kinds that there are, in a steady order."""
    there = {item.kind for item in report.items}
    known = [str(kind) for kind in FINDING_KINDS if kind in there]
    return [*known, *sorted(there - set(known))]


def next_kind(report: CoverageReport, kind: str | None) -> str | None:
    """The kind after this one; all come after the last."""
    kinds = kinds_in(report)
    place = kinds.index(kind) + 1 if kind in kinds else 0
    return kinds[place] if place < len(kinds) else None


def kind_word(kind: str) -> str:
    """A kind as it is said."""
    return KIND_WORDS.get(kind, kind)


def next_heading(lines: Sequence[Line], place: int, step: int) -> int:
    """The first fact of the next group, or of this one and then the one before; stays where there is none."""
    starts = [
        number + 1
        for number, line in enumerate(lines)
        if isinstance(line, Heading) and number + 1 < len(lines) and not isinstance(lines[number + 1], Heading)
    ]
    if step > 0:
        return next((start for start in starts if start > place), place)
    return next((start for start in reversed(starts) if start < place), place)
