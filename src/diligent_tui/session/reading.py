"""Reads a session file into a tree without decoding more than it must; damage is counted, never fatal."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from diligent_tui.domain.entries import (
    READABLE_IN_PLACE,
    SESSION_VERSION,
    Entry,
    LabelEntry,
    LeafEntry,
    MessageEntry,
    OtherEntry,
    PartialEntry,
    QueuedEntry,
    SessionHeader,
    SessionInfoEntry,
    UnqueuedEntry,
    decode_entry,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ThinkingBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.session.tree import Node, Tree, node_of_line
from diligent_tui.storage.jsonl import Line, parse_line, read_lines, salvage

Pieces = dict[str, dict[str, PartialEntry]]
"""Pieces of answers by the id of the answer, then by their own."""
UNREADABLE_VERSION = 0
"""Stands for a version that is no number."""


@dataclass(slots=True)
class Damage:
    """What of a file could not be used; the bytes stay where they are."""

    lines: int = 0
    orphans: int = 0
    repeated: int = 0
    header_is_missing: bool = False

    def __bool__(self) -> bool:
        """True if the user should be told."""
        return bool(self.lines or self.orphans or self.header_is_missing)


class Place(NamedTuple):
    """Where an entry's line is in its file."""

    offset: int
    size: int


@dataclass(slots=True)
class SessionContent:
    """A session as read: its tree, the place of each entry, and what is known without asking for more."""

    header: SessionHeader
    tree: Tree = field(default_factory=Tree)
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    unsaved: dict[str, Entry] = field(default_factory=dict[str, Entry])
    """Answers that a crash cut off, joined from their pieces; their own lines are not written yet."""
    queue: dict[str, QueuedEntry] = field(default_factory=dict[str, QueuedEntry])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    name: str = ""
    totals: SessionInfoEntry | None = None
    damage: Damage = field(default_factory=Damage)


def decode_line(data: bytes) -> JsonObject | None:
    """The object on a line, with broken surrogates mended."""
    value = parse_line(data)
    if value is not None and (b"\\ud" in data or b"\\uD" in data):
        return mend_surrogates(value)
    return value


def recover(line: Line) -> Iterator[tuple[JsonObject, Place]]:
    """The whole records on a damaged line, each with its place in the file."""
    for record in salvage(line.data):
        if (value := decode_line(record.data)) is not None:
            yield value, Place(line.offset + record.offset, len(record.data))


def read_session(descriptor: int, path: Path) -> SessionContent:
    """Read the whole file once; entries themselves are decoded later, when somebody asks for them."""
    content = SessionContent(SessionHeader(id=path.stem, timestamp="", version=SESSION_VERSION))
    content.damage.header_is_missing = True
    pieces: Pieces = {}
    for line in read_lines(descriptor):
        if (value := decode_line(line.data)) is not None:
            _take(content, Place(line.offset, len(line.data)), value, pieces)
            continue
        content.damage.lines += 1
        for value, place in recover(line):
            _take(content, place, value, pieces)
    for message_id, parts in pieces.items():
        _stand_in(content, join_pieces(message_id, list(parts.values())))
    return content


def find_header(descriptor: int) -> SessionHeader | None:
    """The header that counts, as `read_session` finds it: nearly always the first line, and no more is read."""
    broken: SessionHeader | None = None
    for line in read_lines(descriptor):
        value = decode_line(line.data)
        for record in [value] if value is not None else [value for value, _ in recover(line)]:
            if record.get("type") == "session":
                if header := _header_of(record):
                    return header
                broken = broken or _foreign_header_of(record)
    return broken


def is_foreign(header: SessionHeader | None) -> bool:
    """True for a session of another version of diligent: not a byte of it may be changed."""
    return header is not None and header.version not in READABLE_IN_PLACE


def read_entry(descriptor: int, content: SessionContent, entry_id: str) -> Entry:
    """An entry as the file has it; KeyError if the session has none of that id."""
    if (unsaved := content.unsaved.get(entry_id)) is not None:
        return unsaved
    place = content.places[entry_id]
    value = decode_line(os.pread(descriptor, place.size, place.offset))
    if value is None:
        node = content.tree.nodes[entry_id]
        return OtherEntry(type=node.type, id=entry_id, parent_id=node.parent_id)
    return decode_entry(value)


