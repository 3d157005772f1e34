"""Reads what is piped into `diligent -p`: text only, not without end, and never a terminal."""

import os
import select
import stat
import sys
import time

from diligent_tui.cli.exit_codes import OUT_OF_TIME
from diligent_tui.cli.headless import Complain
from diligent_tui.domain.errors import DiligentError, UsageError

MOST_INPUT_BYTES = 1_048_576
CHUNK_BYTES = 65_536
PATIENCE_SECONDS = 3.0
"""So long nothing need be said; a command in front of us may take its time."""
WAITING = "Waiting for standard input. If nothing is to come, end it with ctrl+d or start with </dev/null."


class OutOfTime(DiligentError):
    """The time that --max-seconds gave is over."""

    kind = OUT_OF_TIME
    advice_by_default = "Give --max-seconds more, or a smaller task."


def read_standard_input(complain: Complain, until: float | None = None) -> str:
    """All that is piped in, nothing for a terminal; `until` is the end of patience on the monotonic clock."""
    if not _is_fed():
        return ""
    data = bytearray()
    has_told = False
    while True:
        if not _is_ready(until, may_tell=not has_told):
            if until is not None and time.monotonic() >= until:
                raise OutOfTime("The time was over before standard input had ended.")
            complain(WAITING)
            has_told = True
            continue
        chunk = os.read(sys.stdin.fileno(), CHUNK_BYTES)
        data += chunk
        # Once something came, more will.
        has_told = True
        if not chunk:
            return _text(bytes(data))
        if len(data) > MOST_INPUT_BYTES:
            raise UsageError(
                f"More than {MOST_INPUT_BYTES:,} bytes are piped in.",
                "Save them in a file of the project, and name it in the prompt.",
            )


def _is_fed() -> bool:
    """True for a pipe, a socket or a file; a terminal is for people, and other devices say nothing."""
    # Without any standard input there is no object either, whatever its type says.
    fed: object = sys.stdin
    if fed is None:
        return False
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISREG(mode)


def _is_ready(until: float | None, *, may_tell: bool) -> bool:
    waits = [PATIENCE_SECONDS] if may_tell else []
    if until is not None:
        waits.append(max(0.0, until - time.monotonic()))
    ready, _, _ = select.select([sys.stdin.fileno()], [], [], min(waits) if waits else None)
    return bool(ready)


def _text(data: bytes) -> str:
    advice = "Pipe in text, or save it in a file of the project and name that in the prompt."
    if b"\0" in data:
        raise UsageError("What is piped in is not text: it has zero bytes.", advice)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"What is piped in is not UTF-8 text: byte {error.start + 1:,} does not fit."
        raise UsageError(message, advice) from error
