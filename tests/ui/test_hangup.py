"""A terminal that is closed, and a program that is told to end: nothing that the agent started lives on."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ui.pty_host import PATIENCE_SECONDS, PtyHost

LASTING = "sh -c 'trap : TERM; while :; do sleep 1; done' & sleep 1e9"
PAUSE_SECONDS = 0.05


def working_in(folder: Path) -> list[int]:
    """The living processes whose folder it is."""
    return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and _folder_of(each) == folder]


def _folder_of(process: Path) -> Path | None:
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(PAUSE_SECONDS)


def close_window(host: PtyHost) -> None:
    host.close_master()


def tell_to_end(host: PtyHost) -> None:
    host.signal(signal.SIGTERM)


@pytest.mark.parametrize("leave", [close_window, tell_to_end])
def test_a_running_command_ends_with_the_program(leave: Callable[[PtyHost], None], tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    argv = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", "--mode", "full"]
    with PtyHost(argv, {**kept, "HOME": str(tmp_path), "PYTHONUTF8": "1"}, project) as host:
        host.read_until("sandbox")
        host.send(f"run {LASTING}\r".encode())
        host.read_until("◐ bash")
        wait_for(lambda: len(working_in(project)) >= len(("diligent", "bash", "sh", "sleep 1", "sleep 1e9")))
        leave(host)
        assert host.wait() < 0
        wait_for(lambda: not working_in(project))
