"""What the lines of an index mean: the changes of each turn, the restores, and what of it cannot be trusted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from diligent_tui.agent.file_history.records import (
    DroppedLine,
    KeptLine,
    LeftLine,
    Line,
    RestoredLine,
    RestoreLine,
    SavedState,
)
from diligent_tui.agent.file_history.states import FileState
from diligent_tui.domain.times import from_stamp

ChangeKind = Literal["changed", "created", "deleted", "mode", "unknown"]


@dataclass(frozen=True, slots=True)
class Change:
    """One write of the agent: the file before, and as it left it; None if a crash came before that was noted."""

    number: int
    turn_id: str
    name: str
    at: datetime | None
    before: FileState
    left: FileState | None = None
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class PutBack:
    """One file of a restore."""

    name: str
    found: FileState
    put: FileState
    folder_modes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PastRestore:
    """A restore that was made, or begun."""

    number: int
    turn_ids: tuple[str, ...]
    undoes: int | None
    files: tuple[PutBack, ...]
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """What a turn did to one file, by the name it has in the history."""

    name: str
    kind: ChangeKind
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class TurnChanges:
    """A turn that changed files."""

    turn_id: str
    at: datetime | None
    files: tuple[ChangedFile, ...]
    problem: str = ""
    """Why the turn cannot be restored."""
    is_restored: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """All that an index tells."""

    changes: tuple[Change, ...] = ()
    restores: tuple[PastRestore, ...] = ()
    dropped_turns: frozenset[str] = frozenset()
    dropped_restores: frozenset[int] = frozenset()
    torn_turns: frozenset[str] = frozenset()
    """Turns beside which a line of the index was lost."""
    restored: frozenset[tuple[str, str]] = frozenset()
    """Turns and files that a restore put back, if that was not undone."""

    def problem_of(self, turn_id: str) -> str:
        """Why a turn cannot be restored as a whole; empty if it can."""
        if turn_id in self.dropped_turns:
            return "Its old bytes were dropped to make room for newer turns."
        if turn_id in self.torn_turns:
            return "Its history is incomplete: a line of it is damaged."
        return ""

    def turns(self) -> tuple[TurnChanges, ...]:
        """The turns that changed files, newest first."""
        by_turn: dict[str, dict[str, list[Change]]] = {}
        for change in self.changes:
            by_turn.setdefault(change.turn_id, {}).setdefault(change.name, []).append(change)
        told: list[TurnChanges] = []
        for turn_id, files in by_turn.items():
            changed = tuple(file for each in files.values() if (file := _changed_file(each)))
            if changed:
                at = next(iter(files.values()))[0].at
                is_restored = all((turn_id, file.name) in self.restored for file in changed)
                told.append(TurnChanges(turn_id, at, changed, self.problem_of(turn_id), is_restored))
        return tuple(reversed(told))

    def digests(self, without_turns: Iterable[str] = (), without_restores: Iterable[int] = ()) -> set[str]:
        """The bytes that a restore or its undo may need."""
        turns = self.dropped_turns.union(without_turns)
        restores = self.dropped_restores.union(without_restores)
        needed = {change.before.digest for change in self.changes if change.turn_id not in turns}
        needed |= {file.found.digest for each in self.restores if each.number not in restores for file in each.files}
        return needed


def state_of(saved: SavedState) -> FileState:
    """A state as it was written."""
    return FileState(saved.digest, saved.mode, saved.size_bytes, missing_folders=saved.missing_folders)


def saved_of(state: FileState) -> SavedState:
    """A state as it is written."""
    return SavedState(
        digest=state.digest, mode=state.mode, size_bytes=state.size_bytes, missing_folders=state.missing_folders
    )


def read_past(lines: Sequence[Line]) -> Past:
    """Put the lines together."""
    changes: dict[int, Change] = {}
    restores: dict[int, PastRestore] = {}
    dropped_turns: set[str] = set()
    dropped_restores: set[int] = set()
    for line in lines:
        match line:
            case KeptLine():
                changes[line.number] = Change(
                    line.number, line.turn_id, line.path, from_stamp(line.timestamp), state_of(line.before)
                )
            case LeftLine():
                if (change := changes.get(line.change)) and change.name == line.path:
                    left = state_of(line.after)
                    changes[line.change] = replace(change, left=left, added=line.added, removed=line.removed)
            case RestoreLine():
                files = tuple(
                    PutBack(file.path, state_of(file.found), state_of(file.put), file.folder_modes)
                    for file in line.files
                )
                restores[line.number] = PastRestore(line.number, line.turn_ids, line.undoes, files)
            case RestoredLine():
                if restore := restores.get(line.restore):
                    restores[line.restore] = replace(restore, is_finished=True)
            case DroppedLine():
                dropped_turns.update(line.turn_ids)
                dropped_restores.update(line.restores)
            case _:
                pass
    return Past(
        tuple(changes.values()),
        tuple(restores.values()),
        frozenset(dropped_turns),
        frozenset(dropped_restores),
        _torn_turns(lines),
        _restored(restores.values()),
    )


def _torn_turns(lines: Sequence[Line]) -> frozenset[str]:
    """A lost line belonged to the turn before the hole or to the one behind it."""
    torn: set[str] = set()
    for place, line in enumerate(lines):
        beside = lines[max(0, place - 1) : place + 1]
        if line.number != (beside[0].number + 1 if place else 1):
            torn.update(each.turn_id for each in beside if isinstance(each, KeptLine | LeftLine))
    return frozenset(torn)


def _restored(restores: Iterable[PastRestore]) -> frozenset[tuple[str, str]]:
    restored: set[tuple[str, str]] = set()
    undone: set[int] = set()
    by_number = {restore.number: restore for restore in restores}
    for restore in by_number.values():
        is_again = False
        target = restore
        while target.undoes is not None and target.undoes in by_number and target.undoes < target.number:
            target = by_number[target.undoes]
            is_again = not is_again
        if is_again:
            undone.add(target.number)
        else:
            undone.discard(target.number)
    for restore in by_number.values():
        if restore.undoes is None and restore.number not in undone:
            restored.update((turn_id, file.name) for turn_id in restore.turn_ids for file in restore.files)
    return frozenset(restored)


def _changed_file(changes: Sequence[Change]) -> ChangedFile | None:
    first, last = changes[0].before, changes[-1].left
    name, added, removed = changes[0].name, changes[-1].added, changes[-1].removed
    if last is None:
        return ChangedFile(name, "unknown", None, None)
    if first == last:
        return None
    if first.is_absent:
        return ChangedFile(name, "created", added, removed)
    if last.is_absent:
        return ChangedFile(name, "deleted", added, removed)
    return ChangedFile(name, "mode" if first.digest == last.digest else "changed", added, removed)
