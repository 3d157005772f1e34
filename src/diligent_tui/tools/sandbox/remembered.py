"""What was found about the sandbox, until the machine starts again or something about it changes."""

import hashlib
import os
import sys
from pathlib import Path

from pydantic import ValidationError

from diligent_tui import __version__
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.records import Record
from diligent_tui.storage.private import write_private
from diligent_tui.tools.sandbox.policy import BackendName, SandboxLevel, SandboxPolicy, SandboxState

BOOT = Path("/proc/sys/kernel/random/boot_id")
NAMESPACES = ("user", "mnt", "pid", "net")
"""A container has the boot of its host, but not its rights."""
LARGEST_BYTES = 10_000


class Finding(Record):
    """The file: what was found, and on what."""

    key: str
    level: SandboxLevel
    backend: BackendName
    sentence: str


class Remembered:
    """A finding in a private file; it may be lost at any time, and then is made again."""

    def __init__(self, path: Path, policy: SandboxPolicy, bwrap: Path | None) -> None:
        """Nothing is read yet."""
        self._path = path
        self._policy = policy
        self._bwrap = bwrap

    def recall(self) -> SandboxState | None:
        """The finding, if all that it rests on is still the same."""
        try:
            with self._path.open("rb") as file:
                finding = Finding.model_validate_json(file.read(LARGEST_BYTES))
        except (OSError, ValidationError):
            return None
        return SandboxState(finding.level, finding.backend, finding.sentence) if finding.key == self._key() else None

    def keep(self, state: SandboxState) -> None:
        """Keep a finding; one that cannot be kept is made again next time."""
        finding = Finding(key=self._key(), level=state.level, backend=state.backend, sentence=state.sentence)
        try:
            write_private(self._path, finding.model_dump_json().encode())
        except (StorageError, OSError):
            return

    def _key(self) -> str:
        about = [__version__, sys.executable, str(os.geteuid()), self._policy.mode, str(self._policy.network)]
        about += [_link(Path("/proc/self/ns") / name) for name in NAMESPACES]
        about += [_boot(), str(self._bwrap), _stamp(self._bwrap)]
        return hashlib.sha256("\n".join(about).encode()).hexdigest()


def _boot() -> str:
    try:
        return BOOT.read_text().strip()
    except OSError:
        # Without a boot to know it by, nothing is remembered beyond this process.
        return str(os.getpid())


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""


def _stamp(program: Path | None) -> str:
    if program is None:
        return ""
    try:
        found = program.stat()
    except OSError:
        return ""
    return f"{found.st_ino} {found.st_mtime_ns} {found.st_size} {found.st_mode}"
