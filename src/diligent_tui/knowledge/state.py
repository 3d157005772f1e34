"""What the lines of a knowledge file mean together; the order of lines decides nothing, so that git may merge them.

- Of two entries with one id the earlier counts, by timestamp and then by what it says.
- A superseded entry never comes back, not even when what superseded it is retracted or when its own line comes later.
  Where two branches superseded the same entry, both successors stand.
- Where entries supersede each other in a ring, the newest of the ring stands.
- Changes to an entry act in the order of their timestamps, then ids; the last word on retracting and the last word on
  pinning count. They wait for an entry whose line is not there yet.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from diligent_tui.domain.knowledge import KnowledgeChange, KnowledgeEntry, KnowledgeLine, KnowledgeOp

_NO_ENTRIES: Mapping[str, KnowledgeEntry] = MappingProxyType({})
_NO_SUCCESSORS: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_NO_MOMENTS: Mapping[str, datetime] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class KnowledgeState:
    """All entries in the order of their lines, and what became of each."""

    entries: Mapping[str, KnowledgeEntry] = field(default_factory=lambda: _NO_ENTRIES)
    superseded_by: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_SUCCESSORS)
    """Successors of each superseded entry, oldest first; more than one only after a merge."""
    retracted: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    changed_at: Mapping[str, datetime] = field(default_factory=lambda: _NO_MOMENTS)
    """The newest change to each entry that was ever changed."""
    newest_moment: datetime | None = None
    """The newest timestamp of all lines: the 'now' of ranking, so that equal files rank equally on any day."""
    damaged: int = 0
    """Lines that mean nothing; they stay in the file."""

    @property
    def live(self) -> tuple[KnowledgeEntry, ...]:
        """The entries that hold, in the order of their lines."""
        return tuple(entry for entry in self.entries.values() if self.is_live(entry.id))

    def is_live(self, entry_id: str) -> bool:
        """Whether an entry is there, not superseded and not retracted."""
        return entry_id in self.entries and entry_id not in self.superseded_by and entry_id not in self.retracted

    def newest_of(self, entry_id: str) -> KnowledgeEntry:
        """The entry at the end of a chain, a live one where the chain has parted; KeyError for an unknown id."""
        chain = self.history(entry_id)
        ends = [entry for entry in chain if entry.id not in self.superseded_by] or [*chain]
        return next((entry for entry in reversed(ends) if self.is_live(entry.id)), ends[-1])

    def history(self, entry_id: str) -> tuple[KnowledgeEntry, ...]:
        """An entry with all it superseded and all that superseded it, oldest first; KeyError for an unknown id."""
        first = self.entries[entry_id]
        before = [first]
        seen = {first.id}
        while (target := self.entries.get(before[-1].supersedes or "")) and target.id not in seen:
            before.append(target)
            seen.add(target.id)
        chain = before[::-1]
        waiting = [entry_id]
        while waiting:
            for successor in self.superseded_by.get(waiting.pop(0), ()):
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)
                    chain.append(self.entries[successor])
        return tuple(chain)


def fold(lines: Iterable[KnowledgeLine], damaged: int = 0) -> KnowledgeState:
    """The state that lines in any order add up to."""
    entries: dict[str, KnowledgeEntry] = {}
    changes: list[KnowledgeChange] = []
    newest: datetime | None = None
    for line in lines:
        newest = line.moment if newest is None else max(newest, line.moment)
        match line:
            case KnowledgeEntry():
                known = entries.get(line.id)
                entries[line.id] = line if known is None else min(known, line, key=_age_order)
            case KnowledgeChange():
                changes.append(line)
    last_words: dict[tuple[str, bool], KnowledgeOp] = {}
    changed_at: dict[str, datetime] = {}
    for change in sorted(changes, key=lambda each: (each.moment, each.id, each.op)):
        last_words[change.target_id, change.op in ("pin", "unpin")] = change.op
        changed_at[change.target_id] = change.moment
    return KnowledgeState(
        entries=MappingProxyType(entries),
        superseded_by=MappingProxyType(_successors(entries)),
        retracted=frozenset(target for (target, _), op in last_words.items() if op == "retract"),
        pinned=frozenset(
            entry.id
            for entry in entries.values()
            if last_words.get((entry.id, True), "pin" if entry.pinned else "unpin") == "pin"
        ),
        changed_at=MappingProxyType(changed_at),
        newest_moment=newest,
        damaged=damaged,
    )


def _age_order(entry: KnowledgeEntry) -> tuple[datetime, str, str]:
    return entry.moment, entry.id, entry.model_dump_json()


def _successors(entries: Mapping[str, KnowledgeEntry]) -> dict[str, tuple[str, ...]]:
    by_target: dict[str, list[KnowledgeEntry]] = {}
    for entry in entries.values():
        if entry.supersedes is not None:
            by_target.setdefault(entry.supersedes, []).append(entry)
    for ring in _rings(entries):
        newest = max(ring, key=_age_order)
        by_target[newest.id] = [entry for entry in by_target[newest.id] if entry not in ring]
    return {
        target: tuple(entry.id for entry in sorted(successors, key=_age_order))
        for target, successors in by_target.items()
        if successors
    }


def _rings(entries: Mapping[str, KnowledgeEntry]) -> list[list[KnowledgeEntry]]:
    """Entries that supersede each other in a circle; each supersedes one at most, so circles never touch."""
    rings: list[list[KnowledgeEntry]] = []
    seen: set[str] = set()
    for start in entries.values():
        way: dict[str, KnowledgeEntry] = {}
        entry: KnowledgeEntry | None = start
        while entry is not None and entry.id not in seen:
            seen.add(entry.id)
            way[entry.id] = entry
            entry = entries.get(entry.supersedes or "")
        if entry is not None and entry.id in way:
            walked = list(way)
            rings.append([way[each] for each in walked[walked.index(entry.id) :]])
    return rings
