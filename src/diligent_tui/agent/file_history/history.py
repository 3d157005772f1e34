"""The file history of one session: keeps files before the agent changes them, and puts them back.

Everything lies under `sessions/<id>/before/`: old bytes under their digest, and an index that is only appended to. All
verbs block, so they are called in a thread. A history holds at most `limit_bytes`: beyond it the oldest turns are given
up, and said to be so; if the turn at work alone needs more, the write itself is refused, so nothing is ever changed
that was not kept.
"""

import os
import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.agent.file_history.blobs import Blobs
from diligent_tui.agent.file_history.diffs import LARGEST_BYTES, Difference, compare, count_lines
from diligent_tui.agent.file_history.index import Compose, Index
from diligent_tui.agent.file_history.past import Past, TurnChanges, read_past, saved_of
from diligent_tui.agent.file_history.places import Place, place_named, place_of
from diligent_tui.agent.file_history.planning import FilePlan, Plan, plan_turns, plan_undo, without_missing
from diligent_tui.agent.file_history.receipts import Receipt
from diligent_tui.agent.file_history.records import KeptLine, LeftLine
from diligent_tui.agent.file_history.restoring import Restoring, clear_cut_short
from diligent_tui.agent.file_history.room import InUse, make_room
from diligent_tui.agent.file_history.states import FileState, Seen, Unsafe, look
from diligent_tui.domain.errors import StorageError, ToolError, UsageError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.domain.times import Clock, now, to_stamp

LIMIT_BYTES = 500_000_000
LARGEST_FILE_BYTES = 200_000_000
"""What is kept of a file and what a restore finds in its place must fit into the limit together."""
MOST_TRIES = 5
"""How often a file may change under our eyes before that is no accident."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A change whose outcome has not been noted yet."""

    number: int
    turn_id: str
    place: Place


