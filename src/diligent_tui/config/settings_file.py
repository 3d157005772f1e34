"""Changes a settings file as a whole: read, changed, put in place; comments are the business of `jsonc_edit`."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Generator
from pathlib import Path

from diligent_tui.config.jsonc import JsoncError
from diligent_tui.config.reading import NotPlainFile, read_plain
from diligent_tui.domain.errors import SettingsError
from diligent_tui.storage.private import make_private_folder, storage_error, write_private

SHARED_FILE = 0o644
"""A project's settings travel with it; there are no secrets in them."""


def change_file(settings_file: Path, change: Callable[[str], str], *, is_private: bool = True) -> bytes | None:
    """Let `change` make the new text from the old, "" if there is no file; returns it, or None if it is the same.

    Raises SettingsError or StorageError if the file cannot be changed; then it is as it was.
    """
    # A settings file is often a link into a folder of dotfiles, which the user made.
    path = settings_file.resolve()
    make_private_folder(path.parent)
    with _taking_turn(path.parent):
        text, mode = _read(path)
        try:
            data = change(text).encode()
        except JsoncError as error:
            where = f"{path}:{error.position.line}"
            raise SettingsError(f"{where}: {error.complaint}.", "Mend this line; nothing was changed.") from error
        if data == text.encode():
            return None
        write_private(path, data)
        if not is_private:
            path.chmod(mode)
    return data


def _read(path: Path) -> tuple[str, int]:
    try:
        return read_plain(path).decode(), path.stat().st_mode & 0o777
    except FileNotFoundError:
        return "", SHARED_FILE
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8 text.", "Save it as UTF-8; nothing was changed.") from error
    except NotPlainFile as error:
        raise SettingsError(f"{path} cannot be changed: {error}.", "Put a settings file in its place.") from error
    except OSError as error:
        raise storage_error(error, path, "reading") from error


@contextlib.contextmanager
def _taking_turn(folder: Path) -> Generator[None]:
    """Two who change the same file do so one after the other. A file that is replaced cannot be locked itself."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise storage_error(error, folder, "opening") from error
    try:
        # Some file systems have no locks; then whoever is last wins, as with any editor.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
