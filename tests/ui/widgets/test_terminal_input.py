"""What the terminal sends, as events: pastes whole, Alt+Enter as itself, and the rest as Textual reads it."""

import asyncio
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest
from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.message import Message

from diligent_tui.ui.widgets.prompt.terminal_input import BURST_PAUSE_S, PasteParser, PromptDriver

START, END = "\x1b[200~", "\x1b[201~"


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def told(parser: PasteParser, *pieces: str) -> list[str]:
    found: list[Message] = []
    for piece in pieces:
        found += parser.feed(piece)
    return [name_of(event) for event in found]


def name_of(event: Message) -> str:
    match event:
        case events.Key(key=key):
            return key
        case events.Paste(text=text):
            return f"paste {text}"
        case _:
            return type(event).__name__


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["ab\r"], ["a", "b", "enter"]),
        (["\n"], ["ctrl+j"]),
        (["\x1b\r"], ["alt+enter"]),
        (["a\x1b\rb\x1b\r\x1b\r"], ["a", "alt+enter", "b", "alt+enter", "alt+enter"]),
        (["\x1b[13;2u"], ["shift+enter"]),
        (["\x1b[27;2;13~"], ["shift+\r"]),
        (["\x1b[A\x1b[1;5D"], ["up", "ctrl+left"]),
        (["\x1b[2", "4~"], ["f12"]),
        ([f"a{START}x\r\ny{END}b\r"], ["a", "paste x\r\ny", "b", "enter"]),
        ([f"{START}{END}"], ["paste "]),
        ([f"{START}a{END}{START}b{END}"], ["paste a", "paste b"]),
        ([START, "one", "two", END], ["paste onetwo"]),
        ([f"{START}a\x1b[2Jb\x1bxx\r\x1b\rc{END}"], ["paste a\x1b[2Jb\x1bxx\r\x1b\rc"]),
    ],
)
def test_input_is_told_as_keys_and_pastes(pieces: Sequence[str], expected: Sequence[str]) -> None:
    assert told(PasteParser(), *pieces) == expected


@pytest.mark.parametrize("end", ["\x1b\\", "\x07"])
@pytest.mark.parametrize("colour", ["rgb:ffff/ffff/ffff", "rgb:0/0/0", "rgba:1e1e/1e1e/2e2e/ffff"])
@pytest.mark.parametrize("size", range(3, 9))
def test_what_the_terminal_answers_too_late_is_not_typed(size: int, colour: str, end: str) -> None:
    answer = f"\x1b]11;{colour}{end}"
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    assert told(PasteParser(), "a", *pieces, "\x1b[?62;1", ";4c", "b") == ["a", "b"]
    assert told(PasteParser(), f"a{answer}\x1b[?62cb") == ["a", "b"]


def test_what_only_begins_like_an_answer_is_told() -> None:
    assert told(PasteParser(), "\x1b[?2026;2$y") == ["TerminalSupportsSynchronizedOutput"]
    assert told(PasteParser(), "\x1b[?20", "26;2$y") == ["TerminalSupportsSynchronizedOutput"]
    assert told(PasteParser(), f"{START}\x1b[?62c{END}") == ["paste \x1b[?62c"]


@pytest.mark.parametrize("size", range(1, 8))
def test_a_paste_may_be_cut_anywhere(size: int) -> None:
    data = f"one\x1b[2two\r\x1b[201three{END}"
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert told(PasteParser(), START, *pieces, "z") == ["paste one\x1b[2two\r\x1b[201three", "z"]


@pytest.mark.parametrize("length", [3, 4, 5])
def test_a_start_marker_may_be_cut(length: int) -> None:
    assert told(PasteParser(), START[:length], START[length:] + "a\rb" + END) == ["paste a\rb"]


@pytest.mark.parametrize(
    ("piece", "is_paste"),
    [
        ("first line\rsecond", True),
        ("first\rsecond\r", True),
        ("first\r\n\tsecond\r\n", True),
        ("one line and its end\r", False),
        ("y\rls", False),
        ("\r\r\r\r\r\r\r\r\r", False),
        ("no end at all", False),
        ("first\r\x1b[Asecond", False),
        ("first\r\x03second", False),
    ],
)
def test_input_that_goes_on_behind_a_line_end_is_a_paste_without_markers(piece: str, is_paste: bool) -> None:
    assert (told(PasteParser(), piece) == [f"paste {piece}"]) is is_paste


def test_the_last_piece_of_such_a_paste_belongs_to_it_and_a_later_enter_does_not() -> None:
    watch = Watch()
    parser = PasteParser(watch)
    told(parser, "first line\rsecond")
    watch.now_s = BURST_PAUSE_S / 2
    assert told(parser, "rest\r") == ["paste rest\r"]
    watch.now_s += BURST_PAUSE_S
    assert told(parser, "\r") == ["enter"]


HOST = """
from textual.app import App
from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.prompt.terminal_input import PromptDriver

class Host(App[None]):
    def compose(self):
        yield PromptInput()

    def on_mount(self):
        self.query_one(PromptInput).focus()
        print("ready", file=report, flush=True)

    def on_prompt_input_submitted(self, message):
        print("sent", ascii(message.text), file=report, flush=True)

    def on_prompt_input_quit_wanted(self):
        self.exit()

report = open(3, "w")
Host(driver_class=PromptDriver).run()
print("ended", file=report, flush=True)
"""


