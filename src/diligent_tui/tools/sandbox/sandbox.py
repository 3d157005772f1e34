"""The sandbox of one run of the program: finds out once what it is worth, then shuts in each command."""

import asyncio
import shutil
import tempfile
import weakref
from dataclasses import replace
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.process import Launcher, PlainLauncher
from diligent_tui.tools.sandbox.bubblewrap import BubblewrapLauncher, find_bubblewrap
from diligent_tui.tools.sandbox.cage import cage_for
from diligent_tui.tools.sandbox.fenced import FencedLauncher
from diligent_tui.tools.sandbox.policy import EXTERNAL, OFF, SandboxPolicy, SandboxState
from diligent_tui.tools.sandbox.probe import probe
from diligent_tui.tools.sandbox.remembered import Remembered


class Sandbox:
    """Shuts commands in as far as this machine can; what it is worth is known after `find_out`."""

    def __init__(
        self,
        policy: SandboxPolicy,
        remembered: Path | None = None,
        bwrap: Path | None = None,
        *,
        look: bool = True,
        known: SandboxState | None = None,
    ) -> None:
        """Nothing is tried yet, or ever if it is `known`. `remembered` keeps the finding until the next boot.

        With `look` the system's bubblewrap is used where none is given.
        """
        self.policy = policy
        self._bwrap = find_bubblewrap() if look and bwrap is None else bwrap
        self._remembered = Remembered(remembered, policy, self._bwrap) if remembered else None
        self._state = {"off": OFF, "external": EXTERNAL}.get(policy.mode, known)
        self._finding: asyncio.Task[SandboxState] | None = None
        self._private: Path | None = None

    @property
    def state(self) -> SandboxState | None:
        """What it is worth; None until that is known."""
        return self._state

    @property
    def is_full(self) -> bool:
        """True if it is known, or the user says, that commands cannot get out."""
        return self._state is not None and self._state.is_trusted_full

    async def find_out(self) -> SandboxState:
        """Try to get out, once, in a thread; every later call answers from memory."""
        if self._state is None:
            self._finding = self._finding or asyncio.create_task(asyncio.to_thread(self._probe))
            self._state = found = await asyncio.shield(self._finding)
            return found
        return self._state

    def launcher(self, workplace: Workplace, *, network: bool) -> Launcher:
        """The way to start a command in a workplace; what it is worth must be known by now."""
        if self._state is None or self._state.level == "none":
            return PlainLauncher()
        cage = cage_for(self.policy, workplace, self._private_folder(), network=network)
        if self._state.backend == "bubblewrap" and self._bwrap is not None:
            return BubblewrapLauncher(self._bwrap, cage)
        return FencedLauncher(cage)

    def _private_folder(self) -> Path:
        """For the temporary files of all commands of this run; it goes with the run."""
        if self._private is None:
            self._private = Path(tempfile.mkdtemp(prefix="diligent-")).resolve()
            weakref.finalize(self, shutil.rmtree, self._private, ignore_errors=True)
        return self._private

    def _probe(self) -> SandboxState:
        known = self._remembered.recall() if self._remembered else None
        if known is None:
            known = probe(self.policy, self._bwrap)
            if self._remembered:
                self._remembered.keep(known)
        return replace(known, wants_more=self.policy.mode == "full" and known.level != "full")


def no_sandbox() -> Sandbox:
    """For front ends and tests that shut nothing in."""
    return Sandbox(SandboxPolicy(mode="off"), look=False)
