"""One session's file: read leniently, appended by one writer, decoded entry by entry on demand."""

import asyncio
import os
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from diligent_tui.domain.entries import Entry, LeafEntry, MessageEntry, PartialEntry, SessionHeader, encode_entry
from diligent_tui.domain.errors import SessionReadOnly, StorageError
from diligent_tui.domain.ids import new_entry_id
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.records import to_json_object
from diligent_tui.session.decoded import DecodedEntries
from diligent_tui.session.reading import (
    UNREADABLE_VERSION,
    Place,
    SessionContent,
    find_header,
    is_foreign,
    read_entry,
    read_session,
    take_side_note,
)
from diligent_tui.session.tree import Tree, node_of
from diligent_tui.storage.appender import Appender
from diligent_tui.storage.jsonl import encode_line, open_reading
from diligent_tui.storage.lock import FileLock
from diligent_tui.storage.private import make_private_folder, storage_error, sync_folder
from diligent_tui.storage.project import make_project_folder

MadeFolder = Callable[[Path], None]
FailureTold = Callable[[StorageError], None]


class SessionStore:
    """A session on disk. A new one touches nothing until its first entry."""

    def __init__(self, path: Path, content: SessionContent, *, is_new: bool, read_only_because: str = "") -> None:
        """Use `create` or `open`."""
        self.path = path
        self.content = content
        self.read_only_because = read_only_because
        self.tell_failure: FailureTold = lambda _: None
        """Told once when pieces that nobody waits for begin to fail; they are tried again with what follows."""
        self._is_new = is_new
        self._is_closed = False
        self._readying = asyncio.Lock()
        self._made_folder: MadeFolder = lambda _: None
        self._lock = FileLock(folder_of(path) / "lock")
        self._holds_lock = False
        self._appender = Appender(path, self._note_failure)
        self._reader: int | None = None
        self._let_go: Callable[[], object] = lambda: None
        self._decoded = DecodedEntries()

    @classmethod
    def create(cls, folder: Path, header: SessionHeader, made_folder: MadeFolder = lambda _: None) -> "SessionStore":
        """A session that is not on disk yet; `made_folder` is told if a `.diligent` has to be made for it."""
        store = cls(folder / f"{header.id}.jsonl", SessionContent(header), is_new=True)
        store._made_folder = made_folder
        return store

    @classmethod
    def open(cls, path: Path, *, for_writing: bool = True) -> "SessionStore":
        """A session that is there; for writing its lock is taken, and SessionLocked says who holds it.

        One of another version is opened for reading, whatever was asked for, and nothing of it is touched.
        """
        descriptor = open_reading(path)
        lock = FileLock(folder_of(path) / "lock")
        try:
            locks = for_writing and not is_foreign(find_header(descriptor))
            if locks:
                make_private_folder(path.parent.parent)
                make_private_folder(path.parent)
                lock.take()
            content = read_session(descriptor, path)
        except (StorageError, OSError) as error:
            lock.free()
            os.close(descriptor)
            raise error if isinstance(error, StorageError) else storage_error(error, path, "reading") from error
        store = cls(path, content, is_new=False, read_only_because=_why_read_only(content, for_writing=for_writing))
        store._read_from(descriptor)
        store._lock, store._holds_lock = lock, locks
        return store

    @property
    def tree(self) -> Tree:
        """The tree of the session's entries."""
        return self.content.tree

    @property
    def spill_folder(self) -> Path:
        """Where outputs too large for a line are kept whole."""
        return folder_of(self.path)

    def entry(self, entry_id: str) -> Entry:
        """The entry of that id, decoded; KeyError if the session has none."""
        if (entry := self._decoded.get(entry_id)) is None:
            entry = self.read(entry_id)
            self._remember(entry)
        return entry

    def read(self, entry_id: str) -> Entry:
        """The entry as the file has it, remembered nowhere: for a thread that reads very many."""
        if entry_id not in self.tree.nodes:
            raise KeyError(entry_id)
        return read_entry(self._reading(), self.content, entry_id)

    def entries(self) -> Iterator[Entry]:
        """Every entry in the order of the file."""
        return (self.entry(entry_id) for entry_id in self.tree.nodes)

    def new_id(self) -> str:
        """An id that nothing in this session has yet."""
        return new_entry_id(self.tree.nodes)

    async def append(self, entry: Entry) -> None:
        """Write an entry; returns once it is on disk. The tree has it from then on, and not before."""
        self._check_writable()
        await self._get_ready()
        if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
            # The answer replaces its pieces; those that are not written yet would only take space from it.
            self._appender.drop_soon()
        await self._write(entry)
        self.tree.add(node_of(entry))
        take_side_note(self.content, entry)
        self._remember(entry)

    def append_partial(self, entry: PartialEntry) -> None:
        """Write a piece of a streaming answer without waiting for the disk; only after `append`."""
        self._check_writable()
        self._appender.append_soon(encode_line(encode_entry(entry)))

    async def settle(self) -> None:
        """Give answers that a crash cut off a line of their own, so that their pieces are needed no more."""
        if not self.read_only_because:
            await self._get_ready()

    async def close(self) -> None:
        """Write what waits, free the lock, let go of the file."""
        self._is_closed = True
        await self._appender.close()
        if self._holds_lock:
            self._lock.free()
            self._holds_lock = False
        self._let_go()
        self._reader = None

    def _note_failure(self, error: StorageError) -> None:
        self.tell_failure(error)

    def _check_writable(self) -> None:
        if self.read_only_because:
            raise SessionReadOnly(f"This session cannot be continued in place: {self.read_only_because}.")
        if self._is_closed:
            raise StorageError("This session is closed already.", "Open it again to go on.")

    async def _get_ready(self) -> None:
        if self._is_new or self.content.unsaved:
            async with self._readying:
                if self._is_new:
                    await self._begin()
                if self.content.unsaved:
                    await self._settle()

    async def _begin(self) -> None:
        project_folder = self.path.parent.parent
        if make_project_folder(project_folder):
            self._made_folder(project_folder)
        make_private_folder(self.path.parent)
        # Also for folders that are there: who made them may have been killed before their names were durable.
        sync_folder(project_folder.parent)
        sync_folder(project_folder)
        if not self._holds_lock:
            self._lock.take()
            self._holds_lock = True
        await self._appender.append(encode_line(to_json_object(self.content.header)))
        self._is_new = False

    async def _settle(self) -> None:
        answers = list(self.content.unsaved.values())
        stays = self._staying(answers[-1], self.tree.leaf_id)
        await asyncio.gather(*(self._write(entry) for entry in [*answers, *stays]))
        for entry in stays:
            self.tree.add(node_of(entry))
        self.content.unsaved.clear()

    def _staying(self, last: Entry, leaf: str | None) -> list[Entry]:
        """What keeps the leaf where it is: a reader takes the last line for the leaf unless it is told better."""
        if last.id == leaf:
            return []
        return [LeafEntry(id=self.new_id(), parent_id=leaf, timestamp=last.timestamp, target_id=leaf)]

    async def _write(self, entry: Entry) -> None:
        line = encode_line(encode_entry(entry))
        offset = await self._appender.append(line)
        self.content.places[entry.id] = Place(offset, len(line) - 1)

    def _remember(self, entry: Entry) -> None:
        place = self.content.places.get(entry.id)
        self._decoded.keep(entry, place.size if place else 0)

    def _reading(self) -> int:
        return self._read_from(open_reading(self.path)) if self._reader is None else self._reader

    def _read_from(self, descriptor: int) -> int:
        # A store that is dropped without being closed, as by a list that looks into many, must not keep the file open.
        self._let_go = weakref.finalize(self, os.close, descriptor)
        self._reader = descriptor
        return descriptor


def _why_read_only(content: SessionContent, *, for_writing: bool) -> str:
    if is_foreign(content.header):
        version = content.header.version
        named = "unknown" if version == UNREADABLE_VERSION else version
        return f"it was written by another version of diligent (file version {named})"
    return "" if for_writing else "it was opened for reading"


def folder_of(path: Path) -> Path:
    """The folder beside a session's file: long outputs, images, file history and the lock."""
    return path.with_suffix("")
