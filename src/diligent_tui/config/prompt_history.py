"""The earlier prompts of a project, in the user's state folder; loaded without pydantic, for the first frame waits."""

import hashlib
import os
from pathlib import Path

from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line, read_lines_backwards
from diligent_tui.storage.private import is_torn, make_private_folder, open_private, storage_error, write_all

FOLDER_NAME = "prompts"
MOST_PROMPTS = 1_000
# Of what is larger, the newest is loaded; a prompt beyond the second is kept in its session only.
MOST_LOADED_BYTES = 4_000_000
LONGEST_PROMPT_CHARS = 200_000


def project_key(root: Path) -> str:
    """A name for a project that tells nothing about where it lies."""
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:32]


def load_history(state_folder: Path, root: Path) -> list[str]:
    """The newest prompts of a project, oldest first; what is damaged is passed over, and so is a whole bad file."""
    try:
        descriptor = open_reading(_path(state_folder, root))
    except StorageError:
        return []
    prompts: list[str] = []
    loaded_bytes = 0
    try:
        for line in read_lines_backwards(descriptor):
            loaded_bytes += len(line.data)
            text = _prompt_in(line.data)
            if text is not None and prompts[-1:] != [text]:
                prompts.append(text)
            if len(prompts) == MOST_PROMPTS or loaded_bytes > MOST_LOADED_BYTES:
                break
    except OSError:
        # A disk that fails halfway has given what it could.
        pass
    finally:
        os.close(descriptor)
    return prompts[::-1]


def append_history(state_folder: Path, root: Path, text: str) -> None:
    """Add a prompt; safe beside other processes that add theirs. Raises StorageError if it cannot be written."""
    if len(text) > LONGEST_PROMPT_CHARS:
        return
    path = _path(state_folder, root)
    make_private_folder(path.parent)
    descriptor = open_private(path, os.O_RDWR | os.O_APPEND)
    try:
        write_all(descriptor, b"\n" * is_torn(descriptor) + encode_line({"text": text}))
    except OSError as error:
        raise storage_error(error, path, "writing") from error
    finally:
        os.close(descriptor)


def _path(state_folder: Path, root: Path) -> Path:
    return state_folder / FOLDER_NAME / f"{project_key(root)}.jsonl"


def _prompt_in(data: bytes) -> str | None:
    record = parse_line(data)
    text = record.get("text") if record else None
    return text if isinstance(text, str) and text.strip() and len(text) <= LONGEST_PROMPT_CHARS else None
