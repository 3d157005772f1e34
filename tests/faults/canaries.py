"""One run of the real program with canary keys in every place that holds keys, and all that came out of it."""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.ui.pty_host import PtyHost
from tests.wire.scripts import Refuse, Script
from tests.wire.server import WireServer

CANARY = f"canary-{secrets.token_hex(6)}"
SEEN = "plainly-visible-93ab"
"""Handed on to commands, so that a place without it would prove nothing."""
KEY_VARIABLES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD")
SETTINGS = f"""{{
  "provider": {{
    "anthropic": {{ "baseUrl": "%s", "headers": {{ "x-team": "{CANARY}-header" }} }},
    "openai": {{ "apiKey": "{CANARY}-settings" }},
    "ollama": {{ "apiKeyCommand": "printenv DB_PASSWORD; exit 3" }}
  }},
  "nonsense": "{CANARY}-misplaced"
}}"""
COMMANDS = {
    "env": "env",
    "a login shell": "bash -lc env",
    "an interactive shell": "bash -ic env",
    "all variables of the shell": "set; export -p; declare -p",
    "a child's child": "sh -c 'sh -c env'",
    "a child in the background": "(env > from-behind &) ; sleep 0.3; cat from-behind; rm from-behind",
    "git": "GIT_TRACE=1 git version; git config --list --show-origin; git var -l",
    "python": "python3 -c 'import os; print(os.environ)'",
    "its own environment in /proc": "cat /proc/self/environ | tr '\\0' '\\n'",
    "our environment in /proc": "tr '\\0' '\\n' < /proc/$PPID/environ",
    "our command line in /proc": "tr '\\0' ' ' < /proc/$PPID/cmdline",
    "our open files in /proc": "ls -l /proc/$PPID/fd",
    "all processes in /proc": "cat /proc/[0-9]*/{environ,cmdline} | tr '\\0' '\\n' | grep -a -e canary -e visible",
    "ps": "ps auxeww | grep -a -e canary -e visible",
    "an error message": "bash -c 'echo ${ANTHROPIC_API_KEY:?not set}'",
}
LONG = "for i in $(seq 150); do env; done"
"""Says more than is kept in a line, so that the whole goes to a file."""


@dataclass(frozen=True, slots=True)
class Place:
    """A project and a home with canaries."""

    project: Path
    home: Path
    environ: Mapping[str, str]

    def run(self, *words: str) -> bytes:
        """Run the program; all that it said."""
        return self.run_program("-m", "diligent_tui.cli.main", *words)

    def run_program(self, *words: str) -> bytes:
        """Run Python; all that it said."""
        program = [sys.executable, *words]
        ran = subprocess.run(
            program, cwd=self.project, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
        )
        return ran.stdout + b"\n--\n" + ran.stderr

    def files(self) -> dict[str, bytes]:
        """All files in the project and the home but the settings, in which the user put keys."""
        found = [path for folder in (self.project, self.home) for path in folder.rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in found if path.name != "diligent.jsonc"}

    def say(self, prompt: str, form: str = "stream-json") -> bytes:
        """One answer of the offline model."""
        return self.run("-p", prompt, "--mode", "full", "--model", "offline/rehearsal", "--output-format", form)

    def ask_provider(self, server: WireServer, fault: Refuse) -> bytes:
        """One question to a provider that refuses it."""
        server.reset()
        server.play(*[Script(fault=fault)] * 10)
        return self.run("-p", "hello", "--model", "anthropic/claude-sonnet-4-5")

    def open_screen(self, words: Sequence[str] = ()) -> bytes:
        """Open the screen, let a command run in it and leave; every byte that the terminal was sent."""
        argv = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", "--mode", "full", *words]
        with PtyHost(argv, self.environ, self.project, (120, 40)) as host:
            host.read_until("Ask|Type|prompt|offline")
            host.send(b"run env | grep -v npm | grep -v XDG | sort\r")
            host.read_until(SEEN)
            host.send(b"\x11")
            host.wait()
            return host.output


def make_place(folder: Path, url: str) -> Place:
    """Put the canaries in their places."""
    project, home = folder / "project", folder / "home"
    (project / ".git").mkdir(parents=True)
    (home / ".config" / "diligent").mkdir(parents=True)
    (home / ".config" / "diligent" / "diligent.jsonc").write_text(SETTINGS % url)
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    keys = {name: f"{CANARY}-{name}" for name in KEY_VARIABLES}
    own = {"HOME": str(home), "PYTHONUTF8": "1", "LC_PROBE": SEEN, "DILIGENT_NONSENSE": f"{CANARY}-variable"}
    return Place(project, home, {**kept, **keys, **own})
