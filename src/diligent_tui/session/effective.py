"""What the model sees of a path: THE function from entries to the effective sequence.

    [summary pair] [the cut turn's prompt with its prefix summary] entry entry digest entry …

Size, cut point, summariser input and request all come from it. `effective` says it whole and plainly; `EffectiveFold`
keeps the same answer up to date entry by entry, and tests hold the two together.

Every content entry of the path has one fate: it stands verbatim, or as its digest, or it is covered by the active
summary (then maybe quoted as a pin, or left out of the summary by the user), and the newest prompt stands verbatim.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.entries import (
    CONTENT_TYPES,
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    PinEntry,
    PruneEntry,
    UnpinEntry,
)
from diligent_tui.session.tree import Node

Lookup = Callable[[str], Entry]


@dataclass(frozen=True, slots=True)
class SummaryPair:
    """The active summary as question and answer, with the pinned entries that it covers, oldest first."""

    compaction_id: str
    pinned_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CutTurn:
    """The prompt of the turn that the cut went through, verbatim, and the summary of that turn's beginning."""

    prompt_id: str
    prefix_summary: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An entry as it was said."""

    entry_id: str


@dataclass(frozen=True, slots=True)
class Digested:
    """A tool result of which the model sees only the digest."""

    entry_id: str
    digest: str


Item = SummaryPair | CutTurn | Verbatim | Digested
Fate = Literal["verbatim", "digest", "summarised", "pinned", "excluded"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the active compaction cuts a path: entries from `start` on are kept."""

    compaction: CompactionEntry
    start: int
    turn: CutTurn | None


@dataclass(frozen=True, slots=True)
class Effective:
    """The effective sequence, and the cut it comes from."""

    items: tuple[Item, ...]
    cut: Cut | None


def effective(path: Sequence[Node], lookup: Lookup) -> Effective:
    """The effective sequence of a path, from scratch."""
    index = {node.id: place for place, node in enumerate(path)}
    cut = find_cut(path, index, [lookup(node.id) for node in path if node.type in ("compaction", "compaction_revert")])
    pins: dict[str, None] = {}
    prunes: dict[str, str] = {}
    for node in path:
        if node.type in ("pin", "unpin", "prune"):
            _note(lookup(node.id), pins, prunes)
    items: list[Item] = []
    if cut:
        items.append(_pair(cut, path, index, pins))
        if cut.turn:
            items.append(cut.turn)
    kept = path[cut.start if cut else 0 :]
    items.extend(_item(node, pins, prunes, lookup) for node in kept if node.type in CONTENT_TYPES)
    return Effective(tuple(items), cut)


class EffectiveFold:
    """The effective sequence of a growing path; one more entry costs little, whatever came before."""

    def __init__(self, path: Sequence[Node], lookup: Lookup) -> None:
        """Fold a path that is there already."""
        self._lookup = lookup
        self._path: list[Node] = []
        self._index: dict[str, int] = {}
        self._lenses: list[Entry] = []
        self._pins: dict[str, None] = {}
        # Which prune shortened an output, not the digest: a long session would fill the memory with covered ones.
        self._prunes: dict[str, str] = {}
        self._cut: Cut | None = None
        self._items: list[Item] = []
        self._place: dict[str, int] = {}
        for node in path:
            self._take(node)
        self._cut = find_cut(self._path, self._index, self._lenses)
        self._rebuild()

    @property
    def path(self) -> Sequence[Node]:
        """The path so far; not to be changed."""
        return self._path

    @property
    def items(self) -> Sequence[Item]:
        """The effective sequence so far; not to be changed."""
        return self._items

    @property
    def cut(self) -> Cut | None:
        """Where the active compaction cuts the path, if there is one."""
        return self._cut

    def shows_pin(self, entry_id: str) -> bool:
        """Whether the model sees an entry otherwise for its being pinned; what stands as it was said, it does not."""
        if entry_id in self._place:
            return entry_id in self._prunes
        return self._cut is not None and not (self._cut.turn and self._cut.turn.prompt_id == entry_id)

    def push(self, node: Node) -> None:
        """Take one more entry at the end of the path."""
        entry = self._take(node)
        if node.type in CONTENT_TYPES:
            self._place[node.id] = len(self._items)
            self._items.append(self._item(node))
        elif isinstance(entry, CompactionEntry | CompactionRevertEntry):
            cut = find_cut(self._path, self._index, self._lenses)
            if cut != self._cut:
                self._cut = cut
                self._rebuild()
        elif isinstance(entry, PruneEntry):
            for item in entry.items:
                self._repaint(item.target_id)
        elif isinstance(entry, PinEntry | UnpinEntry):
            self._repaint(entry.target_id)

    def _take(self, node: Node) -> Entry | None:
        self._index[node.id] = len(self._path)
        self._path.append(node)
        if node.type in ("compaction", "compaction_revert"):
            entry = self._lookup(node.id)
            self._lenses.append(entry)
            return entry
        if node.type in ("pin", "unpin", "prune"):
            entry = self._lookup(node.id)
            _note(entry, self._pins, self._prunes)
            return entry
        return None

    def _repaint(self, entry_id: str) -> None:
        if (place := self._place.get(entry_id)) is not None:
            self._items[place] = self._item(self._path[self._index[entry_id]])
        elif self._cut:
            self._items[0] = _pair(self._cut, self._path, self._index, self._pins)

    def _rebuild(self) -> None:
        self._items = []
        if self._cut:
            self._items.append(_pair(self._cut, self._path, self._index, self._pins))
            if self._cut.turn:
                self._items.append(self._cut.turn)
        self._place = {}
        for node in self._path[self._cut.start if self._cut else 0 :]:
            if node.type in CONTENT_TYPES:
                self._place[node.id] = len(self._items)
                self._items.append(self._item(node))

    def _item(self, node: Node) -> Item:
        return _item(node, self._pins, self._prunes, self._lookup)


