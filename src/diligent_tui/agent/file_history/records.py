"""The lines of `before/index.jsonl`: what was kept, what the agent left, what was restored and what was dropped.

Every line has a number, one higher than that of the line before; a hole tells that a line was lost.
"""

from typing import Literal

from pydantic import ValidationError

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.records import Record


class SavedState(Record):
    """A file's state; no digest means no file."""

    digest: str = ""
    mode: int = 0
    size_bytes: int = 0
    missing_folders: int = 0


class KeptLine(Record):
    """The state of a file right before the agent changes it; written once its bytes are synced."""

    type: Literal["kept"] = "kept"
    number: int
    timestamp: str
    turn_id: str
    entry_id: str
    path: str
    before: SavedState


class LeftLine(Record):
    """The state in which the agent left a file, and how many lines the turn has added and removed so far."""

    type: Literal["left"] = "left"
    number: int
    timestamp: str
    turn_id: str
    change: int
    """The number of the line that kept it."""
    path: str
    after: SavedState
    added: int | None = None
    removed: int | None = None


class RestoredFile(Record):
    """One file of a restore: what was found, what is put there, and the modes of folders that go with it."""

    path: str
    found: SavedState
    put: SavedState
    folder_modes: tuple[int, ...] = ()


class RestoreLine(Record):
    """A restore that begins; every file it finds has been kept, so it can be undone however far it came."""

    type: Literal["restore"] = "restore"
    number: int
    timestamp: str
    turn_ids: tuple[str, ...] = ()
    undoes: int | None = None
    files: tuple[RestoredFile, ...]


class RestoredLine(Record):
    """A restore that came to its end."""

    type: Literal["restored"] = "restored"
    number: int
    timestamp: str
    restore: int
    failed: tuple[str, ...] = ()


class DroppedLine(Record):
    """Turns and restores whose bytes were given up for newer ones."""

    type: Literal["dropped"] = "dropped"
    number: int
    timestamp: str
    turn_ids: tuple[str, ...] = ()
    restores: tuple[int, ...] = ()


class OtherLine(Record):
    """A line of a newer diligent; only its number is used."""

    type: str
    number: int


Line = KeptLine | LeftLine | RestoreLine | RestoredLine | DroppedLine | OtherLine
LINES: dict[str, type[Line]] = {
    "kept": KeptLine,
    "left": LeftLine,
    "restore": RestoreLine,
    "restored": RestoredLine,
    "dropped": DroppedLine,
}


def decode(value: JsonObject) -> Line | None:
    """The line as a record; None if it is damaged."""
    kind = value.get("type")
    try:
        return LINES.get(kind if isinstance(kind, str) else "", OtherLine).model_validate(value)
    except ValidationError:
        return None
