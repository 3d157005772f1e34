"""Terminals of all kinds, played by a pseudo-terminal: what is sent to each is what it understands."""

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.color import Color

from diligent_tui.ui.output.near_colours import near_number
from diligent_tui.ui.theme import DARK
from tests.ui.pty_host import PtyHost

DILIGENT = (sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal")
CTRL_P, CTRL_Q, CTRL_U, ESC = b"\x10", b"\x11", b"\x15", b"\x1b"
FOCUS_OUT, FOCUS_IN = b"\x1b[O", b"\x1b[I"
MOUSE_MODES = re.compile(rb"\x1b\[\?(?:1000|1002|1003|1005|1006|1015|1016)h")
TRUE_COLOUR, OF_256 = re.compile(rb"[\[;][34]8;2;\d"), re.compile(rb"[\[;][34]8;5;\d")
CURSOR_GROUND = b"48;5;%d" % near_number(*Color.parse(DARK.variables["cursor"]).rgb)
COLOURED = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
PANES = (b"\x1bOQ", b"\x1bOR", b"\x1bOS", b"\x1b[15~", b"\x1b[17~", b"\x1b[18~")


@contextmanager
def opened(folder: Path, *flags: str, **environ: str) -> Generator[PtyHost]:
    """The program in a terminal of that environment, ready to be typed into, and left by ctrl+q."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    environment = {**kept, "HOME": str(folder), "LANG": "C.UTF-8", "DILIGENT_SANDBOX__MODE": "off", **environ}
    with PtyHost([*DILIGENT, *flags], environment, project, (120, 40)) as host:
        host.read_until("Ask, or")
        host.read_until("sandbox off")
        yield host
        host.send(CTRL_Q)
        assert host.wait() == 0
        assert host.screen.left_on == []
        assert host.termios_now() == host.termios_before


def talk(host: PtyHost) -> None:
    """A prompt, a tool, an answer; then all panes, the palette and the help."""
    host.send(b"run echo seven swans\r")
    host.read_until("[✓v] bash")
    for key in PANES:
        host.send(key)
        host.read_more()
    host.send(CTRL_P)
    host.read_until("Commands")
    host.send(ESC)
    host.read_until(lambda screen: "Commands" not in screen.text)


@pytest.mark.parametrize("term", ["linux", "vt220"])
def test_a_console_gets_ascii_and_words(term: str, tmp_path: Path) -> None:
    with opened(tmp_path, TERM=term, COLORTERM="") as host:
        host.send("read café 天鹅".encode())
        host.read_until("> read café 天鹅")
        host.send(CTRL_U)
        talk(host)
        assert set(host.output.decode()) - set(map(chr, range(128))) == set("é天鹅")
        # Nothing it would print: neither a title nor a notice.
        assert b"\x1b]2;" not in host.output
        assert b"\x1b]9;" not in host.output


def test_a_locale_without_unicode_gets_ascii_alone(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color", LC_ALL="C") as host:
        host.send("read café".encode())
        host.read_until("> read cafe")
        host.send(CTRL_U)
        talk(host)
        assert host.output.isascii()
        assert b"\x1b]2;" in host.output


@pytest.mark.parametrize("term", ["xterm-256color", "screen-256color", "tmux-256color"])
def test_without_true_colour_there_are_256(term: str, tmp_path: Path) -> None:
    with opened(tmp_path, TERM=term, COLORTERM="") as host:
        talk(host)
        assert OF_256.search(host.output)
        assert not TRUE_COLOUR.search(host.output)
        # The cursor's row stands on a grey; rounded channel by channel, its ground would be a teal.
        assert CURSOR_GROUND in host.output
        assert b"48;5;23m" not in host.output
        assert "⎇" not in host.screen.text
        assert "✓ bash" in host.screen.text


def test_with_true_colour_it_is_used(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color", COLORTERM="truecolor") as host:
        assert TRUE_COLOUR.search(host.output)


def test_no_colour_reaches_a_terminal_that_wants_none_and_the_cursor_is_seen(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color", COLORTERM="truecolor", NO_COLOR="1") as host:
        talk(host)
        assert COLOURED.findall(host.output) == []
        assert re.search(rb"\x1b\[(?:\d;)*7(?:;\d)*m", host.output)


@pytest.mark.parametrize(("flags", "is_wanted"), [((), True), (("--no-mouse",), False)])
def test_the_mouse_is_asked_for_unless_it_is_unwanted(flags: tuple[str, ...], is_wanted: bool, tmp_path: Path) -> None:
    with opened(tmp_path, *flags, TERM="xterm-256color") as host:
        talk(host)
        assert bool(MOUSE_MODES.search(host.output)) == is_wanted


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_can_do_nothing_is_told_so(term: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    with PtyHost(DILIGENT, {**kept, "HOME": str(tmp_path), "TERM": term}, tmp_path) as host:
        assert host.wait() == 2
        said = (
            f"diligent: This terminal cannot show a screen: TERM is {term or 'not set'}. "
            'Set TERM, as xterm-256color, or use: diligent -p "PROMPT"'
        )
        assert "".join(host.screen.text.split()) == "".join(said.split())
        assert b"\x1b" not in host.output


@pytest.mark.parametrize("where", [{"SSH_TTY": "/dev/pts/9"}, {"SSH_CONNECTION": "1 2 3 4"}], ids=["tty", "connection"])
def test_over_ssh_a_copy_goes_through_the_terminal_and_says_what_is_certain(
    where: dict[str, str], tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("wl-copy", "pbcopy", "xclip"):
        (programs / name).write_text("#!/bin/sh\ntouch was-used\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    with opened(tmp_path, TERM="xterm-256color", PATH=path, WAYLAND_DISPLAY="wayland-0", **where) as host:
        # Nobody is asked over a slow line: the answer might come while one types.
        assert b"\x1b]11;?" not in host.output
        host.send(b"list .\r")
        host.read_until("[✓v] ls")
        host.send(b"\x1b[Z")
        host.read_until("y copy")
        host.send(b"y")
        host.read_until("OSC 52")
        assert b"\x1b]52;c;" in host.output
    assert not (tmp_path / "project" / "was-used").exists()


def test_nothing_turns_while_one_looks_elsewhere(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color") as host:
        host.send(b"explain [[fault=stall]]\r")
        host.read_until("[◐◓◑◒] ")
        host.read_more()
        host.send(FOCUS_OUT)
        # The time goes: one that stands still would be wrong.
        host.read_until(lambda screen: not re.search(r"[◐◓◑◒] \S.*\d s ", screen.rows[-1]))
        host.rest(0.5)
        seen_bytes = len(host.output)
        host.rest(1.5)
        assert len(host.output) == seen_bytes
        host.send(FOCUS_IN)
        host.read_until(lambda screen: bool(re.search(r"[◐◓◑◒] \S.*\d s ", screen.rows[-1])))
        host.read_more()
        host.send(ESC)
        host.read_until(lambda screen: not re.search("[◐◓◑◒] ", screen.rows[-1]))


def test_no_bell_rings_unless_it_is_asked_for(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color") as host:
        # A key would say that one is there again.
        host.send(b"run touch seven-swans\r" + FOCUS_OUT)
        host.read_until("Allow bash?")
        # A title or a notice ends with the same character; alone it would ring.
        alone = re.sub(rb"\x1b\][^\x07\x1b]*\x07", b"", host.output)
        assert b"\x07" not in alone
        assert b"\x1b]9;" in host.output
        # What is typed before one can have seen the question is no answer to it.
        while "May bash" in host.screen.text:
            host.send(b"n")
            host.rest(0.2)


def test_the_title_is_clean_whatever_the_session_is_called(tmp_path: Path) -> None:
    with opened(tmp_path, TERM="xterm-256color") as host:
        host.send(b"list .\r")
        host.read_until("[✓v] ls")
        host.send("/name seven\u202eswans\u2028\u200b\r".encode())
        host.read_until("seven ?swans")
        titles = re.findall(rb"\x1b\]2;([^\x07]*)\x07", host.output)
        assert titles[-1].decode().isprintable()
        assert titles[-1].decode().endswith("· diligent")
