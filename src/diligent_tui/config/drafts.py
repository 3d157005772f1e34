"""The unsent text of a project's prompt, kept so that neither a crash nor a closed terminal takes it."""

import contextlib
from pathlib import Path

from diligent_tui.config.prompt_history import project_key
from diligent_tui.config.reading import read_plain
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.storage.private import storage_error, write_private

FOLDER_NAME = "drafts"
LARGEST_DRAFT_BYTES = 16_000_000


def load_draft(state_folder: Path, root: Path) -> str:
    """The text that was not sent; empty if there is none or it cannot be read."""
    try:
        return read_plain(_path(state_folder, root), LARGEST_DRAFT_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def save_draft(state_folder: Path, root: Path, text: str) -> None:
    """Keep a text in place of the last one; an empty one leaves no file. Raises StorageError if it cannot."""
    path = _path(state_folder, root)
    data = mend_surrogates(text).encode()
    if data and len(data) <= LARGEST_DRAFT_BYTES:
        write_private(path, data)
        return
    try:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    except OSError as error:
        raise storage_error(error, path, "removing") from error


def _path(state_folder: Path, root: Path) -> Path:
    return state_folder / FOLDER_NAME / f"{project_key(root)}.txt"
