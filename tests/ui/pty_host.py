"""Runs a program in a real pseudo-terminal and plays the terminal: reads, types, resizes, hangs up."""

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.ui.vt_screen import VtScreen

# Long for a quiet machine, so that a busy one only makes a test slow.
PATIENCE_SECONDS = 150.0
_TICK_SECONDS = 0.05
# Makes the terminal the controlling one, which only a process inside the new session can do.
_LAUNCHER = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_END_OF_OUTPUT = b"\x00end of output\x00"
_QUESTION = re.compile(rb"\x1b\[\?(\d+)\$p")
_RESIZES_IN_BAND = 2048

Attributes = list[int | list[bytes | int]]


class PtyHost:
    """One program in one terminal; `with` ends the program if it is still there."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        cwd: Path,
        size: tuple[int, int] = (80, 24),
        *,
        answers: bool = False,
    ) -> None:
        """Start the program; a terminal that `answers` says yes to every mode it is asked about, as modern ones do."""
        self._output = bytearray()
        self.screen = VtScreen(*size)
        # How far questions were looked for, or None for a terminal that gives no answers.
        self._answered: int | None = 0 if answers else None
        self._is_open = True
        self._master, self._slave = os.openpty()
        os.set_blocking(self._master, False)
        self._set_size(*size)
        self.termios_before = self.termios_now()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, *argv],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            cwd=cwd,
            env={"TERM": "xterm-256color", "COLORTERM": "truecolor", **env},
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.close_master()
        os.close(self._slave)

    @property
    def output(self) -> bytes:
        """Everything the program wrote so far."""
        return bytes(self._output)

    def termios_now(self) -> Attributes:
        """The attributes of the terminal, which no program has to run for."""
        return termios.tcgetattr(self._slave)

    def send(self, keys: bytes) -> None:
        """Type; reads meanwhile, so that neither side can wait for the other."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while keys:
            try:
                keys = keys[os.write(self._master, keys) :]
            except BlockingIOError:
                assert time.monotonic() < deadline, self._told("did not take its keys")
                self._read(_TICK_SECONDS)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size and tell the program in the way it asked for."""
        self._set_size(columns, rows)
        self.screen.resize(columns, rows)
        if _RESIZES_IN_BAND in self.screen.modes:
            self.send(b"\x1b[48;%d;%d;%d;%dt" % (rows, columns, rows * 20, columns * 10))

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def close_master(self) -> None:
        """Hang up, as a terminal window that is closed does."""
        if self._is_open:
            os.close(self._master)
            self._is_open = False

    def read_until(self, wanted: str | Callable[[VtScreen], bool], timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Read until a regular expression is found on the screen, or the screen is as asked for."""
        deadline = time.monotonic() + timeout_seconds
        while not (re.search(wanted, self.screen.text) if isinstance(wanted, str) else wanted(self.screen)):
            # What a program wrote before its end may still be on the way.
            is_gone, seen_bytes = self.process.poll() is not None, len(self._output)
            assert time.monotonic() < deadline, self._told(f"never showed {wanted!r}")
            self._read(_TICK_SECONDS)
            assert not is_gone or len(self._output) > seen_bytes, self._told("ended early")

    def read_more(self, timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Read until the program has written something new."""
        seen_bytes = len(self._output)
        self.read_until(lambda _: len(self._output) > seen_bytes, timeout_seconds)

    def rest(self, seconds: float) -> None:
        """Read whatever comes for so long, to see whether anything does."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._read(min(left, _TICK_SECONDS))

    def wait(self, timeout_seconds: float = PATIENCE_SECONDS) -> int:
        """Wait for the end and all output before it; a signal is a negative status, as in subprocess."""
        if not self._is_open:
            return self.process.wait(timeout_seconds)
        deadline = time.monotonic() + timeout_seconds
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self._told("did not end")
            self._read(_TICK_SECONDS)
        self._read_rest(deadline)
        return self.process.returncode

    def _read_rest(self, deadline: float) -> None:
        """Output arrives in order but late: what we write ourselves comes after all of it."""
        while self._read(0):
            pass
        os.write(self._slave, _END_OF_OUTPUT)
        rest = b""
        while not rest.endswith(_END_OF_OUTPUT):
            assert time.monotonic() < deadline, self._told("lost its last output")
            rest += self._receive(_TICK_SECONDS)
        self._take(rest.removesuffix(_END_OF_OUTPUT))

    def _read(self, timeout_seconds: float) -> bool:
        received = self._receive(timeout_seconds)
        self._take(received)
        return bool(received)

    def _receive(self, timeout_seconds: float) -> bytes:
        is_ready = select.select([self._master], [], [], timeout_seconds)[0]
        return os.read(self._master, 1 << 16) if is_ready else b""

    def _take(self, received: bytes) -> None:
        self._output += received
        self.screen.feed(received)
        if self._answered is not None:
            for asked in _QUESTION.finditer(self._output, self._answered):
                self._answered = asked.end()
                self.send(b"\x1b[?%b;2$y" % asked[1])

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 10, rows * 20))

    def _told(self, what: str) -> str:
        seen = f"screen:\n{self.screen.text}\nlast output: {bytes(self._output[-2000:])!r}"
        return f"the program {what} (status {self.process.returncode}); {seen}"
