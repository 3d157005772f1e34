"""Old bytes of files, each stored once under its digest; a name appears only when all its bytes are synced."""

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Collection, Iterator
from pathlib import Path

from diligent_tui.agent.file_history.places import Place, open_folder
from diligent_tui.agent.file_history.states import READ_BYTES, READ_FILE
from diligent_tui.domain.errors import StorageError
from diligent_tui.storage.private import make_private_folder, open_private, storage_error, sync_folder, write_all

DIGEST = re.compile(r"[0-9a-f]{64}")
PART = ".part-"


class Blobs:
    """A private folder of bytes; callers take turns."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made with its first bytes."""
        self._folder = folder
        self._sizes: dict[str, int] | None = None

    @property
    def total_bytes(self) -> int:
        """What all of them take."""
        return sum(self._known().values())

    def size_of(self, digests: Collection[str]) -> int:
        """What those of them that are kept take."""
        return sum(size for digest, size in self._known().items() if digest in digests)

    def has(self, digest: str) -> bool:
        """True if these bytes are kept."""
        return digest in self._known() and (self._folder / digest).is_file()

    def add(self, place: Place, digest: str) -> bool:
        """Keep a file's bytes, synced; False if they are not those of the digest any more."""
        make_private_folder(self._folder)
        part = self._folder / f"{PART}{secrets.token_hex(4)}"
        try:
            size = self._copy(place, part, digest)
            if size is None:
                return False
            part.replace(self._folder / digest)
            sync_folder(self._folder)
        except OSError as error:
            raise storage_error(error, place.path, "keeping") from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink()
        self._known()[digest] = size
        return True

    def chunks(self, digest: str) -> Iterator[bytes]:
        """The bytes in pieces; raises StorageError before the last piece if they are not what they were."""
        path = self._folder / digest
        found = hashlib.sha256()
        held = b""
        try:
            if not DIGEST.fullmatch(digest):
                raise FileNotFoundError
            descriptor = os.open(path, READ_FILE)
            try:
                while chunk := os.read(descriptor, READ_BYTES):
                    found.update(chunk)
                    if held:
                        yield held
                    held = chunk
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StorageError(
                "The old bytes of a file are missing from the history.", "Nothing was changed; restore other files."
            ) from error
        if found.hexdigest() != digest:
            raise StorageError(
                "The old bytes of a file are damaged in the history.", "Nothing was changed; restore other files."
            )
        if held:
            yield held

    def verify(self, digest: str) -> None:
        """Read all bytes and compare; raises StorageError if they are missing or damaged."""
        for _ in self.chunks(digest):
            pass

    def keep_only(self, digests: Collection[str]) -> None:
        """Delete all others."""
        known = self._known()
        for digest in [each for each in known if each not in digests]:
            try:
                (self._folder / digest).unlink(missing_ok=True)
            except OSError as error:
                raise storage_error(error, self._folder, "making room in") from error
            del known[digest]

    def _copy(self, place: Place, part: Path, digest: str) -> int | None:
        """Write the bytes aside, synced; their number, or None if they are others."""
        copied = hashlib.sha256()
        size = 0
        with contextlib.ExitStack() as closing:
            folder = open_folder(place)
            closing.callback(os.close, folder)
            reading = os.open(place.file_name, READ_FILE, dir_fd=folder)
            closing.callback(os.close, reading)
            writing = open_private(part, os.O_WRONLY | os.O_EXCL)
            closing.callback(os.close, writing)
            while chunk := os.read(reading, READ_BYTES):
                copied.update(chunk)
                write_all(writing, chunk)
                size += len(chunk)
            if copied.hexdigest() != digest:
                return None
            os.fsync(writing)
        return size

    def _known(self) -> dict[str, int]:
        if self._sizes is None:
            try:
                self._sizes = self._scan()
            except FileNotFoundError:
                self._sizes = {}
            except OSError as error:
                raise storage_error(error, self._folder, "looking into") from error
        return self._sizes

    def _scan(self) -> dict[str, int]:
        sizes: dict[str, int] = {}
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if DIGEST.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    sizes[entry.name] = entry.stat(follow_symlinks=False).st_size
                elif entry.name.startswith(PART):
                    # Who was killed while copying left it; there is one writer for each session.
                    (self._folder / entry.name).unlink(missing_ok=True)
        return sizes
