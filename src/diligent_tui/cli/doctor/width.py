"""Whether the terminal draws characters as wide as we reckon: a few are drawn, it is asked where the cursor is."""

import os
import re
import select
import sys
import termios
import time
import tty

from diligent_tui.cli.doctor.findings import Finding, doubtful, well

SAMPLES = (("é", 1), ("─", 1), ("⟳", 1), ("宽", 2), ("👍", 2))
"""Signs and how many columns each should take; those of our own screen first."""
ANSWER_SECONDS = 0.3
MOST_ANSWER_BYTES = 256
_WHERE = re.compile(rb"\x1b\[(\d+);(\d+)R")
_ERASE = "\r\x1b[K"


def measure_widths(answer_seconds: float = ANSWER_SECONDS) -> list[int] | None:
    """The columns each sample took; None without a terminal, or from one that does not answer."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    widths: list[int] = []
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        for sign, _ in SAMPLES:
            column = _column_after(descriptor, sign, answer_seconds)
            if column is None:
                return None
            widths.append(column - 1)
    finally:
        sys.stdout.write(_ERASE)
        sys.stdout.flush()
        # What else was typed or answered meanwhile is not for the shell.
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
    return widths


def about_widths(widths: list[int] | None) -> Finding:
    """The finding."""
    if widths is None:
        return doubtful(
            "terminal",
            "widths",
            "The terminal was not asked, or did not say, how wide it draws characters.",
            "Run `diligent doctor` in the terminal itself; if lines look ragged, try another terminal.",
        )
    wrong = [sign for (sign, right), width in zip(SAMPLES, widths, strict=True) if right != width]
    if wrong:
        return doubtful(
            "terminal",
            "widths",
            f"The terminal draws {' '.join(wrong)} in another width than Unicode says.",
            "Lines with such characters may look ragged; choose another font or terminal.",
        )
    return well("terminal", "widths", "Wide and narrow characters take the columns that they should.")


def _column_after(descriptor: int, sign: str, seconds: float) -> int | None:
    sys.stdout.write(f"{_ERASE}{sign}\x1b[6n")
    sys.stdout.flush()
    answer = b""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and len(answer) < MOST_ANSWER_BYTES:
        ready, _, _ = select.select([descriptor], [], [], left)
        if ready:
            answer += os.read(descriptor, MOST_ANSWER_BYTES)
            if found := _WHERE.search(answer):
                return int(found[2])
    return None
