"""Carries a plan out: keeps what it finds, writes down what it is about to do, then puts file after file."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.agent.file_history.blobs import Blobs
from diligent_tui.agent.file_history.index import Index
from diligent_tui.agent.file_history.past import Past, saved_of
from diligent_tui.agent.file_history.places import Place
from diligent_tui.agent.file_history.planning import FilePlan, PlaceNamed, Plan
from diligent_tui.agent.file_history.putting import Putting, clear_aside, folder_modes, put_file
from diligent_tui.agent.file_history.receipts import Receipt
from diligent_tui.agent.file_history.records import RestoredFile, RestoredLine, RestoreLine
from diligent_tui.agent.file_history.room import InUse
from diligent_tui.agent.file_history.states import FileState, Seen
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.progress import Tell, part_of
from diligent_tui.domain.times import Clock, to_stamp

CHANGED = "It was changed while you looked."


@dataclass(frozen=True, slots=True)
class Restoring:
    """What carrying a plan out needs."""

    index: Index
    blobs: Blobs
    keep: Callable[[Place, InUse], Seen]
    """Keeps the bytes of a file that would be replaced, and says in which state it was."""
    clock: Clock

    def run(self, plan: Plan, also: frozenset[str], tell: Tell) -> Receipt:
        """Do it; raises StorageError before anything is changed if not all bytes are there."""
        is_undo = plan.undoes is not None
        wanted = [file for file in plan.files if file.is_ready or _is_wanted(file, also)]
        left_alone = [
            (file.place.shown, file.refusal or file.conflict)
            for file in plan.files
            if file not in wanted and (file.refusal or file.action != "nothing")
        ]
        needed = {file.put.digest for file in wanted if file.put.digest not in ("", file.now.digest)}
        verifying, keeping, putting = (part_of(tell, number, 3) for number in range(3))
        for number, digest in enumerate(needed):
            verifying(number, len(needed))
            self.blobs.verify(digest)
        found: list[tuple[FilePlan, FileState]] = []
        for number, file in enumerate(wanted):
            keeping(number, len(wanted))
            seen = self.keep(file.place, InUse(frozenset(plan.turn_ids), frozenset(needed)))
            if isinstance(seen, FileState) and seen == file.now and seen.links == 1:
                found.append((file, seen))
                needed.add(seen.digest)
            else:
                left_alone.append((file.place.shown, CHANGED))
        if not found:
            return Receipt(left_alone=tuple(left_alone), is_undo=is_undo)
        restore = self._announce(plan, found)
        done, failed = self._put_all(restore, found, putting)
        stamp = to_stamp(self.clock())
        names = tuple(name for name, _ in failed)
        # All is done and can be undone; that it came to its end is only said to spare the next look a search.
        with contextlib.suppress(StorageError):
            self.index.append(lambda fresh: RestoredLine(number=fresh, timestamp=stamp, restore=restore, failed=names))
        return Receipt(tuple(done), tuple(left_alone), tuple(failed), is_undo)

    def _announce(self, plan: Plan, found: list[tuple[FilePlan, FileState]]) -> int:
        stamp = to_stamp(self.clock())
        files = tuple(
            RestoredFile(
                path=file.name,
                found=saved_of(state),
                put=saved_of(file.put),
                folder_modes=folder_modes(file.place, file.put.missing_folders) if file.put.is_absent else (),
            )
            for file, state in found
        )
        [line] = self.index.append(
            lambda number: RestoreLine(
                number=number, timestamp=stamp, turn_ids=plan.turn_ids, undoes=plan.undoes, files=files
            )
        )
        return line.number

    def _put_all(
        self, restore: int, found: list[tuple[FilePlan, FileState]], tell: Tell
    ) -> tuple[list[str], list[tuple[str, str]]]:
        done: list[str] = []
        failed: list[tuple[str, str]] = []
        for place, (file, state) in enumerate(found):
            tell(place, len(found))
            task = Putting(file.place, state, file.put, aside_name(restore, place), file.folder_modes)
            try:
                put_file(task, self.blobs)
            except StorageError as error:
                failed.append((file.place.shown, error.message))
            except OSError as error:
                why = os.strerror(error.errno) if error.errno else str(error)
                failed.append((file.place.shown, f"{why}."))
            else:
                done.append(file.place.shown)
        return done, failed


def aside_name(restore: int, place: int) -> str:
    """The name under which a restore writes a file before it takes its place."""
    return f".diligent-restore-{restore}-{place}"


def clear_cut_short(past: Past, place_named: PlaceNamed) -> None:
    """Take away what a kill in the middle of the last restore left beside the files."""
    if past.restores and not (last := past.restores[-1]).is_finished:
        for number, file in enumerate(last.files):
            if place := place_named(file.name):
                clear_aside(place, aside_name(last.number, number))


def _is_wanted(file: FilePlan, also: frozenset[str]) -> bool:
    return file.name in also and not file.refusal and file.action != "nothing"
