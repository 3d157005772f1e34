"""Folders of many sessions, written by hand."""

import os
from pathlib import Path

from diligent_tui.domain.entries import Entry, SessionInfoEntry
from tests.session.drafts import HEADER, answered, line_of, said

NOON_S = 1_767_355_200
"""2026-01-02 12:00 UTC: when the newest session of a folder changed."""


def put(
    sessions: Path, name: str, *lines: Entry | bytes, age_s: int = 0, header: dict[str, object] | None = None
) -> Path:
    """A session of that id, with these lines behind its header and so old."""
    sessions.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = sessions / f"{name}.jsonl"
    parts = [line if isinstance(line, bytes) else line_of(line) for line in lines]
    path.write_bytes(line_of({**HEADER, "id": name, **(header or {})}) + b"".join(parts))
    os.utime(path, (NOON_S - age_s, NOON_S - age_s))
    return path


def note(tokens: int, *, name: str | None = None, cost: float = 0.25, compactions: int = 0) -> SessionInfoEntry:
    """The totals at a turn's end."""
    return SessionInfoEntry(id="ffffffff", name=name, tokens=tokens, cost=cost, compactions=compactions)


def session_id(number: int) -> str:
    """An id such as the product makes."""
    return f"202601020304{number % 60:02}-{number:06x}"


def fill(sessions: Path, count: int, *, age_step_s: int = 3_600) -> list[Path]:
    """Many small sessions, the first the newest."""
    return [
        put(
            sessions,
            session_id(number),
            said("00000001", None, f"prompt number {number}"),
            answered("00000002", "00000001", f"answer number {number}"),
            note(1_000 * number, compactions=number % 4),
            age_s=age_step_s * number,
        )
        for number in range(count)
    ]
