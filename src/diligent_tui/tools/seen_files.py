"""Which files the model has seen, and in what state, so that it never overwrites what it does not know of."""

import hashlib
import threading
from pathlib import Path

MOST_FILES = 10_000


class SeenFiles:
    """Remembers a digest of each file as it was last read or written here; may be used from any thread."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self._digests: dict[Path, bytes] = {}
        self._lock = threading.Lock()

    def remember(self, path: Path, digest: bytes) -> None:
        """The model now knows the file in this state; `path` has every link resolved."""
        with self._lock:
            self._digests.pop(path, None)
            self._digests[path] = digest
            if len(self._digests) > MOST_FILES:
                del self._digests[next(iter(self._digests))]

    def is_stale(self, path: Path, data: bytes) -> bool:
        """True if the model knew the file, but not as it is now."""
        with self._lock:
            known = self._digests.get(path)
        return known is not None and known != digest_of(data)


def new_digest() -> hashlib.blake2b:
    """To be fed with the bytes of a file as they are read."""
    return hashlib.blake2b(digest_size=16)


def digest_of(data: bytes) -> bytes:
    """The digest of a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).digest()
