"""Standard output and error, whatever we were started with."""

import io
import os
import sys


def settle_streams() -> None:
    """Have both streams where one was closed, and lose a sign rather than the run where one knows few of them."""
    for name in ("stdout", "stderr"):
        stream: object = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def let_go_of_output() -> None:
    """After a failed write: the interpreter flushes once more at its end, which must have somewhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
