"""How well some typed letters mean a name: whole, at a beginning, inside, or scattered; pure."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

EXACT, BEGINS, BEGINS_PART, INSIDE, PATH_PART, PATH_INSIDE, SCATTERED_NAME, SCATTERED = range(8, 0, -1)
"""Ranks, the best first: what is said of the name behind the last slash counts before what is said of the path."""
_JOINTS = "/_-. "


def rank(wanted: str, name: str) -> int:
    """How well lower-case letters mean a lower-case name; 0 if not at all."""
    if not wanted:
        return SCATTERED
    begin = name.rstrip("/").rfind("/") + 1
    place = name.find(wanted, begin)
    if place >= 0:
        if place == begin:
            return EXACT if len(name) - begin == len(wanted) else BEGINS
        # A part of the name may begin behind an earlier place.
        return BEGINS_PART if _begins_part(wanted, name, begin) else INSIDE
    if wanted in name:
        return PATH_PART if _begins_part(wanted, name, 0) else PATH_INSIDE
    scattered = _scattered(wanted)
    if scattered.search(name, begin):
        return SCATTERED_NAME
    return SCATTERED if scattered.search(name) else 0


def places(wanted: str, name: str) -> frozenset[int]:
    """Which letters of a name were meant, to set them off."""
    if not wanted:
        return frozenset()
    low, wanted = name.lower(), wanted.lower()
    # Some letters are longer when they are small, and then places would not be those of the name.
    if len(low) != len(name):
        return frozenset()
    begin = low.rstrip("/").rfind("/") + 1
    for start in (begin, 0):
        if (place := low.find(wanted, start)) >= 0:
            return frozenset(range(place, place + len(wanted)))
    for start in (begin, 0):
        found: list[int] = []
        place = start - 1
        for letter in wanted:
            place = low.find(letter, place + 1)
            if place < 0:
                break
            found.append(place)
        else:
            return frozenset(found)
    return frozenset()


def best(wanted: str, names: Iterable[str]) -> list[int]:
    """The places of the names that are meant, the best first; among equals the order stays."""
    low = wanted.lower()
    ranked = [(rank(low, name.lower()), place) for place, name in enumerate(names)]
    return [place for score, place in sorted(ranked, key=lambda each: -each[0]) if score]


def has_all(words: Sequence[str], text: str) -> bool:
    """Whether a lower-case text has each of some lower-case words in it."""
    return all(word in text for word in words)


def _begins_part(wanted: str, name: str, begin: int) -> bool:
    place = name.find(wanted, begin)
    while place > 0:
        if name[place - 1] in _JOINTS:
            return True
        place = name.find(wanted, place + 1)
    return place == 0


@lru_cache(maxsize=64)
def _scattered(wanted: str) -> re.Pattern[str]:
    return re.compile("".join(f"[^{re.escape(letter)}\n]*{re.escape(letter)}" for letter in wanted))
