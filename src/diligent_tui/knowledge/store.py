"""One knowledge file: appended to by any number of processes, read back whatever was done to it.

What a verb writes is written in a turn of its own: lock, read the newest state, judge, append, sync. So a verb judges
what is really there, and returns only when its lines are on disk. All verbs block; call them in a thread.
"""

import errno
import os
import stat
import threading
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from diligent_tui.domain.errors import KnowledgeConflict, StorageError
from diligent_tui.domain.ids import new_entry_id
from diligent_tui.domain.knowledge import (
    LONG_AGO,
    KnowledgeChange,
    KnowledgeEntry,
    KnowledgeLine,
    KnowledgeOp,
    KnowledgeScope,
    encode_knowledge,
)
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, now, to_stamp
from diligent_tui.knowledge.admission import LONGEST_SHOWN_CHARS, admit
from diligent_tui.knowledge.reading import KnowledgeReader, signature_of
from diligent_tui.knowledge.state import KnowledgeState
from diligent_tui.storage.appender import sync_data
from diligent_tui.storage.jsonl import encode_line, open_reading
from diligent_tui.storage.private import (
    PRIVATE_FOLDER,
    is_torn,
    make_private_folder,
    storage_error,
    write_all,
    write_private,
)
from diligent_tui.storage.project import make_project_folder
from diligent_tui.storage.turnstile import is_still, taking_turn

MOST_TRIES = 20
"""How often in a row a file may be replaced under a writer before that is no accident."""
GIT_ATTRIBUTES = (
    b"# Lines of both sides are kept when branches meet; their order does not matter.\n*.jsonl merge=union\n"
)
TICK = timedelta(milliseconds=1)
LAST_MOMENT = datetime(9999, 12, 31, tzinfo=UTC)

_Line = TypeVar("_Line", bound=KnowledgeLine)


