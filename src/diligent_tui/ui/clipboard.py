"""Copying that tells the truth: a ladder of ways, of which the first that can be known to work is taken.

Over OSC 52 nothing comes back, so it is trusted only where the terminal is known to take it. A program that ends well
has the text. What is left is a file, and then the words say so.
"""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.storage.private import write_private
from diligent_tui.ui import format as fmt

FILE_NAME = "copied.txt"
MOST_OSC_52_BYTES = 74_000
"""As base64 just below the 100,000 characters that several terminals take."""
PROGRAM_SECONDS = 3.0
TAKES_OSC_52 = frozenset({"wezterm", "ghostty", "kitty", "alacritty", "foot", "vscode", "windows terminal", "contour"})
NEEDED = ("PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMUX", "LANG", "LC_ALL")
"""All that such a program is told of the environment; keys are no business of its."""

NO_OSC_52 = ("linux", "dumb", "vt")
"""Beginnings of terminals' names that have no clipboard, or would print what they do not understand."""

Way = Literal["terminal", "program", "tmux", "file", "nowhere"]


@dataclass(frozen=True, slots=True)
class Program:
    """A program that takes a text for the clipboard from its input."""

    way: Way
    arguments: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a copy: the way, a sentence, and whether the terminal is to be sent it, known to work or not."""

    way: Way
    sentence: str
    sends_osc_52: bool = False


def copy_text(text: str, environ: Mapping[str, str], state_folder: Path) -> Copied:
    """Copy by the best way there is; blocks for a moment, so it is called in a thread."""
    data = mend_surrogates(text).encode()
    size = fmt.count(len(text), "character")
    may_send = len(data) <= MOST_OSC_52_BYTES and not environ.get("TERM", "").startswith(NO_OSC_52)
    if may_send and takes_osc_52(environ):
        return Copied("terminal", f"Copied {size} through the terminal (OSC 52).", sends_osc_52=True)
    for program in programs(environ):
        if _takes(program, data, environ):
            return Copied(program.way, f"Copied {size} {program.words}")
    path = state_folder / FILE_NAME
    try:
        write_private(path, data)
    except StorageError as error:
        return Copied("nowhere", f"Not copied: {error.message} {error.advice}", sends_osc_52=may_send)
    shown = _from_home(path, environ)
    if may_send:
        return Copied(
            "file", f"Sent {size} to the terminal by OSC 52. If nothing pastes, it is in {shown}", sends_osc_52=True
        )
    why = "No clipboard takes so much" if len(data) > MOST_OSC_52_BYTES else "There is no clipboard here"
    return Copied("file", f"{why}. {size} are in {shown}")


def takes_osc_52(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is one that is known to put OSC 52 on the clipboard without being told to."""
    if "TMUX" in environ or environ.get("TERM", "").startswith(("screen", "tmux", "linux")):
        return False
    return _terminal_name(environ) in TAKES_OSC_52


def programs(environ: Mapping[str, str]) -> tuple[Program, ...]:
    """The programs that are there and reach the clipboard of whoever sits at this terminal, the best first."""
    is_remote = bool(environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"))
    wanted: list[Program] = []
    if environ.get("WAYLAND_DISPLAY") and not is_remote:
        wanted.append(Program("program", ("wl-copy",), "with wl-copy."))
    if environ.get("DISPLAY"):
        wanted.append(Program("program", ("xclip", "-selection", "clipboard"), "with xclip."))
        wanted.append(Program("program", ("xsel", "--clipboard", "--input"), "with xsel."))
    if not is_remote:
        wanted.append(Program("program", ("pbcopy",), "with pbcopy."))
        wanted.append(Program("program", ("clip.exe",), "with clip.exe."))
    if environ.get("TMUX"):
        # -w hands it on to the terminal too, where tmux is set to do so; only the buffer is certain.
        wanted.append(Program("tmux", ("tmux", "load-buffer", "-w", "-"), "into tmux's buffer: its prefix, then ]"))
    # A relative folder would let the project bring its own.
    path = ":".join(folder for folder in environ.get("PATH", "").split(":") if folder.startswith("/"))
    found = [(program, shutil.which(program.arguments[0], path=path)) for program in wanted]
    return tuple(
        Program(program.way, (where, *program.arguments[1:]), program.words) for program, where in found if where
    )


def _takes(program: Program, data: bytes, environ: Mapping[str, str]) -> bool:
    try:
        done = subprocess.run(
            program.arguments,
            input=data,
            # Some stay behind to serve the text, and would hold our pipes.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={name: environ[name] for name in NEEDED if name in environ},
            timeout=PROGRAM_SECONDS,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _terminal_name(environ: Mapping[str, str]) -> str:
    if environ.get("WT_SESSION"):
        return "windows terminal"
    if environ.get("KITTY_WINDOW_ID"):
        return "kitty"
    told = environ.get("TERM_PROGRAM", "").lower()
    return told or environ.get("TERM", "").removeprefix("xterm-").partition("-")[0]


def _from_home(path: Path, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME", "")
    return f"~/{path.relative_to(home)}" if home and path.is_relative_to(home) else str(path)
