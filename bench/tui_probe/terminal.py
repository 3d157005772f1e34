"""A terminal for programs that are measured: it types, looks for words in what they write, and tells their CPU time."""

import fcntl
import os
import re
import resource
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.frame import CommandFailed

COLUMNS, ROWS = 120, 40
PATIENCE_SECONDS = 120.0
# Words may be found across two reads, with colours between their letters.
KEPT_BYTES = 4_096
SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
# The clock of another process's CPU time: its id with this beneath, as clock_getcpuclockid(3) makes it.
PROCESS_CPU_CLOCK = 2
# A program that uses less than this share of a core for so long is at rest.
REST_SHARE, REST_SECONDS = 0.03, 0.5


class Terminal:
    """One program in a pseudo-terminal that is always read; `with` kills it at the end, which costs it nothing."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        """Start the program."""
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._child = subprocess.Popen(
            argv,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env={"TERM": "xterm-256color", "COLORTERM": "truecolor", **env},
            start_new_session=True,
        )
        os.close(slave)
        self._unseen = b""
        self.bytes_written = 0
        """All that the program wrote so far."""
        self._is_over = False
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        """Use it until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the program."""
        if self._child.returncode is None:
            self.kill()
        self._reader.join()
        os.close(self._master)

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of the running program so far, all threads."""
        return time.clock_gettime((~self._child.pid << 3) | PROCESS_CPU_CLOCK)

    @property
    def rss_megabytes(self) -> float:
        """The memory that the program holds now."""
        pages = int(Path(f"/proc/{self._child.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 1e6

    def type(self, keys: str) -> None:
        """Type; short enough that the terminal takes it at once."""
        os.write(self._master, keys.encode())

    def read_until(self, words: str) -> None:
        """Wait until these words are written, not counting what was written before the last find."""
        wanted = words.encode()
        # What never rests is not waited for until it does.
        deadline = time.monotonic() + PATIENCE_SECONDS
        with self._news:
            while wanted not in (shown := SEQUENCE.sub(b"", self._unseen)):
                self._unseen = self._unseen[-KEPT_BYTES:]
                rest_s = deadline - time.monotonic()
                if self._is_over or rest_s <= 0 or not self._news.wait(rest_s):
                    told = shown[-1_000:].decode(errors="replace")
                    raise CommandFailed(f"{words!r} never came on screen; the last was: {told}")
            self._unseen = b""

    def forget(self) -> None:
        """Count what was written so far as seen."""
        with self._news:
            self._unseen = b""

    def rest(self) -> None:
        """Wait until the program is at rest."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            before_s = self.cpu_seconds
            time.sleep(REST_SECONDS)
            if self.cpu_seconds - before_s < REST_SHARE * REST_SECONDS:
                self.forget()
                return
        raise CommandFailed("The program never came to rest.")

    def kill(self) -> float:
        """End the program at once; returns the CPU seconds it used, children that it waited for included."""
        os.killpg(self._child.pid, signal.SIGKILL)
        _, _, used = os.wait4(self._child.pid, 0)
        self._child.returncode = -signal.SIGKILL
        return used.ru_utime + used.ru_stime

    def wait(self) -> None:
        """Wait until the program has ended by itself."""
        self._child.wait(PATIENCE_SECONDS)

    def _read(self) -> None:
        while True:
            try:
                read = os.read(self._master, 1 << 16)
            except OSError:
                read = b""
            with self._news:
                self._unseen += read
                self.bytes_written += len(read)
                self._is_over = not read
                self._news.notify_all()
            if not read:
                return
