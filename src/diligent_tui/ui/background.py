"""Whether the terminal is dark or light, asked of it once, beside the imports that the first frame waits for anyway.

The answer is waited for at most a moment, and another question that every terminal answers stands behind it, so that
nothing comes late and is taken for typing. Over a slow line nobody is asked.
"""

import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping

from diligent_tui.config.look import Ground

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")
MOST_SECONDS = 0.2
MOST_BYTES = 1_000
LIGHT_NUMBERS = ("7", "15")
SILENT = ("linux", "dumb", "screen", "vt")
"""Beginnings of terminals' names that do not answer, or print the question."""


def ground_by_environment(environ: Mapping[str, str]) -> Ground | None:
    """What COLORFGBG says, if the terminal sets it."""
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    if not number.isdecimal() or int(number) > 15:
        return None
    return "light" if number in LIGHT_NUMBERS else "dark"


def may_ask(environ: Mapping[str, str]) -> bool:
    """Whether an answer can be expected at once."""
    is_far = any(environ.get(name) for name in ("SSH_TTY", "SSH_CONNECTION"))
    return not is_far and not environ.get("TERM", "dumb").startswith(SILENT)


def ask_terminal(terminal: int) -> Ground | None:
    """Ask the terminal for its background; what it is set to is as before when this returns."""
    try:
        before = termios.tcgetattr(terminal)
    except termios.error:
        return None
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        os.write(terminal, QUESTION)
        return ground_of(_answer(terminal))
    except OSError:
        return None
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def ground_of(answer: bytes) -> Ground | None:
    """What an answer says, by how bright its colour looks."""
    found = ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def _answer(terminal: int) -> bytes:
    until = time.monotonic() + MOST_SECONDS
    heard = b""
    while not LAST_ANSWER.search(heard) and len(heard) < MOST_BYTES:
        ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            break
        heard += os.read(terminal, MOST_BYTES)
    return heard
