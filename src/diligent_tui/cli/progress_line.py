"""One line on standard error that tells how far a long work is; only on a terminal, and gone when the work is done."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from diligent_tui.domain.progress import Pace, Tell, tell_nobody

ERASE = "\r\x1b[K"


@contextmanager
def telling(doing: str) -> Generator[Tell]:
    """Tell of a work while it is done."""
    if not sys.stderr.isatty():
        yield tell_nobody
        return
    try:
        yield Pace(doing, _show)
    finally:
        _write(ERASE)


def _show(words: str) -> None:
    _write(f"{ERASE}{words}")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
