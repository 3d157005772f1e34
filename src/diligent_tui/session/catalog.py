"""The list of a project's sessions, from no more than the head and tail of each file."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.domain.entries import MessageEntry, SessionInfoEntry, decode_entry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.messages import UserMessage, text_of
from diligent_tui.session.reading import decode_line
from diligent_tui.storage.jsonl import open_reading

HEAD_BYTES = 4096
TAIL_BYTES = 4096


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of the list; what head and tail do not tell is None."""

    id: str
    path: Path
    changed: datetime
    name: str | None
    first_prompt: str | None
    compactions: int | None
    tokens: int | None
    cost: float | None

    @property
    def title(self) -> str:
        """The name, else the first prompt's first line."""
        return self.name or (self.first_prompt or "").strip().partition("\n")[0].rstrip() or "–"


def list_sessions(folder: Path) -> list[SessionSummary]:
    """All sessions of a folder, newest change first."""
    return [summarise(path, when) for when, path in _newest_first(folder)]


def newest_session(folder: Path, wanted: str = "") -> Path | None:
    """The session that changed last, of those whose id begins so."""
    return next((path for _, path in _newest_first(folder) if path.stem.startswith(wanted)), None)


def _newest_first(folder: Path) -> list[tuple[float, Path]]:
    try:
        with os.scandir(folder) as found:
            changed = [
                (entry.stat(follow_symlinks=False).st_mtime, Path(entry.path))
                for entry in found
                if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return sorted(changed, reverse=True)


def summarise(path: Path, changed: float) -> SessionSummary:
    """What head and tail of a session's file tell; nothing, where the file cannot be read."""
    try:
        ends = _read_ends(path)
    except (StorageError, OSError):
        ends = b""
    name = prompt = None
    totals: SessionInfoEntry | None = None
    for data in ends.split(b"\n"):
        value = decode_line(data)
        if value is None or value.get("type") not in ("message", "session_info"):
            continue
        entry = decode_entry(value)
        if isinstance(entry, SessionInfoEntry):
            name = entry.name or name
            prompt = prompt or entry.first_prompt
            totals = entry if entry.tokens is not None else totals
        elif isinstance(entry, MessageEntry) and prompt is None and isinstance(entry.message, UserMessage):
            prompt = text_of(entry.message.content)
    return SessionSummary(
        id=path.stem,
        path=path,
        changed=datetime.fromtimestamp(changed, UTC),
        name=name,
        first_prompt=prompt,
        compactions=totals.compactions if totals else None,
        tokens=totals.tokens if totals else None,
        cost=totals.cost if totals else None,
    )


def _read_ends(path: Path) -> bytes:
    descriptor = open_reading(path)
    try:
        size = os.fstat(descriptor).st_size
        head = os.pread(descriptor, HEAD_BYTES, 0)
        tail = os.pread(descriptor, TAIL_BYTES, max(HEAD_BYTES, size - TAIL_BYTES))
    finally:
        os.close(descriptor)
    # Where both touch, a line may lie across the seam.
    return head + tail if size <= HEAD_BYTES + TAIL_BYTES else head + b"\n" + tail
