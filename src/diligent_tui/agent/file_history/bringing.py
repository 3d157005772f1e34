"""Lets a fork have the history of the session it came from: what was changed there can be put back from here too."""

import contextlib
import os
import shutil
from pathlib import Path

from diligent_tui.agent.file_history.blobs import DIGEST
from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.jsonl import open_reading
from diligent_tui.storage.private import make_private_folder, storage_error, sync_folder, write_private


def bring_history(source: Path, target: Path) -> bool:
    """Copy the index and link the old bytes, which never change; False if there is no history, or it cannot be had.

    The index comes last, so that it never names bytes that are not there. Blocks, so it is called in a thread.
    """
    if not os.path.lexists(source / "index.jsonl"):
        return False
    try:
        lines = _read(source / "index.jsonl")
        make_private_folder(target / "bytes")
        # There is none where the agent only made new files.
        blobs = list((source / "bytes").iterdir()) if (source / "bytes").is_dir() else []
        for blob in blobs:
            if DIGEST.fullmatch(blob.name) and blob.is_file() and not blob.is_symlink():
                _link(blob, target / "bytes" / blob.name)
        sync_folder(target / "bytes")
        # What a crash or a writer of this moment left behind the last newline is no line yet.
        write_private(target / "index.jsonl", lines[: lines.rfind(b"\n") + 1])
    except (OSError, StorageError):
        # The talk goes on without it, as a new session would.
        with contextlib.suppress(OSError):
            shutil.rmtree(target)
        return False
    return True


def _read(path: Path) -> bytes:
    descriptor = open_reading(path)
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _link(blob: Path, target: Path) -> None:
    try:
        os.link(blob, target, follow_symlinks=False)
    except OSError as error:
        try:
            write_private(target, blob.read_bytes())
        except OSError:
            raise storage_error(error, target, "copying") from error
