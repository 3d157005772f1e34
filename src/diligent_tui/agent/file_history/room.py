"""Keeps a history within its limit: the oldest turns and restores are given up first, and it is written down."""

from dataclasses import dataclass

from diligent_tui.agent.file_history.blobs import Blobs
from diligent_tui.agent.file_history.index import Index
from diligent_tui.agent.file_history.past import Past, read_past
from diligent_tui.agent.file_history.records import DroppedLine
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.times import Clock, to_stamp


@dataclass(frozen=True, slots=True)
class InUse:
    """What must not be given up now."""

    turn_ids: frozenset[str] = frozenset()
    digests: frozenset[str] = frozenset()


def make_room(index: Index, blobs: Blobs, size_bytes: int, limit_bytes: int, in_use: InUse, clock: Clock) -> None:
    """Give up as much as is needed for so many bytes more, but nothing that is in use; StorageError if too much."""
    if blobs.total_bytes + size_bytes <= limit_bytes:
        return
    past = read_past(index.lines())
    turns: list[str] = []
    restores: list[int] = []
    units = _oldest_first(past, in_use.turn_ids)
    while blobs.size_of(needed := past.digests(turns, restores) | in_use.digests) + size_bytes > limit_bytes:
        if not units:
            raise StorageError(
                f"this would need more than the {limit_bytes // 1_000_000:,} MB of a session's file history.",
                "Work on fewer large files at once.",
            )
        unit = units.pop(0)
        if isinstance(unit, str):
            turns.append(unit)
        else:
            restores.append(unit)
    if turns or restores:
        stamp = to_stamp(clock())
        index.append(
            lambda number: DroppedLine(number=number, timestamp=stamp, turn_ids=tuple(turns), restores=tuple(restores))
        )
    blobs.keep_only(needed)


def _oldest_first(past: Past, busy_turns: frozenset[str]) -> list[str | int]:
    """Turns by their ids and restores by their numbers."""
    born: dict[str | int, int] = {}
    for change in past.changes:
        if change.turn_id not in past.dropped_turns | busy_turns:
            born.setdefault(change.turn_id, change.number)
    for restore in past.restores:
        if restore.number not in past.dropped_restores:
            born[restore.number] = restore.number
    return sorted(born, key=lambda unit: born[unit])
