"""What the user wants of the sandbox, and what this machine gives."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SandboxMode = Literal["auto", "full", "off", "external"]
SandboxLevel = Literal["full", "partial", "none"]
BackendName = Literal["bubblewrap", "landlock", "none"]


@dataclass(frozen=True, slots=True)
class SandboxPolicy:
    """What the user wants: `auto` takes the best there is, `full` runs nothing in less, `off` shuts nothing in.

    `external` says that all of diligent runs in a container of the user's, which is taken at its word.
    """

    mode: SandboxMode = "auto"
    network: bool = False
    """True if every command may use the network without being asked for."""
    writable: tuple[Path, ...] = ()
    """Folders outside the workspace that commands may write, such as a build cache."""
    hidden: tuple[Path, ...] = ()
    """Files and folders that commands may not read, besides the usual secrets: our own settings and state."""
    home: Path | None = None
    """Where the usual secrets are looked for; None for the user's own home."""
    temporary: tuple[Path, ...] = (Path("/tmp"), Path("/var/tmp"))
    """Places for anybody's temporary files; a command sees its own folders there where that can be done."""


@dataclass(frozen=True, slots=True)
class SandboxState:
    """How far commands are shut in, found by trying to get out."""

    level: SandboxLevel
    backend: BackendName
    sentence: str
    """For people: what holds, what does not, and what to do about it."""
    wants_more: bool = False
    """True if the settings ask for a full sandbox that is not there: then nothing runs."""
    is_off: bool = False
    """True if the user switched it off."""
    is_external: bool = False
    """True if the user says that something around us shuts us in."""

    @property
    def is_trusted_full(self) -> bool:
        """True if commands cannot get out: tried here, or said by the user."""
        return self.level == "full" or self.is_external

    @property
    def word(self) -> str:
        """What the header says."""
        if self.is_off:
            return "sandbox off"
        if self.is_external:
            return "sandbox external"
        return "no sandbox" if self.level == "none" else f"sandbox {self.level}"


EXTERNAL = SandboxState(
    "none",
    "none",
    "The settings say that diligent runs in a container (sandbox.mode), so commands are not shut in further.",
    is_external=True,
)
OFF = SandboxState("none", "none", "The sandbox is switched off in the settings (sandbox.mode).", is_off=True)
