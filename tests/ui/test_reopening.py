"""The real program in a real terminal: used, killed, opened again."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.ui.pty_host import PtyHost


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "README.md").write_text("# Swans\n\nSeven of them.\n")
    return folder


def start(project: Path, *words: str) -> PtyHost:
    environment = {"HOME": str(project.parent / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", *words]
    return PtyHost(command, environment, project, (100, 30))


def test_two_tools_run_and_leaving_leaves_a_clean_terminal(project: Path) -> None:
    with start(project) as host:
        host.read_until("Type first:")
        host.send(b"read README.md then run echo hi\r")
        host.read_until("✓ read")
        host.read_until("✓ bash")
        host.read_until("Seven of them")
        host.send(b"\x11")
        assert host.wait() == 0
        assert host.screen.left_on == []
        assert host.termios_now() == host.termios_before


def test_escape_keeps_the_words(project: Path) -> None:
    with start(project) as host:
        host.read_until("Type first:")
        host.send(b"[[t=8000 r=300 id=ab]]\r")
        host.read_until("Part 1")
        host.send(b"\x1b")
        host.read_until("stopped · what was said so far is kept")
        host.send(b"\x11")
        assert host.wait() == 0


def test_killed_in_the_middle_of_an_answer_everything_is_there_again(project: Path) -> None:
    sessions = project / ".diligent" / "sessions"
    with start(project) as host:
        host.read_until("Type first:")
        host.send(b"tell me all [[t=8000 r=300 id=zz]]\r")
        while not any('"partial"' in path.read_text() for path in sessions.glob("*.jsonl")):
            host.read_more()
        host.send(b"half a thought")
        drafts = project.parent / "home"
        while not any(b"half a thought" in path.read_bytes() for path in drafts.rglob("drafts/*.txt")):
            host.read_more()
        host.signal(signal.SIGKILL)
        host.wait()
    with start(project, "-c") as host:
        host.read_until("stopped · what was said so far is kept")
        host.read_until("half a thought")
        host.send(b"\x15what did I ask?\r")
        host.read_until("You asked")
        host.read_until("tell me all")
        host.send(b"\x11")
        assert host.wait() == 0


def test_killed_while_a_command_runs_it_is_told_as_interrupted_in_the_chat_and_in_the_list(
    project: Path,
) -> None:
    with start(project, "--mode", "full") as host:
        host.read_until("Type first:")
        host.send(b"run sleep 30\r")
        host.read_until("◐ bash")
        host.signal(signal.SIGKILL)
        host.wait()
    with start(project, "-c") as host:
        host.read_until("✗ bash")
        host.read_until("interrupted")
        host.send(b"\x1bOR")
        host.read_until("Tools")
        host.read_until("1 call")
        host.send(b"\x11")
        assert host.wait() == 0


def test_a_session_that_was_killed_in_its_first_turn_is_called_by_its_first_words(project: Path) -> None:
    with start(project, "--mode", "full") as host:
        host.read_until("Type first:")
        host.send(b"run sleep 30\r")
        host.read_until("◐ bash")
        host.signal(signal.SIGKILL)
        host.wait()
    with start(project, "-c") as host:
        host.read_until("✗ bash")
        host.read_until("diligent +run sleep 30 ")
        host.send(b"list\r")
        host.read_until("✓ ls")
        host.read_until("diligent +run sleep 30 ")
        host.send(b"\x11")
        assert host.wait() == 0


def test_an_answer_that_broke_off_is_told_so_after_reopening(project: Path) -> None:
    with start(project) as host:
        host.read_until("Type first:")
        host.send(b"tell me [[fault=cut]]\r")
        host.read_until("✗ ")
        host.send(b"\x11")
        assert host.wait() == 0
    with start(project, "--continue") as host:
        host.read_until("✗ the answer broke off and is not complete")
        host.send(b"\x11")
        assert host.wait() == 0
