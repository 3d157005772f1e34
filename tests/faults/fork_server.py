"""Forks one busy session per order, everything imported already; what the session acknowledges goes to standard output.

An order is a line of JSON; the child names its pid first. The line `reap` waits for the child's end and tells it.
"""

import asyncio
import json
import os
import sys
import traceback
from pathlib import Path

from diligent_tui.domain.records import JsonObject
from tests.faults.busy import be_busy

OUTPUT = 1


def say(value: JsonObject) -> None:
    """One line in one write, which a pipe takes whole or not at all."""
    os.write(OUTPUT, json.dumps(value).encode() + b"\n")


def work(order: dict[str, str | int | None]) -> None:
    """Be the child; never comes back."""
    try:
        say({"pid": os.getpid()})
        session = order["session"]
        path = Path(str(session)) if session else None
        asyncio.run(be_busy(Path(str(order["project"])), path, int(order["seed"] or 0), say))
    finally:
        traceback.print_exc()
        os._exit(1)


def main() -> None:
    """Serve until the input ends."""
    child = 0
    while line := sys.stdin.readline():
        if line == "reap\n":
            _, status = os.waitpid(child, 0)
            say({"ended": os.waitstatus_to_exitcode(status)})
            continue
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            work(order)


if __name__ == "__main__":
    main()
