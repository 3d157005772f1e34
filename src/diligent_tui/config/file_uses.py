"""Which files of a project were named in prompts, and when, in the user's state folder; those in use come first."""

import math
import os
from collections.abc import Mapping
from pathlib import Path

from diligent_tui.config.prompt_history import project_key
from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line, read_lines_backwards
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, write_all, write_private

FOLDER_NAME = "files"
MOST_USES = 1_000
LARGEST_FILE_BYTES = 400_000
"""Beyond it only the newest uses are kept."""
LONGEST_PATH_CHARS = 1_000
HALF_LIFE_DAYS = 7.0
_DAY_SECONDS = 86_400.0


def load_uses(state_folder: Path, root: Path, now: float) -> Mapping[str, float]:
    """How much each file is in use: one for each time, halved with every week; what cannot be read counts nothing."""
    weights: dict[str, float] = {}
    for path, when in _uses(_file(state_folder, root)):
        age_days = max(0.0, now - when) / _DAY_SECONDS
        weights[path] = weights.get(path, 0.0) + math.pow(0.5, age_days / HALF_LIFE_DAYS)
    return weights


def add_use(state_folder: Path, root: Path, path: str, now: float) -> None:
    """Remember that a file was named; raises StorageError if it cannot be written."""
    if len(path) > LONGEST_PATH_CHARS:
        return
    file = _file(state_folder, root)
    make_private_folder(file.parent)
    descriptor = open_private(file, os.O_RDWR | os.O_APPEND)
    try:
        # A torn line before it must not take this one with it.
        write_all(descriptor, b"\n" + encode_line({"path": path, "at": round(now)}))
        size_bytes = os.fstat(descriptor).st_size
    except OSError as error:
        raise storage_error(error, file, "writing") from error
    finally:
        os.close(descriptor)
    if size_bytes > LARGEST_FILE_BYTES:
        newest = _uses(file)[::-1]
        write_private(file, b"".join(encode_line({"path": path, "at": round(when)}) for path, when in newest))


def _uses(file: Path) -> list[tuple[str, float]]:
    """The newest uses, newest first."""
    try:
        descriptor = open_reading(file)
    except StorageError:
        return []
    uses: list[tuple[str, float]] = []
    try:
        for line in read_lines_backwards(descriptor):
            record = parse_line(line.data) or {}
            path, when = record.get("path"), record.get("at")
            if isinstance(path, str) and isinstance(when, int | float) and len(path) <= LONGEST_PATH_CHARS:
                uses.append((path, float(when)))
            if len(uses) == MOST_USES:
                break
    except OSError:
        # A disk that fails halfway has given what it could.
        pass
    finally:
        os.close(descriptor)
    return uses


def _file(state_folder: Path, root: Path) -> Path:
    return state_folder / FOLDER_NAME / f"{project_key(root)}.jsonl"