def find_cut(path: Sequence[Node], index: Mapping[str, int], lenses: Sequence[Entry]) -> Cut | None:
    """The cut of the last compaction that is not undone; a live version stands later than what it supersedes.

    A compaction that names an entry which is not before it on the path cannot be applied; it is passed over, so that
    a damaged file shows more rather than less.
    """
    undone = undone_among(lenses)
    for entry in reversed(lenses):
        if not isinstance(entry, CompactionEntry) or entry.id in undone:
            continue
        start = index.get(entry.first_kept_entry_id)
        if start is not None and start < index[entry.id]:
            return Cut(entry, start, _cut_turn(path, index, start, entry))
    return None


def fates(path: Sequence[Node], sequence: Effective) -> dict[str, Fate]:
    """What became of each content entry of a path."""
    standing: dict[str, Fate] = {}
    for item in sequence.items:
        match item:
            case SummaryPair():
                standing.update(dict.fromkeys(item.pinned_ids, "pinned"))
            case CutTurn():
                standing[item.prompt_id] = "verbatim"
            case Verbatim():
                standing[item.entry_id] = "verbatim"
            case Digested():
                standing[item.entry_id] = "digest"
    excluded = set(sequence.cut.compaction.excluded) if sequence.cut else set[str]()
    return {
        node.id: standing.get(node.id) or ("excluded" if node.id in excluded else "summarised")
        for node in path
        if node.type in CONTENT_TYPES
    }


def chains_among(lenses: Sequence[Entry]) -> dict[str, str]:
    """For each compaction the first version of it, which names the chain."""
    chain_of: dict[str, str] = {}
    for entry in lenses:
        if isinstance(entry, CompactionEntry):
            chain_of[entry.id] = chain_of.get(entry.supersedes or "", entry.id)
    return chain_of


def undone_among(lenses: Sequence[Entry]) -> set[str]:
    """Compactions that are undone: a revert takes with it every earlier version of its target's chain."""
    chain_of = chains_among(lenses)
    undone: set[str] = set()
    cancelled: set[str] = set()
    for place in range(len(lenses) - 1, -1, -1):
        revert = lenses[place]
        if not isinstance(revert, CompactionRevertEntry) or revert.id in cancelled:
            continue
        cancelled.add(revert.target_id)
        if chain := chain_of.get(revert.target_id):
            undone.update(entry.id for entry in lenses[:place] if chain_of.get(entry.id) == chain)
    return undone


def _cut_turn(path: Sequence[Node], index: Mapping[str, int], start: int, entry: CompactionEntry) -> CutTurn | None:
    """The prompt to keep when the first kept entry stands inside a turn."""
    named = entry.turn_prefix
    if named and index.get(named.prompt_id, start) < start:
        return CutTurn(named.prompt_id, named.summary)
    first_kept = next((node for node in path[start : index[entry.id]] if node.type in CONTENT_TYPES), None)
    if first_kept and first_kept.is_prompt:
        return None
    for node in reversed(path[:start]):
        if node.is_prompt:
            return CutTurn(node.id, "")
    return None


def _note(entry: Entry, pins: dict[str, None], prunes: dict[str, str]) -> None:
    match entry:
        case PinEntry():
            pins[entry.target_id] = None
        case UnpinEntry():
            pins.pop(entry.target_id, None)
        case PruneEntry():
            prunes.update((item.target_id, entry.id) for item in entry.items)
        case _:
            pass


def _item(node: Node, pins: Mapping[str, None], prunes: Mapping[str, str], lookup: Lookup) -> Item:
    prune_id = prunes.get(node.id)
    if prune_id is None or node.role != "tool_result" or node.id in pins:
        return Verbatim(node.id)
    digest = _digest(lookup(prune_id), node.id)
    return Verbatim(node.id) if digest is None else Digested(node.id, digest)


def _digest(prune: Entry, entry_id: str) -> str | None:
    """What a prune shows in place of an output; the last word counts, as it does between prunes."""
    items = prune.items if isinstance(prune, PruneEntry) else ()
    return next((item.digest for item in reversed(items) if item.target_id == entry_id), None)


def _pair(cut: Cut, path: Sequence[Node], index: Mapping[str, int], pins: Mapping[str, None]) -> SummaryPair:
    covered = sorted(
        (place, entry_id)
        for entry_id in pins
        if (place := index.get(entry_id, cut.start)) < cut.start
        and path[place].type in CONTENT_TYPES
        and not (cut.turn and cut.turn.prompt_id == entry_id)
    )
    return SummaryPair(cut.compaction.id, tuple(entry_id for _, entry_id in covered))
