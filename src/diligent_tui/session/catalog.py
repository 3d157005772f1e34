"""The list of a project's sessions, from no more than the head and tail of each file."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.domain.entries import SessionHeader, SessionInfoEntry, decode_entry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import UserMessage, text_of
from diligent_tui.session.files import SessionFile, session_files
from diligent_tui.session.reading import decode_line
from diligent_tui.session.tree import node_of_line
from diligent_tui.storage.jsonl import open_reading

HEAD_BYTES = 4096
TAIL_BYTES = 4096
UNREADABLE = "cannot be read"
EMPTY = "empty file"
FOREIGN = "not a session"
DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of the list; what head and tail do not tell is None, and `trouble` says what is wrong with the file."""

    id: str
    path: Path
    changed: datetime
    name: str | None
    first_prompt: str | None
    compactions: int | None
    tokens: int | None
    cost: float | None
    last_prompt: str | None = None
    branches: int | None = None
    version: int | None = None
    parent_session: str | None = None
    trouble: str = ""

    @property
    def title(self) -> str:
        """The name, else the first line of the first prompt, or of the last where only that is known."""
        return self.name or _first_line(self.first_prompt) or _first_line(self.last_prompt) or self.trouble or "–"


@dataclass(frozen=True, slots=True)
class _Ends:
    """The lines at both ends of a file; those that the reading itself cut are not damaged."""

    head: Sequence[bytes]
    tail: Sequence[bytes]
    cut: frozenset[int]
    is_whole: bool


def list_sessions(folder: Path) -> list[SessionSummary]:
    """All sessions of a folder, newest change first."""
    return [summarise(file) for file in session_files(folder)]


def summarise(file: SessionFile) -> SessionSummary:
    """What head and tail of a session's file tell; nothing, where the file cannot be read."""
    try:
        ends = _read_ends(file.path)
    except (StorageError, OSError):
        return _summary(file, trouble=UNREADABLE)
    head = [decode_line(data) for data in ends.head]
    tail = [decode_line(data) for data in ends.tail]
    newest = head if ends.is_whole else tail
    header = _header(head[0] if head else None)
    head_notes, tail_notes = _notes(head), _notes(tail)
    notes = [*head_notes, *tail_notes]
    # Totals near the beginning of a long file are those of its first turns.
    newest_notes = head_notes if ends.is_whole else tail_notes
    totals = next((note for note in reversed(newest_notes) if note.tokens is not None), None)
    return _summary(
        file,
        name=next((note.name for note in reversed(notes) if note.name), None),
        first_prompt=_first_prompt(head) or next((note.first_prompt for note in notes if note.first_prompt), None),
        last_prompt=_first_prompt(reversed(newest)),
        totals=totals,
        header=header,
        trouble=_trouble(ends, head, tail, header),
    )


def prompt_of(value: JsonObject) -> str | None:
    """The words of the user's on a parsed line, if it holds some."""
    node = node_of_line(value)
    if node is None or not node.is_prompt:
        return None
    message = getattr(decode_entry(value), "message", None)
    if isinstance(message, UserMessage):
        return text_of(message.content)
    return message if isinstance(message, str) else None


def _summary(
    file: SessionFile,
    *,
    name: str | None = None,
    first_prompt: str | None = None,
    last_prompt: str | None = None,
    totals: SessionInfoEntry | None = None,
    header: SessionHeader | None = None,
    trouble: str = "",
) -> SessionSummary:
    return SessionSummary(
        id=file.id,
        path=file.path,
        changed=datetime.fromtimestamp(file.changed_s, UTC),
        name=name,
        first_prompt=first_prompt,
        compactions=totals.compactions if totals else None,
        tokens=totals.tokens if totals else None,
        cost=totals.cost if totals else None,
        last_prompt=last_prompt,
        version=header.version if header else None,
        parent_session=header.parent_session if header else None,
        trouble=trouble,
    )


def _first_prompt(values: Iterable[JsonObject | None]) -> str | None:
    return next((words for value in values if value and (words := prompt_of(value))), None)


def _notes(values: Sequence[JsonObject | None]) -> list[SessionInfoEntry]:
    said = (decode_entry(value) for value in values if value and value.get("type") == "session_info")
    return [entry for entry in said if isinstance(entry, SessionInfoEntry)]


def _header(value: JsonObject | None) -> SessionHeader | None:
    if value is None or value.get("type") != "session":
        return None
    try:
        return SessionHeader.model_validate(value)
    except ValueError:
        return None


def _trouble(
    ends: _Ends, head: Sequence[JsonObject | None], tail: Sequence[JsonObject | None], header: SessionHeader | None
) -> str:
    lines = [*ends.head, *ends.tail]
    values = [*head, *tail]
    if not any(line.strip() for line in lines):
        return EMPTY if ends.is_whole else FOREIGN
    if header is None and not any(value and node_of_line(value) for value in values):
        return FOREIGN
    is_damaged = any(
        value is None and line.strip() and place not in ends.cut
        for place, (line, value) in enumerate(zip(lines, values, strict=True))
    )
    return DAMAGED if is_damaged or (header is None and 0 not in ends.cut) else ""


def _read_ends(path: Path) -> _Ends:
    descriptor = open_reading(path)
    try:
        size = os.fstat(descriptor).st_size
        head = os.pread(descriptor, HEAD_BYTES, 0)
        tail = os.pread(descriptor, TAIL_BYTES, max(HEAD_BYTES, size - TAIL_BYTES))
    finally:
        os.close(descriptor)
    if size <= HEAD_BYTES + TAIL_BYTES:
        # Where both touch, a line may lie across the seam. The last one may be in writing just now.
        lines = (head + tail).split(b"\n")
        return _Ends(lines, (), frozenset({len(lines) - 1}), is_whole=True)
    above, below = head.split(b"\n"), tail.split(b"\n")
    cut = frozenset({len(above) - 1, len(above), len(above) + len(below) - 1})
    return _Ends(above, below, cut, is_whole=False)


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0].rstrip()
