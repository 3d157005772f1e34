"""The files of a project by name: walked in a thread as git sees them, kept for a while, searched letter by letter."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import SAFE_OPEN
from diligent_tui.tools.walking import Walk
from diligent_tui.ui.widgets.completion.fuzzy import SCATTERED, rank

MOST_FILES = 200_000
LONGEST_WALK_SECONDS = 20.0
FRESH_SECONDS = 10.0
"""So long a walk is good; then the next search looks again, and meanwhile the old names serve."""
FIRST_PORTION_FILES = 2_000
"""So many are found before they are shown, then twice as many, and so on."""
ENOUGH_FOUND = 100
"""Where so many have the letters as they stand, nobody wants those that have them scattered."""
SEARCHED_AT_ONCE = 4_000
MOST_RANKED = 4_000
"""Among names that are meant loosely so many are weighed; whoever wants another types one more letter."""


@dataclass(frozen=True, slots=True)
class Names:
    """All names that were found, those of folders with a slash at their end; the small ones beside them."""

    paths: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    is_whole: bool = False
    """False while the walk goes on, and if it was cut short."""


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The best names, and of how many."""

    paths: tuple[str, ...]
    known_count: int
    is_whole: bool


@dataclass(slots=True)
class FileIndex:
    """The names below a project's root, as they are called from the working folder."""

    root: Path
    cwd: Path
    clock: Callable[[], float] = time.monotonic
    names: Names = field(default_factory=Names)
    _walked_at: float | None = None
    _walking: threading.Lock = field(default_factory=threading.Lock)
    _is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def is_stale(self) -> bool:
        """True if a walk is due; nobody needs a second one while one goes on."""
        walked_at = self._walked_at
        return not self._walking.locked() and (walked_at is None or self.clock() - walked_at > FRESH_SECONDS)

    def stop(self) -> None:
        """End a walk that goes on."""
        self._is_over.set()

    def walk(self) -> None:
        """Look through the project anew; called in a thread, and a second one at the same time does nothing."""
        if self._walking.acquire(blocking=False):
            try:
                self._walk()
                self._walked_at = self.clock()
            finally:
                self._walking.release()

    def search(self, typed: str, uses: Mapping[str, float], limit: int) -> FoundFiles:
        """The names that some letters mean, the best first; those in use before others that are as good."""
        names = self.names
        wanted = typed.lower()
        places = range(len(names.paths)) if not wanted else self._meant(wanted, names.low)
        scored = [
            (
                -rank(wanted, names.low[place]) if wanted else 0,
                -uses.get(names.paths[place], 0.0),
                bool(wanted) and names.paths[place].endswith("/"),
                names.paths[place].count("/"),
                len(names.paths[place]),
                place,
            )
            for place in _shortened(places, names.paths, uses)
            # Whoever has typed a folder wants what is in it.
            if names.paths[place] != typed or not typed.endswith("/")
        ]
        scored.sort()
        if wanted and scored and scored[0][0] < -SCATTERED:
            # Letters scattered over a whole path mean it only if nothing means them better.
            scored = [each for each in scored if each[0] < -SCATTERED]
        best = tuple(names.paths[place] for *_, place in scored[:limit])
        return FoundFiles(best, len(names.paths), names.is_whole)

    def _meant(self, wanted: str, low: tuple[str, ...]) -> list[int]:
        """The places of names that have the letters as they stand, or else scattered."""
        inside = [place for place, name in enumerate(low) if wanted in name]
        if len(inside) >= ENOUGH_FOUND:
            return inside
        # A search through many names at once is many times quicker than one in each; all at once would hold up keys.
        scattered = re.compile(f"^{''.join(map(_up_to, wanted))}.*$", re.MULTILINE)
        meant: set[str] = set()
        for start in range(0, len(low), SEARCHED_AT_ONCE):
            meant |= set(scattered.findall("\n".join(low[start : start + SEARCHED_AT_ONCE])))
        return [place for place, name in enumerate(low) if name in meant]

    def _walk(self) -> None:
        deadline = self.clock() + LONGEST_WALK_SECONDS
        root = Path(os.path.realpath(self.root))
        name_of = _name_from(root, Path(os.path.realpath(self.cwd)))
        paths: list[str] = []
        seen_folders: set[tuple[str, ...]] = {()}
        is_first = not self.names.paths
        portion = FIRST_PORTION_FILES
        try:
            descriptor = os.open(root, SAFE_OPEN | os.O_DIRECTORY)
        except OSError:
            self.names = Names(is_whole=True)
            return
        try:
            workplace = Workplace(root, root, 0, root)
            walk = Walk(descriptor, root, workplace, lambda: self._is_over.is_set() or self.clock() > deadline)
            for found in walk:
                # What cannot be shown as it is cannot be typed either.
                if not _is_plain(found.path):
                    continue
                folder = found.names[:-1]
                while folder not in seen_folders:
                    seen_folders.add(folder)
                    paths.append(name_of(f"{'/'.join(folder)}/"))
                    folder = folder[:-1]
                paths.append(name_of(found.path))
                if is_first and len(paths) >= portion:
                    portion *= 2
                    self.names = _names(paths, is_whole=False)
                if len(paths) >= MOST_FILES:
                    break
        finally:
            os.close(descriptor)
        is_whole = len(paths) < MOST_FILES and self.clock() <= deadline and not self._is_over.is_set()
        self.names = _names(paths, is_whole=is_whole)


def _names(paths: Iterable[str], *, is_whole: bool) -> Names:
    kept = tuple(paths)
    return Names(kept, tuple(path.lower() for path in kept), is_whole)


def _is_plain(path: str) -> bool:
    return path.isprintable() and (path.isascii() or clean_line(path) == path)


def _up_to(letter: str) -> str:
    return f"[^{re.escape(letter)}\n]*{re.escape(letter)}"


def _shortened(places: Iterable[int], paths: tuple[str, ...], uses: Mapping[str, float]) -> list[int]:
    """Not more than can be weighed between two keys; those in use are never left out."""
    kept = list(places)
    if len(kept) <= MOST_RANKED:
        return kept
    used = [place for place in kept[MOST_RANKED:] if paths[place] in uses] if uses else []
    return kept[:MOST_RANKED] + used


def _name_from(root: Path, cwd: Path) -> Callable[[str], str]:
    """What a path below the root is called in the working folder."""
    if not cwd.is_relative_to(root) or cwd == root:
        return str
    below = cwd.relative_to(root).parts
    ways = [("".join(f"{name}/" for name in below[: len(below) - up]), "../" * up) for up in range(len(below) + 1)]

    def name_of(path: str) -> str:
        begin, way = next((begin, way) for begin, way in ways if path.startswith(begin))
        return f"{way}{path.removeprefix(begin)}" or "./"

    return name_of
