"""The newest part of a session's path, read from the end of the file: quick whatever the file's size.

Where the file is damaged just there, the whole of it is read, so that the end shown is the one that will stand.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from diligent_tui.domain.entries import SIDE_TYPES, Entry, LeafEntry, PartialEntry, SessionHeader, decode_entry
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.reading import (
    decode_line,
    find_header,
    join_pieces,
    read_entry,
    read_session,
    recover,
)
from diligent_tui.session.tree import node_of_line
from diligent_tui.storage.jsonl import open_reading, read_lines_backwards
from diligent_tui.storage.private import storage_error


class Tail(NamedTuple):
    """The last entries of the path to the leaf, oldest first; `is_whole` says that the path begins with them."""

    entries: tuple[Entry, ...]
    is_whole: bool


def read_tail(path: Path, most_entries: int) -> Tail:
    """Follow the path from the leaf upwards until enough entries are found; damaged lines are passed over."""
    descriptor = open_reading(path)
    try:
        return _follow(descriptor, most_entries) or _from_the_whole(descriptor, path, most_entries)
    except OSError as error:
        raise storage_error(error, path, "reading") from error
    finally:
        os.close(descriptor)


def read_header(path: Path) -> SessionHeader | None:
    """The header of a session, if it has one; nearly always its first line."""
    descriptor = open_reading(path)
    try:
        return find_header(descriptor)
    except OSError as error:
        raise storage_error(error, path, "reading") from error
    finally:
        os.close(descriptor)


def _follow(descriptor: int, most_entries: int) -> Tail | None:
    """The tail from the end alone; None if the way up is broken."""
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
            if any(wanted not in (piece.parent_id, piece.message_id) for piece in pieces):
                return None
            found += _cut_off(pieces, wanted)
        if node.id == wanted and len(found) < most_entries:
            found.append(entry)
            wanted = node.parent_id
        if wanted is None or len(found) >= most_entries:
            break
    if not leaf_is_known:
        found += _cut_off(pieces, None)
    if (wanted is not None and len(found) < most_entries) or (pieces and not found):
        return None
    found.reverse()
    return Tail(tuple(found), wanted is None)


def _from_the_whole(descriptor: int, path: Path, most_entries: int) -> Tail:
    """The tail of the path that a full reading finds."""
    content = read_session(descriptor, path)
    way = content.tree.path(content.tree.leaf_id)
    entries = tuple(read_entry(descriptor, content, node.id) for node in way[-most_entries:])
    return Tail(entries, len(way) <= most_entries)


def _objects_backwards(descriptor: int) -> Iterator[JsonObject]:
    for line in read_lines_backwards(descriptor):
        value = decode_line(line.data)
        if value is not None:
            yield value
        else:
            yield from reversed([value for value, _ in recover(line)])


def _cut_off(pieces: Sequence[PartialEntry], leaf_id: str | None) -> list[Entry]:
    """The answer behind the leaf that a crash cut off, from pieces that were met newest first."""
    behind = {piece.id: piece for piece in reversed(pieces) if piece.parent_id == leaf_id != piece.message_id}
    if not behind:
        return []
    message_id = next(iter(behind.values())).message_id
    return [join_pieces(message_id, [piece for piece in behind.values() if piece.message_id == message_id])]
