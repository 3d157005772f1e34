"""Starting a command behind Landlock and the filter of system calls, without a program in between."""

import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.process import Command, popen
from diligent_tui.tools.sandbox.cage import Cage
from diligent_tui.tools.sandbox.landlock import Fence, readable_around, shut_in
from diligent_tui.tools.sandbox.scratch import with_scratch
from diligent_tui.tools.sandbox.seccomp import filter_program, install_filter, this_machine

DEVICES = tuple(
    Path("/dev") / name for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "fd")
)
SHARED_MEMORY = Path("/dev/shm")
"""Without it no program can make a semaphore."""


@dataclass(frozen=True, slots=True)
class FencedLauncher:
    """Starts a command from a thread that shut itself in first: fences hold for a thread and its children only."""

    cage: Cage
    leader_is_guard: bool = False

    def start(self, command: Command, output: int) -> subprocess.Popen[bytes]:
        """Start it; OSError if it, or the fence, cannot be."""
        told = Command(command.program, command.cwd, with_scratch(command.environment, self.cage.private))
        starting = _Starting(fence_of(self.cage), told, output)
        starting.start()
        starting.join()
        if starting.process is None:
            raise starting.problem or OSError("The command was not started.")
        return starting.process


def fence_of(cage: Cage) -> Fence:
    """The fence nearest to a cage; what is hidden inside a writable folder stays open."""
    hidden = (*(path for path in cage.hidden if not path.is_relative_to(cage.root)), Path("/dev"))
    return Fence(
        readable=tuple(readable_around(hidden)),
        writable=(*cage.writable, *cage.temporary, cage.private, SHARED_MEMORY),
        devices=DEVICES,
        network=cage.network,
    )


class _Starting(threading.Thread):
    """The thread that goes in; it ends with the start."""

    def __init__(self, fence: Fence, command: Command, output: int) -> None:
        super().__init__(daemon=True)
        self.process: subprocess.Popen[bytes] | None = None
        self.problem: OSError | ValueError | None = None
        self._fence = fence
        self._command = command
        self._output = output

    def run(self) -> None:
        try:
            shut_in(self._fence)
            if machine := this_machine():
                install_filter(filter_program(machine, network=self._fence.network))
            self.process = popen(self._command, self._output)
        except (OSError, ValueError) as error:
            self.problem = error
