"""Runs diligent in a fresh interpreter whose audit hook writes down what is started, connected, opened and changed.

    witness.py LOG WORDS…          the command line with these words
    witness.py LOG --plan FILE     every repository of a plan in turn: looked at, then asked a question

Run as a file, never with -m: the folder one stands in must not be on the path, as it is not for the installed command.
"""

import json
import os
import runpy
import sys
from pathlib import Path

STARTS = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn"}
)
CONNECTS = frozenset(
    {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
    | {"socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect"}
)
LOOKS = frozenset({"open", "os.listdir", "os.scandir"})
CHANGES = frozenset(
    {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.utime"}
)
OWN = "witness."
"""Begins the events by which `follow.py` says what it is at."""


class Witness:
    """Writes events to a file as they happen, so that a crash loses none."""

    def __init__(self, log: str) -> None:
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, *words: object) -> None:
        os.write(self._log, (json.dumps(words) + "\n").encode())

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        if event.startswith(OWN):
            self.write(event.removeprefix(OWN), *args)
        elif event in STARTS or event in CONNECTS:
            self.write(event, *(str(each) for each in args))
        elif event in LOOKS:
            flags = [each for each in args[2:3] if isinstance(each, int)]
            self.write(event, *(_real(each, sum(flags)) for each in args[:1]))
        elif event in CHANGES:
            self.write(event, *(_real(each, os.O_NOFOLLOW) for each in args[:2]))


def _real(path: object, flags: int) -> str:
    """Where a path leads; a link at its end is not followed by who says so."""
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str):
        return ""
    place = Path(path)
    if flags & os.O_NOFOLLOW and place.is_symlink():
        return str(Path(os.path.realpath(place.parent)) / place.name)
    return os.path.realpath(place)


def _main() -> None:
    log, *words = sys.argv[1:]
    # The folder of this file is on the path in place of that of the installed command.
    del sys.path[0]
    witness = Witness(log)
    sys.addaudithook(witness.hear)
    # What is run is imported only now, under the hook.
    if words[:1] == ["--plan"]:
        sys.argv = words
        runpy.run_path(str(Path(__file__).with_name("follow.py")), run_name="__main__")
    else:
        sys.argv = ["diligent", *words]
        runpy.run_module("diligent_tui.cli.main", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
