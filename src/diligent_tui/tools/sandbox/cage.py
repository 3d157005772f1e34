"""What one command may reach: the workspace to write, everything but secrets to read."""

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from diligent_tui.tools.secret_files import SECRET_FOLDER_PAIRS, SECRET_FOLDERS

OWN_FOLDER = ".diligent"
SECRETS_IN_HOME = (
    *sorted(SECRET_FOLDERS),
    *("/".join(pair) for pair in sorted(SECRET_FOLDER_PAIRS)),
    ".local/share/keyrings",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/Bitwarden",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".config/git/credentials",
    ".dockercfg",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".terraform.d",
    ".vault-token",
    ".bash_history",
    ".zsh_history",
    ".python_history",
)
SERVICES = Path("/run")
SOCKETS = Path("/proc/net/unix")
LASTING_SECONDS = 2.0
SYSTEM_SECRETS = (Path("/etc/shadow"), Path("/etc/gshadow"), Path("/etc/sudoers"), Path("/etc/sudoers.d"))
PROTECTED = (".git/config", ".git/hooks", ".git/modules", "diligent.jsonc", OWN_FOLDER)
"""Inside the workspace, but what stands there runs later, or speaks for the user, outside any sandbox."""


@dataclass(frozen=True, slots=True)
class Cage:
    """All paths are real and absolute; what a backend cannot hold it leaves to its level."""

    root: Path
    cwd: Path
    writable: tuple[Path, ...]
    protected: tuple[Path, ...]
    """In a writable folder, and there: not to be written all the same."""
    hidden: tuple[Path, ...]
    """There, and not to be read; inside the workspace too."""
    sockets: tuple[Path, ...]
    """Where a service listens in a file outside the workspace: who can call it may have it do anything."""
    shown: tuple[Path, ...]
    """Inside of what is hidden, but to be read: this session's long outputs."""
    temporary: tuple[Path, ...]
    private: Path
    """Our own folder for the command's temporary files."""
    network: bool


def cage_for(policy: SandboxPolicy, workplace: Workplace, private: Path, *, network: bool) -> Cage:
    """The cage for a command in a workplace, as the files are now."""
    root = _real(workplace.root)
    sessions = root / OWN_FOLDER / "sessions"
    home = policy.home or Path.home()
    secrets = (*(home / name for name in SECRETS_IN_HOME), *SYSTEM_SECRETS, *policy.hidden)
    spill = _real(workplace.spill_folder)
    temporary = _there(policy.temporary)
    return Cage(
        root=root,
        cwd=_real(workplace.cwd),
        # Whoever works in / would have nothing protected: then there is nothing to write.
        writable=_there((root, *policy.writable)) if root != Path("/") else (),
        protected=tuple(path for name in PROTECTED if os.path.lexists(path := root / name)),
        hidden=_without_inner(_there((*secrets, sessions))),
        sockets=tuple(_sockets_outside((root, SERVICES, *temporary))),
        shown=(spill,) if spill.is_dir() and spill.is_relative_to(sessions) else (),
        temporary=temporary,
        private=private,
        network=network or policy.network,
    )


def _sockets_outside(folders: tuple[Path, ...]) -> Iterator[Path]:
    try:
        lines = SOCKETS.read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return
    for name in sorted({line.split(maxsplit=7)[7] for line in lines if " /" in line}):
        path = _real(Path(name))
        if not any(path.is_relative_to(folder) for folder in folders) and _is_lasting_socket(path):
            yield path


def _is_lasting_socket(path: Path) -> bool:
    """One that was only just made may be gone before it can be covered, and then nothing would start."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and time.time() - found.st_mtime >= LASTING_SECONDS


def _there(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(_real(path) for path in paths if path.exists()))


def _without_inner(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """What is inside another of them is hidden with it."""
    every = set(paths)
    return tuple(path for path in dict.fromkeys(paths) if every.isdisjoint(path.parents))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