class Terminal:
    """A real terminal with the host app in it."""

    def __init__(self) -> None:
        screen, inner = pty.openpty()
        self.screen: int | None = screen
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.report, written = os.pipe()
        self._output = b""
        self._said = b""
        environment = {**os.environ, "TERM": "xterm-256color"}
        script = f"import os; os.dup2({written}, 3)\n{HOST}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", script],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            pass_fds=[written],
            env=environment,
            start_new_session=True,
        )
        os.close(inner)
        os.close(written)

    def send(self, data: str) -> None:
        assert self.screen is not None
        waiting = data.encode()
        while waiting:
            self._pump(can_write=True)
            with suppress(BlockingIOError):
                waiting = waiting[os.write(self.screen, waiting[:1024]) :]

    def line(self) -> str:
        while b"\n" not in self._said:
            assert self._pump(), self._output
        line, _, self._said = self._said.partition(b"\n")
        return line.decode()

    def hang_up(self) -> None:
        if self.screen is not None:
            os.close(self.screen)
            self.screen = None

    def close(self) -> None:
        self.hang_up()
        os.close(self.report)
        self.process.kill()
        self.process.wait()

    def _pump(self, can_write: bool = False) -> bool:
        screens = [] if self.screen is None else [self.screen]
        readable, _, _ = select.select([*screens, self.report], screens if can_write else [], [], 120)
        if self.screen is not None and self.screen in readable:
            with suppress(OSError):
                self._output += os.read(self.screen, 65536)
        if self.report in readable:
            said = os.read(self.report, 65536)
            self._said += said
            return bool(said)
        return bool(readable) or can_write


def test_in_a_real_terminal_pastes_arrive_whole_and_only_enter_sends() -> None:
    terminal = Terminal()
    pasted = "a line of\twords\r" * 10_000
    try:
        assert terminal.line() == "ready"
        terminal.send("one\x1b\rtwo\ntwo\x1b[13;2uthree")
        terminal.send(f"{START}pasted\x1b[2J\r\nlines\r{END}")
        terminal.send("\r")
        assert terminal.line() == "sent " + ascii("one\ntwo\ntwo\nthreepasted\nlines\n")
        terminal.send(f"{START}{pasted}{END}\r")
        assert terminal.line() == "sent " + ascii(pasted.replace("\r", "\n"))
        terminal.send("\x04")
        assert terminal.line() == "ended"
    finally:
        terminal.close()


def test_a_closed_terminal_ends_the_app() -> None:
    terminal = Terminal()
    try:
        assert terminal.line() == "ready"
        terminal.hang_up()
        assert terminal.line() == "ended"
    finally:
        terminal.close()


def do_nothing(_: LinuxDriver) -> None:
    """In place of what needs a terminal."""


@pytest.fixture
def window_signal() -> Iterator[None]:
    """Put back afterwards what heard of new sizes."""
    before = signal.getsignal(signal.SIGWINCH)
    yield
    signal.signal(signal.SIGWINCH, before)


async def test_of_two_sizes_the_newer_is_told_last_also_if_it_comes_amid_the_older(
    monkeypatch: pytest.MonkeyPatch, window_signal: None
) -> None:
    told: list[Size] = []

    class Hearer:
        def post_message(self, event: events.Resize) -> None:
            told.append(event.size)

    sizes = iter([(5, 1), (80, 24)])

    def read(_: LinuxDriver) -> tuple[int, int]:
        size = next(sizes)
        if size == (5, 1):
            signal.raise_signal(signal.SIGWINCH)
        return size

    monkeypatch.setattr(LinuxDriver, "start_application_mode", do_nothing)
    monkeypatch.setattr(LinuxDriver, "_get_terminal_size", read)
    driver = PromptDriver.__new__(PromptDriver)
    monkeypatch.setattr(driver, "_app", Hearer(), raising=False)
    monkeypatch.setattr(driver, "_in_band_window_resize", False, raising=False)
    driver.start_application_mode()
    signal.raise_signal(signal.SIGWINCH)
    while len(told) < 2:
        await asyncio.sleep(0)
    assert told == [Size(5, 1), Size(80, 24)]


async def test_while_the_terminal_is_lent_nothing_is_painted_and_nothing_waits(
    monkeypatch: pytest.MonkeyPatch, window_signal: None
) -> None:
    written: list[str] = []

    def keep(_: LinuxDriver, data: str) -> None:
        written.append(data)

    monkeypatch.setattr(LinuxDriver, "write", keep)
    for name in ("stop_application_mode", "start_application_mode", "close"):
        monkeypatch.setattr(LinuxDriver, name, do_nothing)
    driver = PromptDriver.__new__(PromptDriver)
    driver.write("before")
    driver.suspend_application_mode()
    for _ in range(100):
        driver.write("meanwhile")
    driver.resume_application_mode()
    driver.write("behind")
    assert written == ["before", "behind"]
