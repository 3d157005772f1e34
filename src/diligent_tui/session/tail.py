"""The newest part of a session's path, read from the end of the file: quick whatever the file's size."""

import os
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.entries import SIDE_TYPES, Entry, LeafEntry, PartialEntry, SessionHeader, decode_entry
from diligent_tui.session.reading import decode_line
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
    wanted: str | None = None
    leaf_is_known = False
    for line in read_lines_backwards(descriptor):
        value = decode_line(line.data)
        if value is None or value.get("type") == "session":
            continue
        if leaf_is_known and value.get("id") != wanted:
            continue
        entry = decode_entry(value)
        if not leaf_is_known:
            if isinstance(entry, LeafEntry):
                wanted, leaf_is_known = entry.target_id, True
                continue
            if isinstance(entry, PartialEntry) or entry.type in SIDE_TYPES:
                continue
        leaf_is_known = True
        found.append(entry)
        wanted = entry.parent_id
        if wanted is None or len(found) >= most_entries:
            break
    found.reverse()
    return Tail(tuple(found), wanted is None)
