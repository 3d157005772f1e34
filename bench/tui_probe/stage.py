"""Where programs are opened to be measured: projects with sessions of several lengths, and a home of their own."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.tui_probe.sessions import write_session
from bench.tui_probe.terminal import Terminal

EMPTY_APP = Path(__file__).with_name("empty_app.py")
NAMES = ("home", "empty", "short", "middling", "long", "full")
MIDDLING_MESSAGES = 1_000
FULL_MESSAGES = 400
"""So many fill most of the offline model's window."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A home, and projects with no session, a short one, a middling one, a long one, and one that fills the window."""

    home: Path
    empty: Path
    short: Path
    middling: Path
    long: Path
    full: Path
    messages: int

    @classmethod
    def set_up(cls, folder: Path, messages: int) -> "Stage":
        """Make the folders and write the sessions."""
        home, empty, short, middling, long, full = paths = [folder / name for name in NAMES]
        for path in paths:
            path.mkdir()
        stage = cls(home, empty, short, middling, long, full, messages)
        write_session(stage.short, 20)
        write_session(stage.middling, MIDDLING_MESSAGES)
        write_session(stage.long, messages)
        write_session(stage.full, FULL_MESSAGES)
        return stage

    @property
    def environ(self) -> dict[str, str]:
        """An environment without what the caller has set."""
        return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.home)}

    def diligent(self, project: Path, *words: str) -> Terminal:
        """The program on the offline model, as it is installed."""
        command = str(Path(sys.executable).with_name("diligent"))
        return Terminal([command, "--model", "offline/rehearsal", *words], self.environ, project)

    def going_on(self, project: Path) -> Terminal:
        """The program on the session of a project."""
        return self.diligent(project, "--trust", "-c")

    def empty_app(self, *words: str) -> Terminal:
        """The least Textual program."""
        return Terminal([sys.executable, str(EMPTY_APP), *words], self.environ, self.empty)
