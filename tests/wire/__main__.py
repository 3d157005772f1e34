"""Starts the loopback server by hand: `python -m tests.wire --port 8765`."""

import argparse
import sys
import threading

from tests.wire.formats import FORMATS
from tests.wire.server import WireServer


def main() -> int:
    """Serve until Ctrl+C, with a little talk that uses a tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 is any free one")
    parser.add_argument("--window", type=int, default=None, metavar="TOKENS", help="refuse requests longer than this")
    asked = parser.parse_args()
    with WireServer(window_tokens=asked.window, port=asked.port) as server:
        lines = [f"{known.name:12} {server.url}{known.path}" for known in FORMATS]
        sys.stdout.write("\n".join(lines) + "\nany key will do; Ctrl+C stops\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