class FileHistory:
    """Thread-safe; there is one for each session that is open for writing."""

    def __init__(
        self,
        folder: Path,
        root: Path,
        *,
        clock: Clock = now,
        limit_bytes: int = LIMIT_BYTES,
        largest_file_bytes: int = LARGEST_FILE_BYTES,
    ) -> None:
        """Name the folder, made with the first file that is kept, and the project below which names are short."""
        self._folder = folder
        self._root = Path(os.path.realpath(root))
        self._clock = clock
        self._limit_bytes = limit_bytes
        self._largest_file_bytes = largest_file_bytes
        self._index = Index(folder / "index.jsonl")
        self._blobs = Blobs(folder / "bytes")
        self._open: dict[str, _Open] = {}
        self._first: dict[tuple[str, str], FileState] = {}
        self._lock = threading.RLock()
        self._is_cleared = False

    def keep(self, turn_id: str, entry_id: str, path: Path) -> None:
        """Keep a file as it is, right before a call of this turn changes it; ToolError if that cannot be done."""
        place = place_of(path, self._root)
        shown = clean_line(place.shown)
        if place.path.is_relative_to(os.path.realpath(self._folder)):
            raise ToolError(f"{shown} is part of the file history, which is not edited.")
        with self._lock:
            try:
                self._settle([each for each in self._open.values() if each.place.name == place.name])
                before = self._kept(place, InUse(frozenset({turn_id})))
                if isinstance(before, Unsafe):
                    raise ToolError(f"{shown} was not changed: it {before.what}.")
                stamp = to_stamp(self._clock())
                saved = saved_of(before)
                [line] = self._index.append(
                    lambda number: KeptLine(
                        number=number,
                        timestamp=stamp,
                        turn_id=turn_id,
                        entry_id=entry_id,
                        path=place.name,
                        before=saved,
                    )
                )
            except StorageError as error:
                raise ToolError(
                    f"{shown} was not changed, for its old bytes could not be kept: {error.message}", error.advice
                ) from error
            self._open[place.name] = _Open(line.number, turn_id, place)
            self._first.setdefault((turn_id, place.name), before)

    def close_turn(self, turn_id: str) -> None:
        """Note how the agent left its files, so that later edits by others can be told apart.

        Called after each call that may have written, and again at the turn's end; it costs nothing if nothing was.
        What cannot be noted is later shown as uncertain.
        """
        with self._lock:
            self._settle([each for each in self._open.values() if each.turn_id == turn_id])

    def turns(self) -> tuple[TurnChanges, ...]:
        """The turns that changed files, newest first."""
        with self._lock:
            return self._past().turns()

    @property
    def damaged_lines(self) -> int:
        """How many lines of the index could not be read."""
        return self._index.damaged_lines

    def plan_restore(
        self, turn_ids: Collection[str], names: Collection[str] | None = None, tell: Tell = tell_nobody
    ) -> Plan:
        """What would happen if these turns were taken back, for all files or for the named ones; touches nothing."""
        with self._lock:
            plan = plan_turns(self._past(), turn_ids, names, self._place, self._look, tell)
            return without_missing(plan, self._blobs.has)

    def plan_undo(self, tell: Tell = tell_nobody) -> Plan | None:
        """What would happen if the last restore were taken back; None if there was none. Its own undo is the redo."""
        with self._lock:
            past = self._past()
            if not past.restores:
                return None
            plan = plan_undo(past, past.restores[-1], self._place, self._look, tell)
            return without_missing(plan, self._blobs.has)

    def shown(self, name: str) -> str:
        """A file of the history as people know it, not yet cleaned."""
        place = self._place(name)
        return place.shown if place else name

    def difference(self, file: FilePlan) -> Difference:
        """What a restore would change in a file."""
        try:
            if file.put.size_bytes > LARGEST_BYTES or file.now.size_bytes > LARGEST_BYTES:
                return Difference(note=f"Too large to be shown: {file.put.size_bytes:,} bytes would be put there.")
            old = None if file.now.is_absent else file.place.path.read_bytes()
            new = old if file.action == "mode" else self._bytes(file.put)
        except (OSError, StorageError):
            return Difference(note="It cannot be read.")
        return compare(old, new, file.place.shown)

    def restore(self, plan: Plan, also: Collection[str] = (), tell: Tell = tell_nobody) -> Receipt:
        """Do what was planned, and to the files named in `also` in spite of a conflict; what is found is kept first."""
        if plan.problem:
            raise StorageError(plan.problem, "Single files of it may still be restored.")
        with self._lock:
            past = self._past()
            if plan.undoes is not None and plan.undoes not in [each.number for each in past.restores[-1:]]:
                raise UsageError("Another restore was made since.", "Look at the preview again.")
            self._settle(list(self._open.values()))
            restoring = Restoring(self._index, self._blobs, self._kept, self._clock)
            return restoring.run(plan, frozenset(also), tell)

    def _past(self) -> Past:
        past = read_past(self._index.lines())
        if not self._is_cleared:
            self._is_cleared = True
            clear_cut_short(past, self._place)
        return past

    def _place(self, name: str) -> Place | None:
        return place_named(name, self._root)

    def _look(self, place: Place) -> Seen:
        return look(place, self._largest_file_bytes)

    def _kept(self, place: Place, in_use: InUse) -> Seen:
        """What stands there now, its bytes safely kept."""
        for _ in range(MOST_TRIES):
            state = self._look(place)
            if isinstance(state, Unsafe) or state.is_absent or self._blobs.has(state.digest):
                return state
            make_room(self._index, self._blobs, state.size_bytes, self._limit_bytes, in_use, self._clock)
            if self._blobs.add(place, state.digest):
                return state
        return Unsafe("is being changed by another program at this moment")

    def _settle(self, changes: list[_Open]) -> None:
        composers: list[Compose] = []
        for change in changes:
            state = self._look(change.place)
            del self._open[change.place.name]
            if isinstance(state, FileState):
                composers.append(self._left(change, state))
        if composers:
            self._index.append(*composers)

    def _left(self, change: _Open, state: FileState) -> Compose:
        counts = self._counts(self._first.get((change.turn_id, change.place.name)), change.place, state)
        stamp = to_stamp(self._clock())

        def compose(number: int) -> LeftLine:
            return LeftLine(
                number=number,
                timestamp=stamp,
                turn_id=change.turn_id,
                change=change.number,
                path=change.place.name,
                after=saved_of(state),
                added=counts[0] if counts else None,
                removed=counts[1] if counts else None,
            )

        return compose

    def _counts(self, first: FileState | None, place: Place, state: FileState) -> tuple[int, int] | None:
        if first is None or max(first.size_bytes, state.size_bytes) > LARGEST_BYTES:
            return None
        try:
            after = b"" if state.is_absent else place.path.read_bytes()
            return count_lines(self._bytes(first) or b"", after)
        except (OSError, StorageError):
            return None

    def _bytes(self, state: FileState) -> bytes | None:
        return None if state.is_absent else b"".join(self._blobs.chunks(state.digest))
