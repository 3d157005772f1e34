"""The compactions of a path and their versions: which one holds, what undo and redo would aim at. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.compaction.views import Version, VersionState
from diligent_tui.domain.entries import CompactionEntry, CompactionRevertEntry, Entry
from diligent_tui.session.effective import Effective, Item, Lookup, chains_among, effective, find_cut, undone_among
from diligent_tui.session.tree import Node, node_of

NOT_SAVED_ID = "not-saved"
"""The id of an entry that is only tried out."""


def lenses_on(path: Sequence[Node], lookup: Lookup) -> list[Entry]:
    """Compactions and their reverts, oldest first."""
    return [lookup(node.id) for node in path if node.type in ("compaction", "compaction_revert")]


def versions_of(path: Sequence[Node], lookup: Lookup) -> tuple[Version, ...]:
    """Every compaction of a path, oldest first."""
    lenses = lenses_on(path, lookup)
    chain_of, undone = chains_among(lenses), undone_among(lenses)
    cut = find_cut(path, {node.id: place for place, node in enumerate(path)}, lenses)
    active_id = cut.compaction.id if cut else ""
    numbers: dict[str, int] = {}
    revisions: Counter[str] = Counter()
    versions: list[Version] = []
    for entry in lenses:
        if not isinstance(entry, CompactionEntry):
            continue
        chain = chain_of[entry.id]
        numbers.setdefault(chain, len(numbers) + 1)
        revisions[chain] += 1
        state = _state(entry.id, active_id, chain_of, undone)
        versions.append(Version(entry, numbers[chain], revisions[chain], chain, state))
    return tuple(versions)


def _state(entry_id: str, active_id: str, chain_of: dict[str, str], undone: set[str]) -> VersionState:
    if entry_id == active_id:
        return "active"
    if entry_id in undone:
        return "undone"
    chain = chain_of[entry_id]
    later = [other for other in chain_of if chain_of[other] == chain and other not in undone]
    return "superseded" if later and later[-1] != entry_id else "covered"


def redo_target(lenses: Sequence[Entry]) -> CompactionRevertEntry | None:
    """The undo that redo would take back: the last one that still stands, if nothing was compacted since."""
    standing: dict[str, CompactionRevertEntry] = {}
    chain_of = chains_among(lenses)
    for entry in lenses:
        match entry:
            case CompactionEntry():
                standing.clear()
            case CompactionRevertEntry() if entry.target_id in chain_of:
                standing[entry.id] = entry
            case CompactionRevertEntry():
                standing.pop(entry.target_id, None)
            case _:
                pass
    return next(reversed(standing.values()), None)


def tried_out(path: Sequence[Node], lookup: Lookup, entry: Entry) -> Effective:
    """The effective sequence as it would be with one more entry, which nobody has saved."""
    entry = entry.model_copy(update={"id": NOT_SAVED_ID})
    return effective([*path, node_of(entry)], lambda entry_id: entry if entry_id == NOT_SAVED_ID else lookup(entry_id))


@dataclass(frozen=True, slots=True)
class Past:
    """What stood before a compaction: the sequence it was made for, and how much of it the compaction covers."""

    items: tuple[Item, ...]
    path: tuple[Node, ...]


def before_compaction(path: Sequence[Node], lookup: Lookup, compaction_id: str) -> Past:
    """The sequence that a compaction, or the first version of it, was made for."""
    chain_of = chains_among(lenses_on(path, lookup))
    first = chain_of.get(compaction_id, compaction_id)
    place = next((place for place, node in enumerate(path) if node.id == first), len(path))
    earlier = tuple(path[:place])
    return Past(effective(earlier, lookup).items, earlier)
