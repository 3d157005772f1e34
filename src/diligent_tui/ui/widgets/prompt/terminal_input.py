"""Reading the terminal so that a paste arrives whole, at once and never as keys; Textual's own way fails at that.

Its parser looks at each character of a paste alone (1.6 s of CPU for 2 MB), types what follows an escape character
inside a paste as keys, Enter included, and takes Alt+Enter (ESC CR) for Enter. A terminal without bracketed paste is
known by a piece of input that goes on behind a line end: people press Enter and wait, if only for some milliseconds.
"""

import asyncio
import os
import re
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from time import monotonic
from types import FrameType

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.message import Message

ALT_ENTER = "\x1b\r"
READ_BYTES = 64 * 1024
SHORTEST_BURST_CHARS = 8
# Long pastes come in pieces; the terminal's buffer of 4 KB is emptied far quicker than this.
BURST_PAUSE_S = 0.05
COLOUR_ANSWER = r"\x1b\]11;rgba?:[0-9a-fA-F/]{1,30}(?:\x07|\x1b\\)"
KIND_ANSWER = r"\x1b\[\?[0-9;]{0,60}c"
LATE_ANSWER = re.compile(f"{COLOUR_ANSWER}|{KIND_ANSWER}")
"""What a terminal was asked before the first frame and says too late, as over a slow line; nobody typed that."""
ANSWER_BEGUN = re.compile(r"\x1b(?:\]1(?:1(?:;[rgba:0-9a-fA-F/]{0,40}\x1b?)?)?|\[\?[0-9;]{0,60})\Z")
# Textual's own, which decides when a lone ESC is the Escape key.
TICK_S = 0.1


class PasteParser(XTermParser):
    """Textual's parser, with pastes taken whole."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Begin outside of a paste."""
        super().__init__()
        self._clock = clock
        self._pasted: list[str] | None = None
        self._tail = ""
        self._held = ""
        self._burst_ended_s = float("-inf")

    def feed(self, data: str) -> Iterable[Message]:
        """The events in a piece of input; an empty piece ends it."""
        if not data:
            yield from super().feed(data)
            return
        data, self._held = self._held + data, ""
        while data:
            if self._pasted is not None:
                paste, data = self._take_paste(self._pasted, data)
                if paste is not None:
                    yield events.Paste(paste)
                continue
            keys, marker, data = data.partition(BRACKETED_PASTE_START)
            if marker:
                self._pasted = []
            else:
                keys = self._hold_back(keys)
            yield from self._feed_keys(LATE_ANSWER.sub("", keys))

    def _take_paste(self, pasted: list[str], data: str) -> tuple[str | None, str]:
        """The finished paste, if this piece ends it, and what stands behind it."""
        # The end marker may be cut in two or more.
        self._tail = self._tail[1 - len(BRACKETED_PASTE_END) :] + data
        pasted.append(data)
        if BRACKETED_PASTE_END not in self._tail:
            return None, ""
        text, _, rest = "".join(pasted).partition(BRACKETED_PASTE_END)
        self._pasted = None
        self._tail = ""
        return text, rest

    def _hold_back(self, keys: str) -> str:
        """Wait for the rest of a start marker or of an answer; a shorter beginning of it may be a key of its own."""
        if begun := ANSWER_BEGUN.search(keys):
            self._held = begun[0]
            return keys[: begun.start()]
        for length in range(len(BRACKETED_PASTE_START) - 1, 2, -1):
            if keys.endswith(BRACKETED_PASTE_START[:length]):
                self._held = keys[-length:]
                return keys[:-length]
        return keys

    def _feed_keys(self, keys: str) -> Iterable[Message]:
        if self._is_burst(keys):
            yield events.Paste(keys)
            self._burst_ended_s = self._clock()
            return
        before, *behind = keys.split(ALT_ENTER)
        if before:
            yield from super().feed(before)
        for part in behind:
            yield events.Key("alt+enter", None)
            if part:
                yield from super().feed(part)

    def _is_burst(self, keys: str) -> bool:
        lines = keys.replace("\r\n", "\r").replace("\n", "\r").split("\r")
        if len(lines) == 1 or not all(line.replace("\t", "").isprintable() for line in lines):
            return False
        goes_on = any(lines[1:]) and len(keys) >= SHORTEST_BURST_CHARS
        return goes_on or self._clock() - self._burst_ended_s < BURST_PAUSE_S


class PromptDriver(LinuxDriver):
    """Textual's driver with this parser; bytes that are no UTF-8 are marked, and a closed terminal ends the app.

    While the terminal is lent to another program the app goes on, and what it would paint is dropped.
    """

    _is_lent = False

    def write(self, data: str) -> None:
        """Write, unless another program has the terminal."""
        if not self._is_lent:
            super().write(data)

    def start_application_mode(self) -> None:
        """Begin, and hear of new sizes on the loop, one after the other.

        Textual reads a size where the signal comes, which may be amid the reading of the one before: of the two the
        older would be told last, and stay.
        """
        super().start_application_mode()
        loop = asyncio.get_running_loop()

        def resized(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self._tell_size)

        signal.signal(signal.SIGWINCH, resized)

    def suspend_application_mode(self) -> None:
        """Lend the terminal."""
        super().suspend_application_mode()
        self._is_lent = True

    def resume_application_mode(self) -> None:
        """Take the terminal back; one who was stopped from outside never gave it away, and begins anew."""
        if not self._is_lent:
            self._must_signal_resume = True
            super().suspend_application_mode()
        self._is_lent = False
        super().resume_application_mode()

    def stop_until_called_back(self) -> None:
        """Stop with all of our job, for the shell may look at a wrapper that started us.

        The terminal is left before: the shell takes it as soon as one of the job has stopped.
        """
        self._must_signal_resume = True
        self.suspend_application_mode()
        os.killpg(os.getpgrp(), signal.SIGSTOP)

    def run_input_thread(self) -> None:
        """Read until the app ends."""
        parser = PasteParser()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK_S):
                    data = self._read()
                    if not data:
                        self._app.call_later(self._app.exit)
                        return
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _tell_size(self) -> None:
        """Say how large the terminal is, unless it says so itself."""
        if not self._in_band_window_resize:
            size = Size(*self._get_terminal_size())
            self._app.post_message(events.Resize(size, size))

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, READ_BYTES)
        except OSError:
            return b""
