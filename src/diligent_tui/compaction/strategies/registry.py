"""The one table of strategies: ours, and those that other packages offer by an entry point.

An entry point in the group `diligent_tui.strategies` names a `Strategy`; the entry point's name is the strategy's.
Others' code is imported when somebody asks for all strategies or for one that is not ours; one that cannot be used
is passed over, and `broken_strategies` says why.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from diligent_tui import compaction
from diligent_tui.compaction.strategies.base import Strategy
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.plain_text import clean_line

GROUP = "diligent_tui.strategies"
OUR_NAMES = ("auto", "summarize", "prune", "truncate")
"""Each is a module of this package with a STRATEGY; they are loaded when one is first asked for."""
LONGEST_HELP_CHARS = 120
LONGEST_NAME_CHARS = 40
MOST_NEAR_NAMES = 3

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Shelf:
    """All strategies by name, and a sentence for each that could not be used."""

    strategies: Mapping[str, Strategy]
    broken: tuple[str, ...] = ()


@cache
def our_strategies() -> Mapping[str, Strategy]:
    """The built-in ones."""
    points = (EntryPoint(name, f"{__package__}.{name}:STRATEGY", GROUP) for name in OUR_NAMES)
    loaded: dict[str, object] = {point.name: point.load() for point in points}
    return MappingProxyType({name: each for name, each in loaded.items() if isinstance(each, Strategy)})


def strategies() -> Mapping[str, Strategy]:
    """Every strategy that can be chosen, ours first."""
    return _installed().strategies


def broken_strategies() -> tuple[str, ...]:
    """Why strategies of others cannot be chosen, a sentence each."""
    return _installed().broken


def find_strategy(name: str) -> Strategy:
    """The strategy of that name; raises UsageError with the nearest right names."""
    wanted = name.strip().lower()
    if found := our_strategies().get(wanted) or strategies().get(wanted):
        return found
    known = list(strategies())
    near = difflib.get_close_matches(wanted[:LONGEST_NAME_CHARS], known, n=MOST_NEAR_NAMES, cutoff=0.5)
    hint = f"Did you mean {', '.join(near)}? " if near else ""
    raise UsageError(
        f"No strategy is called {clean_line(name, LONGEST_NAME_CHARS)!r}.", f"{hint}Known are {', '.join(known)}."
    )


def shelf_of(points: Iterable[EntryPoint]) -> Shelf:
    """Our strategies and those that these entry points name; nobody may take a name that is ours or taken."""
    found = dict(our_strategies())
    broken: list[str] = []
    for point in points:
        name = clean_line(point.name, LONGEST_NAME_CHARS).lower()
        if not _NAME.fullmatch(name):
            broken.append(
                f"The strategy {name!r} is passed over: its name can only have letters, digits, - _ and dots."
            )
        elif name in found:
            broken.append(f"A second strategy called {name!r} is passed over.")
        else:
            loaded = _loaded(point, name)
            if isinstance(loaded, Strategy):
                found[name] = loaded
            else:
                broken.append(f"The strategy {name!r} is passed over: {loaded}")
    return Shelf(MappingProxyType(found), tuple(broken))


@cache
def _installed() -> Shelf:
    return shelf_of(entry_points(group=GROUP))


def _loaded(point: EntryPoint, name: str) -> Strategy | str:
    """The strategy behind an entry point, or what is wrong with it."""
    try:
        loaded: object = point.load()
    except compaction.FAULTS as error:
        return clean_line(f"it cannot be loaded ({type(error).__name__}: {error}).", LONGEST_HELP_CHARS)
    if not isinstance(loaded, Strategy):
        return "its entry point names no Strategy."
    named = replace(loaded, name=name, help=clean_line(str(loaded.help), LONGEST_HELP_CHARS))
    return replace(named, write=compaction.sheltered(name, named.write)) if named.write else named
