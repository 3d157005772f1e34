"""However the program ends, the terminal is as it was found. Everything here happens in a real pseudo-terminal."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from diligent_tui.ui.terminal import ENDING_SIGNALS, reset_sequence
from tests.ui.escape_grammar import foreign_sequences
from tests.ui.pty_host import PATIENCE_SECONDS, PtyHost
from tests.ui.vt_screen import VtScreen

STAND_IN = '''
import os, sys, time
from pathlib import Path
from textual.app import App
from textual.content import Content
from textual.widgets import Static
from diligent_tui.ui.terminal import TerminalGuard

class StandIn(App):
    BINDINGS = [("ctrl+q", "quit", "Quit")]

    def compose(self):
        yield Static("ready")

    def on_resize(self, event):
        self.query_one(Static).update(Content(f"ready {event.size.width}x{event.size.height}"))

    def key_x(self):
        raise RuntimeError("boom")

    def key_s(self):
        os.write(2, b"\\x1b[2;1Hasleep")
        time.sleep(600)

    def key_l(self):
        os.write(2, b"\\x1b[2;1Hspinning")
        while True:
            pass

    def key_f(self):
        """Fill the terminal until even the writer of Textual is stuck, then tell by a file."""
        full = os.open(os.ttyname(2), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            while True:
                os.write(full, b"filling " * 100)
        except BlockingIOError:
            pass
        for _ in range(10):
            self._driver.write("stuck " * 5000)
        while self._driver._writer_thread._queue.qsize() >= 10:
            pass
        Path("full").touch()
        while True:
            self._driver.write("stuck")

def on_stop():
    Path("stopped").touch()
    if "bad-hook" in sys.argv:
        raise RuntimeError("boom")

with TerminalGuard(on_stop):
    app = StandIn()
    app.run()
print("goodbye")
sys.exit(app.return_code)
'''

# Ends with the terminal in a state that Textual would never leave.
TORN = """
import os, termios, tty
from diligent_tui.ui.terminal import TerminalGuard

guard = TerminalGuard()
with guard:
    print("ready", flush=True)
    input()
    os.write(2, b"\\x1b[?1049h\\x1b[>25u\\x1b[?1003h\\x1b[?2026h\\x1b[31m\\x1b]0;cut in the midd")
    tty.setraw(0)
    try:
        raise RuntimeError("boom")
    except RuntimeError:
        guard.restore()
        print("restored once")
    # What a second restore would do to the cursor is seen here.
    guard.restore()
print("goodbye")
"""

# Is told to end before anything full-screen has begun.
EARLY = """
import os, signal
from diligent_tui.ui.terminal import TerminalGuard

print("before", flush=True)
with TerminalGuard():
    os.kill(os.getpid(), signal.SIGTERM)
"""

# A fork is ended while its parent has the screen.
FORKED = """
import os, signal
from diligent_tui.ui.terminal import TerminalGuard

with TerminalGuard():
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGTERM)
    os.waitpid(child, 0)
print("goodbye")
"""

# Plays a shell with job control: gives the terminal to its child, takes it back, ends the child in the background.
SHELL = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
child = subprocess.Popen(sys.argv[1:], process_group=0)
os.tcsetpgrp(0, child.pid)
signal.sigwait([signal.SIGUSR1])
os.tcsetpgrp(0, os.getpgrp())
child.send_signal(signal.SIGTERM)
_, status = os.waitpid(child.pid, os.WUNTRACED)
os.write(1, b"child ended by %d, stopped %d" % (os.WTERMSIG(status), os.WIFSTOPPED(status)))
signal.sigwait([signal.SIGUSR1])
"""


DILIGENT = """
import sys
from diligent_tui.cli.main import main

sys.argv[1:] = ["--model", "offline/rehearsal"]
sys.exit(main())
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A script: when it is there, how it is left."""

    name: str
    script: str
    ready: str = "ready"
    quit_keys: bytes = b"\x11"

    def argv(self, folder: Path) -> list[str]:
        script = folder / "program.py"
        script.write_text(self.script)
        return [sys.executable, str(script)]


PROGRAMS = (Program("stand-in", STAND_IN), Program("diligent", DILIGENT, ready="diligent"))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(tmp_path), "PYTHONUTF8": "1"}


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.name)
def program(request: pytest.FixtureRequest) -> Program:
    return request.param


@pytest.fixture
def stand_in(tmp_path: Path) -> list[str]:
    return PROGRAMS[0].argv(tmp_path)


def is_as_found(host: PtyHost) -> bool:
    assert host.screen.left_on == []
    assert host.termios_now() == host.termios_before
    return True


