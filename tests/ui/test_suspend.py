"""/suspend gives the terminal back to the shell, and fg comes back; where no shell waits, that is said."""

import os
import signal
import sys
from pathlib import Path

from tests.ui.pty_host import PtyHost

ARGV = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal"]
CTRL_Q = b"\x11"
REFUSAL = "no shell waits"


def house(folder: Path) -> tuple[dict[str, str], Path]:
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(folder), "PYTHONUTF8": "1", "PS1": "mine> "}, project


def test_suspend_gives_the_terminal_to_the_shell_and_fg_paints_all_again(tmp_path: Path) -> None:
    environment, project = house(tmp_path)
    # A wrapper stands between, as with uv run: it must be stopped too, else the shell would never know.
    wrapper = tmp_path / "wrapper.sh"
    wrapper.write_text(f"{' '.join(ARGV)}\necho left with $?\n")
    with PtyHost(["bash", "--norc", "--noprofile", "-i"], environment, project) as host:
        host.read_until("mine>")
        host.send(b"bash %s\n" % os.fsencode(wrapper))
        host.read_until("sandbox")
        host.read_until("Type first")
        host.send(b"/suspend\r")
        host.read_until(lambda screen: not screen.is_alternate)
        host.read_until("Stopped")
        host.send(b"echo $((6 * 7)) there\n")
        host.read_until("42 there")
        host.send(b"fg\n")
        host.read_until(lambda screen: screen.is_alternate)
        host.read_until("Type first")
        host.read_until("Ask, or")
        host.send(b"words")
        host.read_until("› words")
        host.send(CTRL_Q)
        host.read_until("left with 0")


def test_where_no_shell_waits_the_program_goes_on_and_says_so(tmp_path: Path) -> None:
    environment, project = house(tmp_path)
    with PtyHost(ARGV, environment, project) as host:
        host.read_until("sandbox")
        host.read_until("Type first")
        host.send(b"/suspend\r")
        host.read_until(REFUSAL)
        host.send(CTRL_Q)
        assert host.wait() == 0


def test_one_who_was_stopped_from_outside_comes_back_and_ends_as_usual(tmp_path: Path) -> None:
    environment, project = house(tmp_path)
    with PtyHost(ARGV, environment, project) as host:
        host.read_until("sandbox")
        host.read_until("Type first")
        host.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, host.process.pid, os.WSTOPPED | os.WNOWAIT)
        seen = len(host.output)
        host.signal(signal.SIGCONT)
        host.read_until(lambda _: b"Type first" in host.output[seen:])
        host.send(CTRL_Q)
        assert host.wait() == 0
