"""Long output on a terminal goes through the user's pager; into a pipe or a file it goes as it is."""

import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping

from diligent_tui.cli.headless import until_the_reader_leaves
from diligent_tui.tools.environment import SECRET_WORDS

PAGERS = ("less", "more")
LESS_OPTIONS = "FRX"
"""As git has it: leave at once if it fits, and leave the text on the screen."""
NO_PAGER = frozenset({"", "cat"})


class _Terminal(io.StringIO):
    """Text that waits to be shown on a terminal, and is laid out for one."""

    def isatty(self) -> bool:
        return True


def show_paged(act: Callable[[], None]) -> int:
    """Print something; returns the exit code. The pager is $PAGER, or less where that is not set."""
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        return until_the_reader_leaves(act)
    kept = _Terminal()
    with contextlib.redirect_stdout(kept):
        act()
    text = kept.getvalue()
    pager = find_pager(os.environ)
    fits = text.count("\n") < shutil.get_terminal_size().lines
    if fits or not pager or not _page(text, pager):
        return until_the_reader_leaves(lambda: _write(text))
    return 0


def find_pager(environ: Mapping[str, str]) -> list[str]:
    """The pager's words; none if the user wants none or there is none."""
    said = environ.get("PAGER")
    if said is None:
        return [name for name in PAGERS if shutil.which(name)][:1]
    try:
        words = shlex.split(said)
    except ValueError:
        return []
    return [] if not words or words[0] in NO_PAGER or not shutil.which(words[0]) else words


def _page(text: str, pager: list[str]) -> bool:
    ours = {name: value for name, value in os.environ.items() if not SECRET_WORDS.search(name)}
    try:
        child = subprocess.Popen(
            pager, stdin=subprocess.PIPE, env={"LESS": LESS_OPTIONS, **ours}, text=True, errors="replace"
        )
    except OSError:
        return False
    # ctrl+c is for the pager, which takes it as a wish to stop a search.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # Whoever has seen enough leaves before the end.
        with contextlib.suppress(BrokenPipeError):
            child.communicate(text)
    finally:
        child.wait()
        signal.signal(signal.SIGINT, before)
    return True


def _write(text: str) -> None:
    sys.stdout.write(text)
