"""The newest part of a session's path, read from the end of the file: quick whatever the file's size."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.entries import SIDE_TYPES, Entry, LeafEntry, PartialEntry, SessionHeader, decode_entry
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.reading import decode_line, join_pieces, recover
from diligent_tui.session.tree import node_of_line
from diligent_tui.storage.jsonl import open_reading, read_lines, read_lines_backwards


@dataclass(frozen=True, slots=True)
class Tail:
    """The last entries of the path to the leaf, oldest first; `is_whole` says that the path begins with them."""

    entries: tuple[Entry, ...]
    is_whole: bool


def read_tail(path: Path, most_entries: int) -> Tail:
    """Follow the path from the leaf upwards until enough entries are found; damaged lines are passed over."""
    descriptor = open_reading(path)
    try:
        return _follow(descriptor, most_entries)
    finally:
        os.close(descriptor)


def read_header(path: Path) -> SessionHeader | None:
    """The first line of a session, if it is one."""
    descriptor = open_reading(path)
    try:
        line = next(read_lines(descriptor), None)
    finally:
        os.close(descriptor)
    value = decode_line(line.data) if line else None
    try:
        return SessionHeader.model_validate(value)
    except ValueError:
        return None


def _follow(descriptor: int, most_entries: int) -> Tail:
    found: list[Entry] = []
    pieces: list[PartialEntry] = []
    wanted: str | None = None
    leaf_is_known = False
    for value in _objects_backwards(descriptor):
        node = node_of_line(value)
        if node is None or node.type == "session" or (leaf_is_known and node.id != wanted):
            continue
        entry = decode_entry(value)
        if not leaf_is_known:
            if isinstance(entry, PartialEntry):
                pieces.append(entry)
            if node.type in SIDE_TYPES and not isinstance(entry, LeafEntry):
                continue
            wanted = entry.target_id if isinstance(entry, LeafEntry) else node.id
            leaf_is_known = True
            found += _cut_off(pieces, wanted)
        if node.id == wanted and len(found) < most_entries:
            found.append(entry)
            wanted = node.parent_id
        if wanted is None or len(found) >= most_entries:
            break
    if not leaf_is_known:
        found += _cut_off(pieces, None)
    found.reverse()
    return Tail(tuple(found), wanted is None)


def _objects_backwards(descriptor: int) -> Iterator[JsonObject]:
    for line in read_lines_backwards(descriptor):
        value = decode_line(line.data)
        if value is not None:
            yield value
        else:
            yield from reversed([value for value, _ in recover(line)])


def _cut_off(pieces: Sequence[PartialEntry], leaf_id: str | None) -> list[Entry]:
    """The answer behind the leaf that a crash cut off, from pieces that were met newest first."""
    behind = [piece for piece in reversed(pieces) if piece.parent_id == leaf_id]
    if not behind or behind[0].message_id == leaf_id:
        return []
    message_id = behind[0].message_id
    return [join_pieces(message_id, [piece for piece in behind if piece.message_id == message_id])]
