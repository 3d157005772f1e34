"""bubblewrap: namespaces of its own for each command, with a file tree made for it."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.process import Command, popen
from diligent_tui.tools.sandbox.cage import Cage
from diligent_tui.tools.sandbox.scratch import with_scratch

SYSTEM_FOLDERS = "/usr/bin:/bin:/usr/local/bin"
"""Only a system's own bubblewrap: one from elsewhere may be planted, and AppArmor may allow no other."""
KEPT_OF_RUN = ("/run/current-system", "/run/opengl-driver")
"""Programs and libraries of some systems are here, between the sockets of services."""
KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus")
NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")


def find_bubblewrap(search_path: str = SYSTEM_FOLDERS) -> Path | None:
    """The system's bubblewrap, if it is installed."""
    found = shutil.which("bwrap", path=search_path)
    return Path(found) if found else None


@dataclass(frozen=True, slots=True)
class BubblewrapLauncher:
    """Starts a command inside; bubblewrap itself stays outside as the one that is waited for."""

    bwrap: Path
    cage: Cage
    leader_is_guard: bool = True

    def start(self, command: Command, output: int) -> subprocess.Popen[bytes]:
        """Start it; OSError if bubblewrap cannot be run."""
        program = (str(self.bwrap), *arguments(self.cage), "--", *command.program)
        scratch = self.cage.temporary[0] if self.cage.temporary else self.cage.private
        return popen(Command(program, command.cwd, with_scratch(command.environment, scratch)), output)


def arguments(cage: Cage) -> tuple[str, ...]:
    """What bubblewrap is told. Later mounts lie over earlier ones, so the order is from wide to narrow.

    There is no --new-session: the command has its session from us, and no terminal to be pushed bytes through.
    """
    told = [*NAMESPACES, "--die-with-parent", "--cap-drop", "ALL"]
    if not cage.network:
        told.append("--unshare-net")
    told += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    # They belong to root by number: bubblewrap 0.8 leaves them open to who is root outside too.
    told += [word for path in KERNEL_SETTINGS if Path(path).exists() for word in ("--ro-bind", path, path)]
    # The sockets of the system's services: who may speak to them may do anything.
    told += ["--tmpfs", "/run", *_kept_of_run(cage)]
    for place in cage.temporary:
        own = cage.private / place.name
        own.mkdir(mode=0o700, exist_ok=True)
        told += ["--bind", str(own), str(place)]
    for folder in cage.writable:
        told += ["--bind", str(folder), str(folder)]
    told += _protections(cage)
    for path in cage.hidden:
        told += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    for path in cage.sockets:
        told += ["--ro-bind", os.devnull, str(path)]
    for path in cage.shown:
        told += ["--ro-bind", str(path), str(path)]
    for path in cage.hidden:
        if path.is_dir():
            told += ["--remount-ro", str(path)]
    return (*told, "--chdir", str(cage.cwd))


def _protections(cage: Cage) -> Sequence[str]:
    told: list[str] = []
    repository = cage.root / ".git"
    if repository.is_dir() and not repository.is_symlink() and cage.root in cage.writable:
        # A mount cannot be renamed: without this one, .git could be moved away and another put in its place.
        told += ["--bind", str(repository), str(repository)]
    elif os.path.lexists(repository) and not repository.is_symlink():
        told += ["--ro-bind", str(repository), str(repository)]
    for path in cage.protected:
        # What is a link is looked at again after the command, like what is not there yet.
        if not path.is_symlink() and path.parent.resolve() == path.parent:
            told += ["--ro-bind", str(path), str(path)]
    return told


def _kept_of_run(cage: Cage) -> Sequence[str]:
    kept = [path for path in KEPT_OF_RUN if Path(path).exists()]
    names = Path("/etc/resolv.conf").resolve()
    if cage.network and names.is_relative_to("/run") and names.exists():
        kept.append(str(names))
    return [word for path in kept for word in ("--ro-bind", path, path)]