class KnowledgeStore:
    """The knowledge of one project, or of one user; the file is made with its first line."""

    def __init__(
        self,
        path: Path,
        scope: KnowledgeScope = "project",
        *,
        clock: Clock = now,
        made_folder: Callable[[Path], None] = lambda _: None,
        around_write: Callable[[Path], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        """Name the file. `made_folder` hears of a `.diligent` that had to be made, `around_write` is held meanwhile."""
        self.path = path
        self.scope: KnowledgeScope = scope
        self._clock = clock
        self._made_folder = made_folder
        self._around_write = around_write
        self._reader = KnowledgeReader(path, scope)
        self._one_thread = threading.Lock()

    @property
    def state(self) -> KnowledgeState:
        """What was last read or written; touches no disk."""
        return self._reader.state

    def refresh(self) -> KnowledgeState:
        """Pick up what others wrote; the same object as before if nothing changed."""
        with self._one_thread:
            self._refuse_links()
            try:
                signature = signature_of(self.path.lstat())
            except (FileNotFoundError, NotADirectoryError):
                return self._reader.clear()
            except OSError as error:
                raise storage_error(error, self.path, "reading") from error
            if signature == self._reader.signature:
                return self.state
            descriptor = open_reading(self.path)
            try:
                return self._reader.read(descriptor)
            finally:
                os.close(descriptor)

    def add(self, entry: KnowledgeEntry) -> KnowledgeEntry:
        """Save a fact and return it as saved; one that names what it supersedes is judged as in `supersede`."""
        if entry.supersedes is not None:
            return self.supersede(entry.supersedes, entry)
        fit = admit(entry)
        return self._saved(lambda state: self._finished(fit, state.entries, None))

    def add_all(self, choose: Callable[[KnowledgeState], Iterable[KnowledgeEntry]]) -> tuple[KnowledgeEntry, ...]:
        """Save the facts that are chosen in view of the newest state, all at once and in one turn."""

        def compose(state: KnowledgeState) -> list[KnowledgeEntry]:
            taken = set(state.entries)
            finished: list[KnowledgeEntry] = []
            for entry in choose(state):
                finished.append(self._finished(admit(entry), taken, None))
                taken.add(finished[-1].id)
            return finished

        return tuple(self._commit(compose))

    def supersede(self, target_id: str, new: KnowledgeEntry) -> KnowledgeEntry:
        """Save a fact in place of another; KnowledgeConflict if that one is superseded or retracted already."""
        fit = admit(new)

        def compose(state: KnowledgeState) -> KnowledgeEntry:
            target = _known(state, target_id)
            if target_id in state.superseded_by:
                newest = state.newest_of(target_id)
                raise KnowledgeConflict(f"{target_id} was superseded by {newest.id} already: {_shown(newest)}", newest)
            if target_id in state.retracted:
                raise KnowledgeConflict(
                    f"{target_id} was retracted: {_shown(target)}", target, "Restore it first, or add a new entry."
                )
            return self._finished(fit, state.entries, target)

        return self._saved(compose)

    def retract(self, target_id: str) -> bool:
        """Take a fact back: it stays in the file and is never told again. False if it was taken back already."""
        return self._change("retract", target_id, lambda state: target_id not in state.retracted)

    def retract_all(self, target_ids: Iterable[str]) -> int:
        """Take facts back, all at once and in one turn; how many were not taken back already."""
        targets = dict.fromkeys(target_ids)

        def compose(state: KnowledgeState) -> list[KnowledgeChange]:
            going = [target for target in targets if _known(state, target) and target not in state.retracted]
            return [self._changing("retract", target, state) for target in going]

        return len(self._commit(compose))

    def restore(self, target_id: str) -> bool:
        """Undo a retraction, if there was one; what was superseded stays superseded."""
        return self._change("restore", target_id, lambda state: target_id in state.retracted)

    def pin(self, target_id: str) -> bool:
        """Put a fact before all that are not pinned. False if it was pinned already."""
        return self._change("pin", target_id, lambda state: target_id not in state.pinned)

    def unpin(self, target_id: str) -> bool:
        """Let a fact find its rank again, if it was pinned."""
        return self._change("unpin", target_id, lambda state: target_id in state.pinned)

    def _change(self, op: KnowledgeOp, target_id: str, is_needed: Callable[[KnowledgeState], bool]) -> bool:
        def compose(state: KnowledgeState) -> list[KnowledgeChange]:
            _known(state, target_id)
            return [self._changing(op, target_id, state)] if is_needed(state) else []

        return bool(self._commit(compose))

    def _changing(self, op: KnowledgeOp, target_id: str, state: KnowledgeState) -> KnowledgeChange:
        # Changes act by their timestamps, so this one must come last whatever the clock says.
        stamp = self._stamp_after(state.changed_at.get(target_id, LONG_AGO))
        return KnowledgeChange(op=op, id=new_entry_id(state.entries), target_id=target_id, timestamp=stamp)

    def _saved(self, compose: Callable[[KnowledgeState], KnowledgeEntry]) -> KnowledgeEntry:
        (saved,) = self._commit(lambda state: [compose(state)])
        return saved

    def _finished(
        self, entry: KnowledgeEntry, taken_ids: Container[str], target: KnowledgeEntry | None
    ) -> KnowledgeEntry:
        """The entry with all that saving gives it; an imported one keeps its id and timestamp."""
        if entry.id in taken_ids:
            raise StorageError(f"There is an entry {entry.id} already.", "Supersede it, or add yours without an id.")
        stamp = entry.timestamp or self._stamp_after(target.moment if target else LONG_AGO)
        return entry.model_copy(
            update={
                "id": entry.id or new_entry_id(taken_ids),
                "timestamp": stamp,
                "scope": self.scope,
                "supersedes": target.id if target else None,
            }
        )

    def _stamp_after(self, moment: datetime) -> str:
        return to_stamp(max(self._clock(), min(moment, LAST_MOMENT) + TICK))

    def _commit(self, compose: Callable[[KnowledgeState], Sequence[_Line]]) -> Sequence[_Line]:
        """Write the lines that are composed from the newest state, in one piece; none if none were needed."""
        written: Sequence[_Line] = ()
        with self._one_thread:
            self._make_folder()
            for _ in range(MOST_TRIES):
                with taking_turn(self.path) as descriptor, self._around_write(self.path):
                    state = self._reader.read(descriptor)
                    if written and all(line.id in state.entries for line in written):
                        return written
                    if not (lines := compose(state)):
                        return written
                    self._append(descriptor, b"".join(encode_line(encode_knowledge(line)) for line in lines))
                    self._reader.read(descriptor)
                    if is_still(self.path, descriptor):
                        return lines
                    written = lines
        raise StorageError(f"{self.path.name} is replaced over and over.", "Find out what rewrites it, then try again.")

    def _append(self, descriptor: int, lines: bytes) -> None:
        try:
            write_all(descriptor, b"\n" * is_torn(descriptor) + lines)
            sync_data(descriptor)
        except OSError as error:
            raise storage_error(error, self.path, "writing") from error

    def _make_folder(self) -> None:
        folder = self.path.parent
        if self.scope == "project" and make_project_folder(folder.parent):
            self._made_folder(folder.parent)
        make_private_folder(folder)
        try:
            if stat.S_IMODE(folder.stat().st_mode) != PRIVATE_FOLDER:
                folder.chmod(PRIVATE_FOLDER)
        except OSError as error:
            raise storage_error(error, folder, "closing to others") from error
        attributes = folder / ".gitattributes"
        if self.scope == "project" and not os.path.lexists(attributes):
            write_private(attributes, GIT_ATTRIBUTES)

    def _refuse_links(self) -> None:
        folder = self.path.parent
        for each in (folder, folder.parent) if self.scope == "project" else (folder,):
            if each.is_symlink():
                raise storage_error(OSError(errno.ELOOP, "symbolic link"), each, "reading")


def _known(state: KnowledgeState, entry_id: str) -> KnowledgeEntry:
    if (entry := state.entries.get(entry_id)) is None:
        raise StorageError(
            f"There is no knowledge entry {clean_line(entry_id, LONGEST_SHOWN_CHARS)}.",
            "Search the knowledge for the right id.",
        )
    return entry


def _shown(entry: KnowledgeEntry) -> str:
    return clean_line(entry.content, LONGEST_SHOWN_CHARS)
