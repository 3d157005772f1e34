"""Leaves the terminal as it was found, however the process ends (kill -9 excepted).

Textual restores it on a normal exit and after an exception, but not on a signal. Handlers here are plain Python ones
that do everything themselves, so that they also work while the event loop is blocked or spinning.
"""

import os
import resource
import select
import signal
import termios
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

ENDING_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
STDOUT, STDERR = 1, 2
# Wakes a thread out of a write; by default it does nothing, so one that is delivered late does no harm.
_INTERRUPTION = signal.SIGURG

# What a program may switch on and nobody outside of it wants: sync output first, so that the rest is shown at once.
_MODES_OFF = (2026, 1000, 1002, 1003, 1005, 1006, 1015, 1016, 1004, 2004, 2048)
_MODES_ON = (7, 25)
# Gives up a sequence that was cut in the middle, which would swallow the rest; is nothing otherwise.
_CANCEL = "\x18"
SAVE_CURSOR = "\x1b7"
# The title goes onto the terminal's own stack and comes back from there; those without one pass it over.
SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
_POP_KITTY_KEYS = "\x1b[<u"
_LEAVE_ALTERNATE_SCREEN = "\x1b[?1049l"
_LINK_POINTER_AND_COLOURS = f"\x1b]8;;\x1b\\\x1b]22;default\x07\x1b[0m{RESTORE_TITLE}"

# A terminal that takes nothing for a second is not going to.
_WRITE_TRIES = 100
_WRITE_PAUSE_SECONDS = 0.01
# Linux wakes the watcher at once; elsewhere a closed terminal is noticed this late.
_HANGUP_CHECK_MS = 2_000

Attributes = list[int | list[bytes | int]]


def reset_sequence() -> str:
    """What to write to a terminal that a full-screen program left behind."""
    # Keys are popped first: kitty keeps one stack per screen.
    return _CANCEL + _modes() + _POP_KITTY_KEYS + _LEAVE_ALTERNATE_SCREEN + _modes() + _LINK_POINTER_AND_COLOURS


def has_shell_to_go_back_to() -> bool:
    """Whether a shell that minds its jobs started us: such a one gives each of them a group of its own."""
    return os.getpgrp() != os.getsid(0)


def _modes() -> str:
    return "".join(f"\x1b[?{mode}l" for mode in _MODES_OFF) + "".join(f"\x1b[?{mode}h" for mode in _MODES_ON)


def _nothing() -> None:
    pass


class TerminalGuard:
    """Remembers the terminal on entry and gives it back on every way out; to be entered in the main thread."""

    def __init__(self, on_stop: Callable[[], None] = _nothing) -> None:
        """Take what to do on a signal after the terminal is back; it must be quick."""
        self._on_stop = on_stop
        self._terminal: int | None = None
        self._attributes: Attributes | None = None
        self._is_restored = False
        self._has_exited = False
        self._process_id = os.getpid()
        self._previous: dict[signal.Signals, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Self:
        """Remember the terminal and take the ending signals."""
        self._terminal = _open_terminal()
        if self._terminal is not None:
            self._attributes = _attributes_of(self._terminal)
            # Leaving an alternate screen that was never entered moves the cursor to where it was last saved.
            self._write(SAVE_CURSOR + SAVE_TITLE)
            threading.Thread(
                target=self._watch_for_hangup, args=(self._terminal,), name="hangup-watch", daemon=True
            ).start()
        self._previous = {number: signal.signal(number, self._end) for number in ENDING_SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Give the terminal and the signals back."""
        self._has_exited = True
        self.restore()
        for number, handler in self._previous.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None

    def restore(self) -> None:
        """Put back what is not yet as it was; safe to call again and after Textual has done its part."""
        if self._is_restored or self._terminal is None:
            return
        # Whoever restored the attributes left the screen too. Leaving it twice would move the cursor up over what was
        # printed since, and take a keyboard mode from the shell; all the rest may be said again.
        was_left = self._attributes == _attributes_of(self._terminal)
        self._put_back(_modes() + _LINK_POINTER_AND_COLOURS if was_left else reset_sequence())

    def _put_back(self, sequence: str) -> None:
        if self._terminal is None or self._attributes is None or not _is_ours(self._terminal):
            return
        if os.getpid() != self._process_id:
            return  # A fork carries our handlers, not our terminal.
        self._is_restored = True
        self._write(sequence)
        try:
            termios.tcsetattr(self._terminal, termios.TCSANOW, self._attributes)
        except termios.error:
            return  # The terminal is gone: there is nothing left to restore.

    def _end(self, number: int, _frame: FrameType | None) -> None:
        for each in ENDING_SIGNALS:
            signal.signal(each, _ignore)
        try:
            _silence_other_threads()
            if not self._is_restored:
                self._put_back(reset_sequence())
            # Memory holds keys, and the default action of SIGQUIT writes it to a file.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        finally:
            for each in ENDING_SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            try:
                self._on_stop()
            finally:
                os.kill(os.getpid(), number)
                # Only the first process of a container lives on: there the default action is to ignore.
                os._exit(128 + number)

    def _write(self, text: str) -> None:
        """Write without ever waiting long: a terminal that has stopped reading must not keep the process alive."""
        if self._terminal is None:
            return
        pending = text.encode()
        for _ in range(_WRITE_TRIES):
            try:
                pending = pending[_write_some(self._terminal, pending) :]
            except (OSError, termios.error):
                return  # The terminal is gone.
            if not pending:
                return

    def _watch_for_hangup(self, terminal: int) -> None:
        """End the process when the terminal is closed, for only the leader of its session is told by a signal."""
        watch = select.poll()
        watch.register(terminal, 0)
        while not self._has_exited:
            found = watch.poll(_HANGUP_CHECK_MS)
            if not self._has_exited and any(event & (select.POLLHUP | select.POLLERR) for _, event in found):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGHUP)
                return


def _open_terminal() -> int | None:
    """The terminal Textual draws on, opened anew so that not blocking stays our own affair."""
    if not os.isatty(STDERR):
        return None
    try:
        return os.open(os.ttyname(STDERR), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        # The name of a terminal handed into a container leads nowhere; what was handed in still works.
        return os.dup(STDERR)


def _write_some(terminal: int, pending: bytes) -> int:
    try:
        return os.write(terminal, pending)
    except BlockingIOError:
        # What still waits was meant for a screen that is being left.
        termios.tcflush(terminal, termios.TCOFLUSH)
        time.sleep(_WRITE_PAUSE_SECONDS)
        return 0


def _attributes_of(terminal: int) -> Attributes | None:
    try:
        return termios.tcgetattr(terminal)
    except termios.error:
        return None


def _is_ours(terminal: int) -> bool:
    """Whether we are in the foreground: in the background the terminal is another's, and touching it stops us."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return True


def _ignore(_number: int, _frame: FrameType | None) -> None:
    pass


def _silence_other_threads() -> None:
    """Send what Textual's writer still has to nowhere, so that nothing is drawn after the reset."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (STDOUT, STDERR):
        if os.isatty(descriptor):
            os.dup2(nowhere, descriptor)
    signal.signal(_INTERRUPTION, _ignore)
    for thread in threading.enumerate():
        # A write stuck in a full terminal holds its lock; interrupted, it goes on to the descriptor put there above.
        if thread is not threading.main_thread() and thread.ident is not None:
            signal.pthread_kill(thread.ident, _INTERRUPTION)