def join_pieces(message_id: str, parts: Sequence[PartialEntry]) -> MessageEntry:
    """The answer that a crash cut off, from its pieces."""
    thinking = "".join(part.delta for part in parts if part.kind == "thinking")
    text = "".join(part.delta for part in parts if part.kind == "text")
    blocks = (*([ThinkingBlock(thinking=thinking)] if thinking else []), *([TextBlock(text=text)] if text else []))
    stamp = parts[-1].timestamp
    message = AssistantMessage(content=blocks, stop_reason="interrupted", timestamp=stamp)
    return MessageEntry(id=message_id, parent_id=parts[0].parent_id, timestamp=stamp, message=message)


def _take(content: SessionContent, place: Place, value: JsonObject, pieces: Pieces) -> None:
    if value.get("type") == "session":
        _take_header(content, value)
    else:
        _take_entry(content, place, value, pieces)


def _take_header(content: SessionContent, value: JsonObject) -> None:
    header = _header_of(value)
    if not content.damage.header_is_missing:
        content.damage.lines += header is None
    elif header:
        content.header = header
        content.damage.header_is_missing = False
    else:
        content.damage.lines += 1
        if not is_foreign(content.header) and (foreign := _foreign_header_of(value)):
            content.header = foreign.model_copy(update={"id": content.header.id})


def _header_of(value: JsonObject) -> SessionHeader | None:
    try:
        return SessionHeader.model_validate(value)
    except ValueError:
        return None


def _foreign_header_of(value: JsonObject) -> SessionHeader | None:
    """Of a header that has another shape than ours no more can be used than that its version is another one."""
    version = value.get("version", SESSION_VERSION)
    if version in READABLE_IN_PLACE:
        return None
    return SessionHeader(id="", timestamp="", version=version if isinstance(version, int) else UNREADABLE_VERSION)


def _take_entry(content: SessionContent, place: Place, value: JsonObject, pieces: Pieces) -> None:
    node = node_of_line(value)
    if node is None:
        content.damage.lines += 1
        return
    if node.id in content.tree.nodes:
        content.damage.repeated += 1
        return
    if node.type == "partial":
        entry = decode_entry(value)
        if isinstance(entry, PartialEntry) and entry.message_id not in content.tree.nodes:
            pieces.setdefault(entry.message_id, {}).setdefault(entry.id, entry)
        return
    content.places[node.id] = place
    pieces.pop(node.id, None)
    if content.tree.add(node).is_orphan:
        content.damage.orphans += 1
    if isinstance(delivered_id := value.get("queuedId"), str):
        content.queue.pop(delivered_id, None)
    if node.type in ("queued", "unqueued", "leaf", "label", "session_info"):
        take_side_note(content, decode_entry(value))


def _put_in_line(queue: dict[str, QueuedEntry], entry: QueuedEntry) -> None:
    """Let a text wait at its place."""
    place = list(queue).index(entry.before_id) if entry.before_id in queue else len(queue)
    behind = list(queue.values())[place:]
    for each in behind:
        del queue[each.id]
    queue.update({each.id: each for each in (entry, *behind)})


def take_side_note(content: SessionContent, entry: Entry) -> None:
    """Let a side note act on what is known of the session."""
    match entry:
        case QueuedEntry():
            _put_in_line(content.queue, entry)
        case UnqueuedEntry():
            content.queue.pop(entry.target_id, None)
        case MessageEntry(queued_id=str(delivered_id)):
            content.queue.pop(delivered_id, None)
        case LeafEntry():
            content.tree.move_to(entry.target_id)
        case LabelEntry():
            content.labels.pop(entry.target_id, None)
            if entry.label:
                content.labels[entry.target_id] = entry.label
        case SessionInfoEntry():
            content.name = entry.name or content.name
            content.totals = content.totals if entry.tokens is None else entry
        case _:
            pass


def _stand_in(content: SessionContent, answer: MessageEntry) -> None:
    """Let an answer that a crash cut off stand in the tree; it is the leaf only if nothing was said after it."""
    leaf = content.tree.leaf_id
    content.unsaved[answer.id] = answer
    node = content.tree.add(Node(answer.id, answer.parent_id, "message", "assistant"))
    if node.is_orphan:
        content.damage.orphans += 1
    if leaf != node.parent_id:
        content.tree.move_to(leaf)
