"""A session as the file it is, or the path to one entry as a file of its own."""

import os
from collections.abc import Iterator

from diligent_tui.domain.entries import encode_entry
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.domain.records import to_json_object
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.store import SessionStore
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line

READ_BYTES = 1024 * 1024


def to_jsonl(store: SessionStore, mask: Mask, entry_id: str | None = None, tell: Tell = tell_nobody) -> Iterator[bytes]:
    """The bytes of the file; they differ from it only where one of our keys stood."""
    descriptor = open_reading(store.path)
    try:
        if entry_id:
            yield from _path(descriptor, store, mask, entry_id, tell)
        else:
            yield from _whole(descriptor, len(store.tree.nodes), mask, tell)
    finally:
        os.close(descriptor)


def _whole(descriptor: int, entries: int, mask: Mask, tell: Tell) -> Iterator[bytes]:
    position, rest, written = 0, b"", 0
    while chunk := os.pread(descriptor, READ_BYTES, position):
        position += len(chunk)
        tell(min(written, entries), entries)
        written += chunk.count(b"\n")
        if not mask.values:
            yield chunk
            continue
        *lines, rest = (rest + chunk).split(b"\n")
        yield b"".join(mask.line(line) + b"\n" for line in lines)
    yield mask.line(rest)


def _path(descriptor: int, store: SessionStore, mask: Mask, entry_id: str, tell: Tell) -> Iterator[bytes]:
    yield mask.line(encode_line(to_json_object(store.content.header)))
    path = store.tree.path(entry_id)
    for number, node in enumerate(path):
        tell(number, len(path))
        place = store.content.places.get(node.id)
        if place is None:
            entry = store.read(node.id).model_copy(update={"parent_id": node.parent_id})
            yield mask.line(encode_line(encode_entry(entry)))
            continue
        data = os.pread(descriptor, place.size, place.offset)
        if node.is_orphan:
            data = encode_line({**(parse_line(data) or {}), "parentId": node.parent_id})[:-1]
        yield mask.line(data) + b"\n"
