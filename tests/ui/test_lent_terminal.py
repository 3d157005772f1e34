"""The terminal lent to an editor: it alone writes there, the agent works on, and its text comes back."""

import os
import signal
import sys
from pathlib import Path

from tests.ui.pty_host import PtyHost

EDITOR = """
import sys, time
print("mine", flush=True)
time.sleep(1)
print("still mine", flush=True)
line = sys.stdin.readline().strip()
with open(sys.argv[1]) as file:
    before = file.read()
with open(sys.argv[1], "w") as file:
    file.write(f"{before} and {line}")
"""
CTRL_G, CTRL_Q = b"\x07", b"\x11"


def test_the_editor_has_the_terminal_to_itself_and_its_text_comes_back(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    script = tmp_path / "editor.py"
    script.write_text(EDITOR)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    environment = {**kept, "HOME": str(tmp_path), "PYTHONUTF8": "1", "EDITOR": f"{sys.executable} {script}"}
    argv = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal"]
    with PtyHost(argv, environment, project) as host:
        host.read_until("Ask, or")
        host.read_until("sandbox")
        host.send(b"explain [[fault=stall]]\r")
        host.read_until("This answer begins")
        host.send(b"words")
        host.read_until("› words")
        host.send(CTRL_G)
        host.read_until("still mine")
        _, _, behind = host.output.rpartition(b"mine\r\nstill")
        assert behind == b" mine\r\n"
        host.send(b"more\n")
        host.read_until("› words and more")
        host.send(CTRL_Q)
        assert host.wait() == 0
        assert host.termios_now() == host.termios_before


def test_the_whole_screen_is_there_again_after_the_shell_had_the_terminal(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    argv = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal"]
    with PtyHost(argv, {**kept, "HOME": str(tmp_path), "PYTHONUTF8": "1"}, project) as host:
        host.read_until("sandbox")
        host.read_until("Type first")
        host.signal(signal.SIGTSTP)
        host.read_until(lambda screen: not screen.is_alternate)
        os.waitid(os.P_PID, host.process.pid, os.WSTOPPED | os.WNOWAIT)
        host.signal(signal.SIGCONT)
        host.read_until(lambda screen: screen.is_alternate)
        host.read_until("Type first")
        host.read_until("Ask, or")
        host.send(CTRL_Q)
        assert host.wait() == 0