def is_untouched(host: PtyHost) -> bool:
    """As found, and nothing written over what was on the screen before."""
    assert host.screen.text.strip() == ""
    assert (host.screen.column, host.screen.row) == (0, 0)
    assert foreign_sequences(host.output) == []
    return is_as_found(host)


@pytest.mark.parametrize("answers", [False, True], ids=["plain terminal", "modern terminal"])
def test_quitting_leaves_the_terminal_as_found(
    program: Program, answers: bool, environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(program.argv(tmp_path), environment, tmp_path, answers=answers) as host:
        host.read_until(program.ready)
        assert host.screen.is_alternate
        assert host.termios_now() != host.termios_before
        if answers:
            host.read_until(lambda screen: {1016, 2048} <= screen.modes)
        host.send(program.quit_keys)
        assert host.wait() == 0
        assert is_as_found(host)
        assert foreign_sequences(host.output) == []


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_signal_leaves_the_terminal_as_found(
    program: Program, number: signal.Signals, environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(program.argv(tmp_path), environment, tmp_path, answers=True) as host:
        host.read_until(program.ready)
        host.signal(number)
        assert host.wait() == -number
        assert is_untouched(host)


@pytest.mark.parametrize("number", ENDING_SIGNALS)
@pytest.mark.parametrize(("key", "state"), [(b"s", "asleep"), (b"l", "spinning")])
def test_a_signal_ends_a_blocked_program_and_leaves_the_terminal_as_found(
    key: bytes, state: str, number: signal.Signals, stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(stand_in, environment, tmp_path) as host:
        host.read_until("ready")
        host.send(key)
        host.read_until(state)
        host.signal(number)
        assert host.wait() == -number
        assert is_untouched(host)


def test_a_signal_is_not_held_up_by_a_terminal_that_has_stopped_reading(
    stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(stand_in, environment, tmp_path) as host:
        host.read_until("ready")
        host.send(b"f")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (tmp_path / "full").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        host.signal(signal.SIGTERM)
        assert host.process.wait(PATIENCE_SECONDS) == -signal.SIGTERM
        host.wait()
        assert is_as_found(host)


def test_two_signals_at_once_end_it_once(stand_in: list[str], environment: dict[str, str], tmp_path: Path) -> None:
    with PtyHost(stand_in, environment, tmp_path) as host:
        host.read_until("ready")
        host.signal(signal.SIGTERM)
        host.signal(signal.SIGHUP)
        assert host.wait() in {-signal.SIGTERM, -signal.SIGHUP}
        assert is_untouched(host)


def test_an_exception_leaves_the_terminal_as_found_and_its_story_on_the_screen(
    stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(stand_in, environment, tmp_path, answers=True) as host:
        host.read_until("ready")
        host.send(b"x")
        assert host.wait() == 1
        assert is_as_found(host)
        assert [row for row in host.screen.rows if row][-2:] == ["RuntimeError: boom", "goodbye"]


def test_restoring_by_hand_mends_what_nobody_else_did_and_only_once(
    environment: dict[str, str], tmp_path: Path
) -> None:
    torn = Program("torn", TORN)
    with PtyHost(torn.argv(tmp_path), environment, tmp_path) as host:
        host.read_until("ready")
        host.send(b"\n")
        assert host.wait() == 0
        assert is_as_found(host)
        assert [row for row in host.screen.rows if row] == ["ready", "restored once", "goodbye"]


def test_a_signal_before_the_screen_is_entered_leaves_the_cursor_where_it_was(
    environment: dict[str, str], tmp_path: Path
) -> None:
    early = Program("early", EARLY)
    with PtyHost(early.argv(tmp_path), environment, tmp_path) as host:
        assert host.wait() == -signal.SIGTERM
        assert is_as_found(host)
        assert host.screen.text.strip() == "before"
        assert (host.screen.column, host.screen.row) == (0, 1)


def test_a_fork_that_is_ended_does_not_take_the_screen_away(environment: dict[str, str], tmp_path: Path) -> None:
    forked = Program("forked", FORKED)
    with PtyHost(forked.argv(tmp_path), environment, tmp_path) as host:
        assert host.wait() == 0
        assert host.screen.text.strip() == "goodbye"
        assert b"\x1b[?1049l" not in host.output


def test_without_a_terminal_nothing_is_written_and_a_signal_still_ends_it(
    environment: dict[str, str], tmp_path: Path
) -> None:
    early = Program("early", EARLY)
    ended = subprocess.run(early.argv(tmp_path), env=environment, cwd=tmp_path, capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGTERM, b"before\n", b"")


def test_a_closed_terminal_ends_the_leader_of_its_session(
    program: Program, environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(program.argv(tmp_path), environment, tmp_path) as host:
        host.read_until(program.ready)
        host.close_master()
        assert host.wait() == -signal.SIGHUP


def test_a_closed_terminal_ends_a_program_that_no_signal_tells(
    program: Program, environment: dict[str, str], tmp_path: Path
) -> None:
    shell = ["sh", "-c", 'trap "" HUP; "$@"; echo $? > status', "sh", *program.argv(tmp_path)]
    with PtyHost(shell, environment, tmp_path) as host:
        host.read_until(program.ready)
        host.close_master()
        assert host.wait() == 0
        assert (tmp_path / "status").read_text() == f"{128 + signal.SIGHUP}\n"


def test_in_the_background_a_signal_ends_it_without_touching_the_terminal(
    stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    shell = tmp_path / "shell.py"
    shell.write_text(SHELL)
    with PtyHost([sys.executable, str(shell), *stand_in], environment, tmp_path) as host:
        host.read_until("ready")
        host.signal(signal.SIGUSR1)
        host.read_until("child ended by 15, stopped 0")
        assert host.screen.is_alternate
        host.signal(signal.SIGUSR1)
        assert host.wait() == 0


def test_stopped_by_the_shell_the_terminal_is_given_back_and_taken_again(
    stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost(stand_in, environment, tmp_path) as host:
        host.read_until("ready")
        host.signal(signal.SIGTSTP)
        os.waitid(os.P_PID, host.process.pid, os.WSTOPPED | os.WNOWAIT)
        host.read_until(lambda screen: screen.left_on == [])
        assert host.termios_now() == host.termios_before
        host.signal(signal.SIGCONT)
        host.read_until("ready")
        assert host.screen.is_alternate
        host.signal(signal.SIGTERM)
        assert host.wait() == -signal.SIGTERM
        assert is_untouched(host)


@pytest.mark.parametrize("hook", ["good-hook", "bad-hook"])
def test_the_hook_is_called_on_a_signal_and_cannot_keep_it_from_ending(
    hook: str, stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    with PtyHost([*stand_in, hook], environment, tmp_path) as host:
        host.read_until("ready")
        host.signal(signal.SIGTERM)
        assert host.wait() == -signal.SIGTERM
        assert (tmp_path / "stopped").exists()
        assert is_untouched(host)


def test_quitting_by_signal_writes_no_memory_to_disk(
    stand_in: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    shell = ["sh", "-c", 'ulimit -c "$(ulimit -Hc)"; exec "$@"', "sh", *stand_in]
    with PtyHost(shell, environment, tmp_path) as host:
        host.read_until("ready")
        host.signal(signal.SIGQUIT)
        ending = os.waitid(os.P_PID, host.process.pid, os.WEXITED | os.WNOWAIT)
        assert ending is not None
        assert (ending.si_status, ending.si_code) == (signal.SIGQUIT, os.CLD_KILLED)


@pytest.mark.parametrize("answers", [False, True], ids=["told by signal", "told in band"])
def test_a_thousand_resizes_down_to_one_cell_are_survived_without_clearing_the_screen(
    answers: bool, environment: dict[str, str], tmp_path: Path
) -> None:
    program = PROGRAMS[1]
    tiny = [(1, 1), (80, 24), (2, 1), (40, 3), (1, 30), (133, 43), (3, 2), (1, 1), (5, 1)]
    with PtyHost(program.argv(tmp_path), environment, tmp_path, answers=answers) as host:
        host.read_until(program.ready)
        for number in range(100):
            # Ten at a go, as a dragged edge sends them; the last is new each time, so that it must be painted.
            for size in (*tiny, (20 + number, 24)):
                host.resize(*size)
            host.read_more()
        host.resize(80, 24)
        host.read_until(program.ready)
        host.send(program.quit_keys)
        assert host.wait() == 0
        assert b"\x1b[2J" not in host.output
        assert b"\x1b[3J" not in host.output
        assert is_as_found(host)


def test_the_reset_mends_a_terminal_that_a_killed_program_left() -> None:
    screen = VtScreen(20, 5)
    modes = (1000, 1002, 1003, 1004, 1006, 1015, 1016, 2004, 2026, 2048)
    left = "$ diligent\r\n\x1b[?1049h\x1b[>25u\x1b[?7;25l" + "".join(f"\x1b[?{mode}h" for mode in modes) + "\x1b[31mx"
    screen.feed(left.encode())
    assert len(screen.left_on) == len(modes) + 5
    screen.feed(reset_sequence().encode())
    assert screen.left_on == []
    assert screen.rows[0] == "$ diligent"
    assert (screen.column, screen.row) == (0, 1)
