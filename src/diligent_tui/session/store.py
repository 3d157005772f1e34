"""One session's file: read leniently, appended by one writer, decoded entry by entry on demand."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from diligent_tui.domain.entries import (
    READABLE_IN_PLACE,
    Entry,
    LeafEntry,
    OtherEntry,
    PartialEntry,
    SessionHeader,
    decode_entry,
    encode_entry,
)
from diligent_tui.domain.errors import SessionReadOnly, StorageError
from diligent_tui.domain.ids import new_entry_id
from diligent_tui.domain.records import to_json_object
from diligent_tui.session.reading import Place, SessionContent, decode_line, read_session, take_side_note
from diligent_tui.session.tree import Tree, node_of
from diligent_tui.storage.appender import Appender
from diligent_tui.storage.jsonl import encode_line, open_reading
from diligent_tui.storage.lock import FileLock
from diligent_tui.storage.private import make_private_folder, storage_error
from diligent_tui.storage.project import make_project_folder

MadeFolder = Callable[[Path], None]
MOST_DECODED = 4096
"""Decoded entries kept in memory; beyond it the oldest are dropped and read again when asked for."""


class SessionStore:
    """A session on disk. A new one touches nothing until its first entry."""

    def __init__(self, path: Path, content: SessionContent, *, is_new: bool, read_only_because: str = "") -> None:
        """Use `create` or `open`."""
        self.path = path
        self.content = content
        self.read_only_because = read_only_because
        self._is_new = is_new
        self._beginning = asyncio.Lock()
        self._made_folder: MadeFolder = lambda _: None
        self._lock = FileLock(folder_of(path) / "lock")
        self._holds_lock = False
        self._appender = Appender(path)
        self._reader: int | None = None
        self._decoded: dict[str, Entry] = dict(content.unsaved)

    @classmethod
    def create(cls, folder: Path, header: SessionHeader, made_folder: MadeFolder = lambda _: None) -> "SessionStore":
        """A session that is not on disk yet; `made_folder` is told if a `.diligent` has to be made for it."""
        store = cls(folder / f"{header.id}.jsonl", SessionContent(header), is_new=True)
        store._made_folder = made_folder
        return store

    @classmethod
    def open(cls, path: Path, *, for_writing: bool = True) -> "SessionStore":
        """A session that is there; for writing its lock is taken, and SessionLocked says who holds it."""
        descriptor = open_reading(path)
        lock = FileLock(folder_of(path) / "lock")
        try:
            if for_writing:
                make_private_folder(path.parent)
                lock.take()
            content = read_session(descriptor, path)
        except (StorageError, OSError) as error:
            lock.free()
            os.close(descriptor)
            raise error if isinstance(error, StorageError) else storage_error(error, path, "reading") from error
        version = content.header.version
        because = "" if for_writing else "it was opened for reading"
        if version not in READABLE_IN_PLACE:
            because = f"it was written by another version of diligent (file version {version})"
        store = cls(path, content, is_new=False, read_only_because=because)
        store._reader = descriptor
        store._lock, store._holds_lock = lock, for_writing
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
        if (unsaved := self.content.unsaved.get(entry_id)) is not None:
            return unsaved
        place = self.content.places[entry_id]
        value = decode_line(os.pread(self._reading(), place.size, place.offset))
        node = self.tree.nodes[entry_id]
        if value is None:
            return OtherEntry(type=node.type, id=entry_id, parent_id=node.parent_id)
        return decode_entry(value)

    def entries(self) -> Iterator[Entry]:
        """Every entry in the order of the file."""
        return (self.entry(entry_id) for entry_id in self.tree.nodes)

    def new_id(self) -> str:
        """An id that nothing in this session has yet."""
        return new_entry_id(self.tree.nodes)

    async def append(self, entry: Entry) -> None:
        """Write an entry; returns once it is on disk. The tree has it from then on."""
        await self._begin()
        await self.settle()
        await self._write(entry)
        self.tree.add(node_of(entry))
        take_side_note(self.content, entry)
        self._remember(entry)

    def append_partial(self, entry: PartialEntry) -> None:
        """Write a piece of a streaming answer without waiting for the disk; only after `append`."""
        self._appender.append_soon(encode_line(encode_entry(entry)))

    def take_failure(self) -> StorageError | None:
        """The last failure of a piece that nobody waited for, once."""
        return self._appender.take_failure()

    async def settle(self) -> None:
        """Give answers that a crash cut off a line of their own, so that their pieces are needed no more."""
        if self.read_only_because:
            return
        for entry in list(self.content.unsaved.values()):
            leaf = self.tree.leaf_id
            if leaf == entry.id:
                await self._write(entry)
            else:
                # A reader takes the last line for the leaf unless it is told better.
                stay = LeafEntry(id=self.new_id(), parent_id=leaf, timestamp=entry.timestamp, target_id=leaf)
                await asyncio.gather(self._write(entry), self._write(stay))
                self.tree.add(node_of(stay))
                self._remember(stay)
            del self.content.unsaved[entry.id]

    async def close(self) -> None:
        """Write what waits, free the lock, let go of the file."""
        await self._appender.close()
        if self._holds_lock:
            self._lock.free()
            self._holds_lock = False
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None

    async def _begin(self) -> None:
        if self.read_only_because:
            raise SessionReadOnly(f"This session cannot be continued in place: {self.read_only_because}.")
        if not self._is_new:
            return
        async with self._beginning:
            if not self._is_new:
                return
            project_folder = self.path.parent.parent
            if make_project_folder(project_folder):
                self._made_folder(project_folder)
            make_private_folder(self.path.parent)
            if not self._holds_lock:
                self._lock.take()
                self._holds_lock = True
            await self._appender.append(encode_line(to_json_object(self.content.header)))
            self._is_new = False

    async def _write(self, entry: Entry) -> None:
        line = encode_line(encode_entry(entry))
        offset = await self._appender.append(line)
        self.content.places[entry.id] = Place(offset, len(line) - 1)

    def _remember(self, entry: Entry) -> None:
        if len(self._decoded) >= MOST_DECODED:
            for stale in [key for key in self._decoded if key not in self.content.unsaved][: MOST_DECODED // 4]:
                del self._decoded[stale]
        self._decoded[entry.id] = entry

    def _reading(self) -> int:
        if self._reader is None:
            self._reader = open_reading(self.path)
        return self._reader


def folder_of(path: Path) -> Path:
    """The folder beside a session's file: long outputs, images, file history and the lock."""
    return path.with_suffix("")
