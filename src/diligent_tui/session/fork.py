"""Makes a new session out of an old one: the same lines, byte for byte, in a file of its own."""

import contextlib
import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from diligent_tui.domain.entries import (
    FIRST_PROMPT_CHARS,
    LabelEntry,
    LeafEntry,
    MessageEntry,
    SessionHeader,
    SessionInfoEntry,
    SteeringEntry,
    encode_entry,
)
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.ids import new_entry_id, new_session_id
from diligent_tui.domain.messages import UserMessage, text_of
from diligent_tui.domain.records import to_json_object
from diligent_tui.domain.times import to_stamp
from diligent_tui.session.reading import decode_line
from diligent_tui.session.store import SessionStore, folder_of
from diligent_tui.session.tree import Node, Tree
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, sync_folder, write_all
from diligent_tui.storage.project import make_project_folder

WRITE_AT_BYTES = 1024 * 1024
COPY_BYTES = 1024 * 1024
IMAGES = "images"
IMAGE_NAME = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def fork_session(
    source: SessionStore, sessions: Path, moment: datetime, entry_id: str | None = None, cwd: str | None = None
) -> Path:
    """Copy the path to an entry, or with None the whole tree, into a new session; returns its file.

    All is made aside and put in its place by one rename at the end, so that there is never half a session.
    """
    if not source.tree.nodes:
        raise StorageError("There is nothing in this session to fork.", "Say something first.")
    if entry_id is not None and entry_id not in source.tree.nodes:
        raise StorageError(f"This session has no entry {entry_id}.", "Pick one from its tree.")
    make_project_folder(sessions.parent)
    make_private_folder(sessions)
    path = _free_path(sessions, moment)
    aside = sessions / f".fork-{path.stem}"
    try:
        make_private_folder(aside / "files")
        _write_lines(aside / "lines", _header(source, path.stem, moment, cwd), source, entry_id, moment)
        _bring_files(source.spill_folder, aside, _copied_ids(source, entry_id))
        (aside / "files").rename(folder_of(path))
        (aside / "lines").rename(path)
    except (OSError, StorageError) as error:
        if not path.exists():
            shutil.rmtree(folder_of(path), ignore_errors=True)
        raise error if isinstance(error, StorageError) else storage_error(error, path, "writing") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    sync_folder(sessions)
    return path


def _free_path(sessions: Path, moment: datetime) -> Path:
    while os.path.lexists(path := sessions / f"{new_session_id(moment)}.jsonl"):
        pass
    return path


def _header(source: SessionStore, session_id: str, moment: datetime, cwd: str | None) -> SessionHeader:
    return SessionHeader(
        id=session_id,
        timestamp=to_stamp(moment),
        cwd=source.content.header.cwd if cwd is None else cwd,
        parent_session=source.path.stem,
    )


def _copied_ids(source: SessionStore, entry_id: str | None) -> list[str]:
    return list(source.tree.nodes) if entry_id is None else [node.id for node in source.tree.path(entry_id)]


def _write_lines(
    target: Path, header: SessionHeader, source: SessionStore, entry_id: str | None, moment: datetime
) -> None:
    waiting: list[bytes] = [encode_line(to_json_object(header))]
    size = 0
    images: set[bytes] = set()
    descriptor = open_private(target, os.O_WRONLY | os.O_EXCL)
    try:
        for line in _lines(source, entry_id, moment):
            images.update(IMAGE_NAME.findall(line))
            waiting.append(line)
            size += len(line)
            if size >= WRITE_AT_BYTES:
                write_all(descriptor, b"".join(waiting))
                waiting, size = [], 0
        write_all(descriptor, b"".join(waiting))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    for name in images:
        _bring(source.spill_folder / IMAGES / name.decode(), target.parent / "files" / IMAGES / name.decode())


