"""A run that is stopped from outside: real processes, real signals, real pipes; what was said is on disk."""

import fcntl
import os
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Start

SLOW = "[[t=4000 r=200 id=zz]]"
LONG = "[[t=200000 r=0 id=zz]]"
NEARLY_A_PIPE_BYTES = 50_000


def heard(line: int) -> bytes:
    """What has come so far; nothing while nobody has the other end, or has it and is silent."""
    try:
        return os.read(line, 10)
    except BlockingIOError:
        return b""


def session_text(project: Path) -> str:
    (path,) = (project / ".diligent" / "sessions").glob("*.jsonl")
    return path.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_what_was_said_and_ends_with_130(start: Start, project: Path, number: signal.Signals) -> None:
    child = start("-p", SLOW)
    assert child.stdout is not None
    first = os.read(child.stdout.fileno(), 10)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert b"is kept" in err
    assert b"Traceback" not in err
    session = session_text(project)
    assert '"stopReason":"interrupted"' in session
    assert (first + out).decode().strip()[:7] in session


def test_a_signal_ends_the_stream_with_its_last_line(start: Start) -> None:
    child = start("-p", SLOW, "--output-format", "stream-json")
    assert child.stdout is not None
    while b'"text_delta"' not in child.stdout.readline():
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    last = out.splitlines()[-1]
    assert b'"run_finished"' in last
    assert b'"stopReason": "interrupted", "exitCode": 130' in last


def test_a_signal_ends_a_command_with_its_children(start: Start, project: Path) -> None:
    os.mkfifo(project / "line")
    line = os.open(project / "line", os.O_RDONLY | os.O_NONBLOCK)
    child = start("-p", "run (sleep 1000 & echo up; wait) > line", "--mode", "full")
    while not heard(line):
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    assert child.returncode == 130
    # An empty read, and no complaint that one must wait, says that nobody has the other end any more.
    assert os.read(line, 10) == b""
    os.close(line)


@pytest.mark.parametrize("form", ["text", "json", "stream-json"])
def test_a_reader_that_leaves_ends_the_run_and_the_session_is_saved(start: Start, project: Path, form: str) -> None:
    child = start("-p", "[[t=20000 r=2000 id=zz]]" if form != "json" else "hello", "--output-format", form)
    assert child.stdout is not None
    assert child.stderr is not None
    if form == "text":
        os.read(child.stdout.fileno(), 10)
    while form == "stream-json" and b'"text_delta"' not in child.stdout.readline():
        assert child.poll() is None
    child.stdout.close()
    err = child.stderr.read()
    child.stderr.close()
    assert child.wait(30) == 1
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err
    stopped = "end_turn" if form == "json" else "interrupted"
    assert f'"stopReason":"{stopped}"' in session_text(project)


def test_a_signal_is_heard_while_the_reader_stands_still(start: Start, project: Path) -> None:
    child = start("-p", LONG)
    assert child.stdout is not None
    waiting = bytearray(4)
    while int.from_bytes(waiting, "little") < NEARLY_A_PIPE_BYTES:
        assert child.poll() is None
        fcntl.ioctl(child.stdout.fileno(), termios.FIONREAD, waiting)
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 130
    _, err = child.communicate()
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err
    assert '"stopReason":"interrupted"' in session_text(project)


def test_the_time_limit_holds_while_the_reader_stands_still(start: Start, project: Path) -> None:
    child = start("-p", LONG, "--max-seconds", "2")
    assert child.wait(30) == 3
    child.communicate()
    assert "[[t=200000" in session_text(project)


def test_a_signal_before_anything_began_leaves_no_traceback(project: Path, environment: dict[str, str]) -> None:
    script = (
        "import os, signal, sys; from diligent_tui.cli import main as door; "
        "sys.modules['diligent_tui.cli.run'] = type('Run', (), {'run': lambda words: os.kill(os.getpid(), "
        "signal.SIGINT)}); sys.exit(door.main(['-p', 'x']))"
    )
    done = subprocess.run([COMMAND[0], "-c", script], cwd=project, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (130, b"")
