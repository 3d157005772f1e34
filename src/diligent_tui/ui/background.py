"""Whether the terminal is dark or light, asked of it once, beside the imports that the first frame waits for anyway.

The answer is waited for at most a moment, and another question that every terminal answers stands behind it, so that
nearly nothing comes late; what does is dropped where keys are read. Over a slow line nobody is asked.
"""

import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping
from typing import NamedTuple

from diligent_tui.config.look import Ground
from diligent_tui.domain.plain_text import clean

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")
ANY_ANSWER = re.compile(rb"\x1b\]11;[^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[\?[0-9;]*c?")
MOST_SECONDS = 0.2
MOST_BYTES = 1_000
LIGHT_NUMBERS = ("7", "15")
TRUE_COLOUR = ("truecolor", "24bit")
MANY_COLOURS = ("-256color", "-kitty")
"""Ends of the names of terminals with 256 colours; in all others sixteen are painted with."""
SILENT = ("linux", "dumb", "screen", "vt")
"""Beginnings of terminals' names that do not answer, or print the question."""


class Heard(NamedTuple):
    """What came from the terminal while it was asked: its answer, and what somebody typed meanwhile."""

    ground: Ground | None = None
    typed: str = ""


def ground_by_environment(environ: Mapping[str, str]) -> Ground | None:
    """What COLORFGBG says, if the terminal sets it."""
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    if not number.isdecimal() or int(number) > 15:
        return None
    return "light" if number in LIGHT_NUMBERS else "dark"


def has_few_colours(environ: Mapping[str, str]) -> bool:
    """Whether all that is painted is brought down to the sixteen colours of the terminal itself, as Rich decides."""
    return not _has_true_colour(environ) and not _has_many_colours(environ)


def has_256_colours(environ: Mapping[str, str]) -> bool:
    """Whether all that is painted is brought down to 256 colours, as Rich decides."""
    return not _has_true_colour(environ) and _has_many_colours(environ)


def may_ask(environ: Mapping[str, str]) -> bool:
    """Whether an answer can be expected at once."""
    is_far = any(environ.get(name) for name in ("SSH_TTY", "SSH_CONNECTION"))
    return not is_far and not environ.get("TERM", "dumb").startswith(SILENT)


def ask_terminal(terminal: int) -> Heard:
    """Ask the terminal for its background; what it is set to is as before when this returns."""
    try:
        before = termios.tcgetattr(terminal)
    except termios.error:
        return Heard()
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        os.write(terminal, QUESTION)
        heard = _answer(terminal)
        return Heard(ground_of(heard), typed_in(heard))
    except OSError:
        return Heard()
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def ground_of(answer: bytes) -> Ground | None:
    """What an answer says, by how bright its colour looks."""
    found = ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def typed_in(heard: bytes) -> str:
    """What is no answer, as text; keys that are none are left out."""
    return clean(ANY_ANSWER.sub(b"", heard).decode(errors="ignore"))


def _has_true_colour(environ: Mapping[str, str]) -> bool:
    return environ.get("COLORTERM", "").strip().lower() in TRUE_COLOUR


def _has_many_colours(environ: Mapping[str, str]) -> bool:
    return environ.get("TERM", "").strip().lower().endswith(MANY_COLOURS)


def _answer(terminal: int) -> bytes:
    until = time.monotonic() + MOST_SECONDS
    heard = b""
    while not LAST_ANSWER.search(heard) and len(heard) < MOST_BYTES:
        ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            break
        heard += os.read(terminal, MOST_BYTES)
    return heard
