"""Tries to get out of the sandbox it is started in, and prints the name of each way that was open.

It is run as a program of its own by `probe`, with nothing but the standard library and what it is told in arguments.
"""

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

SOCKET_SECONDS = 2.0
WAYS = (
    "write",
    "truncate",
    "link",
    "secret",
    "protected",
    "tcp",
    "datagram",
    "abstract socket",
    "socket file",
    "signal",
    "memory",
)
"""The names of all ways out; "alive" is none, it is what must work."""


def attempts(
    stage: Path, tcp_port: int, udp_port: int, abstract_name: str, outer_pid: int
) -> dict[str, Callable[[], object]]:
    """Each way out by name; it is open if the call does not raise."""
    workspace, outside = stage / "workspace", stage / "outside"
    return {
        "alive": lambda: (workspace / "written").write_text("x"),
        "write": lambda: (outside / "written").write_text("x"),
        "truncate": lambda: os.truncate(outside / "kept", 0),
        "link": lambda: (workspace / "link" / "written").write_text("x"),
        "secret": (stage / "hidden" / "key").read_bytes,
        "protected": lambda: (workspace / ".git" / "hooks" / "pre-commit").write_text("x"),
        "tcp": lambda: socket.create_connection(("127.0.0.1", tcp_port), SOCKET_SECONDS),
        "datagram": lambda: _datagram(udp_port),
        "abstract socket": lambda: _connect_unix(f"\0{abstract_name}"),
        "socket file": lambda: _connect_unix(str(stage / "home" / "socket")),
        "signal": lambda: os.kill(outer_pid, 0),
        "memory": Path(f"/proc/{outer_pid}/environ").read_bytes,
    }


def main(arguments: list[str]) -> None:
    """Try everything and print what was open."""
    stage, tcp_port, udp_port, abstract_name, outer_pid = arguments
    ways = attempts(Path(stage), int(tcp_port), int(udp_port), abstract_name, int(outer_pid))
    for name, attempt in ways.items():
        with contextlib.suppress(OSError):
            attempt()
            os.write(1, f"{name}\n".encode())


def _datagram(port: int) -> None:
    """A private network has its own loopback, where nobody listens: the kernel says so on the next call."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", port))
        sender.send(b"out")
        sender.settimeout(SOCKET_SECONDS)
        if sender.recv(3) != b"yes":
            raise OSError("nobody answered")


def _connect_unix(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(SOCKET_SECONDS)
        caller.connect(address)


if __name__ == "__main__":
    main(sys.argv[1:])