def _lines(source: SessionStore, entry_id: str | None, moment: datetime) -> Iterator[bytes]:
    """The lines of the fork behind its header; what it adds of its own comes last."""
    reader = _RawLines(source)
    replayed = Tree()
    try:
        for node in [source.tree.nodes[each] for each in _copied_ids(source, entry_id)]:
            yield reader.line(node, node.parent_id)
            _replay(replayed, node, source)
        if entry_id is not None:
            yield from _labels(source, reader, replayed)
            yield encode_line(encode_entry(_about(source, entry_id, moment)))
    finally:
        reader.close()
    leaf = source.tree.leaf_id if entry_id is None else entry_id
    if replayed.leaf_id != leaf:
        # A reader takes the last line for the leaf unless it is told better.
        stay = LeafEntry(id=_new_id(source), parent_id=leaf, timestamp=to_stamp(moment), target_id=leaf)
        yield encode_line(encode_entry(stay))


def _replay(tree: Tree, node: Node, source: SessionStore) -> None:
    tree.add(node)
    if node.type == "leaf":
        entry = source.read(node.id)
        if isinstance(entry, LeafEntry):
            tree.move_to(entry.target_id)


def _labels(source: SessionStore, reader: "_RawLines", copied: Tree) -> Iterator[bytes]:
    """The labels of copied entries; one that was given on another branch is hung on what it names."""
    for node in source.tree.nodes.values():
        if node.type != "label" or node.id in copied.nodes:
            continue
        entry = source.read(node.id)
        if isinstance(entry, LabelEntry) and entry.target_id in copied.nodes:
            yield reader.line(node, node.parent_id if node.parent_id in copied.nodes else entry.target_id)


def _about(source: SessionStore, entry_id: str, moment: datetime) -> SessionInfoEntry:
    """The fork's name and first prompt, so that a list of sessions can name it before its first turn."""
    prompt = ""
    for node in source.tree.path(entry_id):
        if node.is_prompt:
            entry = source.read(node.id)
            if isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
                prompt = text_of(entry.message.content)
            elif isinstance(entry, SteeringEntry):
                prompt = entry.message
            break
    return SessionInfoEntry(
        id=_new_id(source),
        parent_id=entry_id,
        timestamp=to_stamp(moment),
        name=source.content.name or None,
        first_prompt=prompt[:FIRST_PROMPT_CHARS] or None,
    )


def _new_id(source: SessionStore) -> str:
    return new_entry_id(source.tree.nodes)


class _RawLines:
    """Lines as they stand in the source's file; a file that was taken away is made up for from memory."""

    def __init__(self, source: SessionStore) -> None:
        self._source = source
        self._descriptor: int | None = None
        with contextlib.suppress(StorageError):
            self._descriptor = open_reading(source.path)

    def line(self, node: Node, parent_id: str | None) -> bytes:
        """The line of an entry; written anew only where it would not hang where it does now."""
        if (data := self._bytes(node.id)) is None:
            entry = self._source.entry(node.id)
            return encode_line(encode_entry(entry.model_copy(update={"parent_id": parent_id})))
        if parent_id == node.parent_id and not node.is_orphan:
            return data + b"\n"
        return encode_line({**(parse_line(data) or {}), "parentId": parent_id})

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def _bytes(self, entry_id: str) -> bytes | None:
        place = self._source.content.places.get(entry_id)
        if place is None or self._descriptor is None or entry_id in self._source.content.unsaved:
            return None
        data = os.pread(self._descriptor, place.size, place.offset)
        if b'"' + entry_id.encode("utf-8", "replace") + b'"' in data and data.endswith(b"}"):
            return data
        value = decode_line(data)
        return data if value is not None and value.get("id") == entry_id else None


def _bring_files(source: Path, aside: Path, entry_ids: Iterable[str]) -> None:
    """Let the whole outputs of the copied entries go along."""
    wanted = {f"{entry_id}.txt" for entry_id in entry_ids}
    try:
        names = [path.name for path in source.iterdir() if path.name in wanted]
    except OSError:
        return
    for name in names:
        _bring(source / name, aside / "files" / name)
    sync_folder(aside / "files")


def _bring(source: Path, target: Path) -> None:
    """Link a plain file, or copy it where links cannot be made; anything else is left behind."""
    try:
        if not stat.S_ISREG(source.lstat().st_mode):
            return
    except OSError:
        return
    make_private_folder(target.parent)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    reading = open_reading(source)
    try:
        writing = open_private(target, os.O_WRONLY | os.O_EXCL)
        try:
            while chunk := os.read(reading, COPY_BYTES):
                write_all(writing, chunk)
            os.fsync(writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)
