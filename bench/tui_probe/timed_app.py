"""Runs diligent on an event loop that notes how much CPU time each of its passes took: `timed_app.py FILE WORDS…`."""

import json
import selectors
import sys
import threading
import time
from pathlib import Path
from unittest.mock import patch

from diligent_tui.cli.main import main


class TimedSelector(selectors.EpollSelector):
    """Asked once in each pass of the loop; between two questions the main thread has worked."""

    def __init__(self) -> None:
        """Begin without a pass."""
        super().__init__()
        self.passes: list[tuple[float, float]] = []
        self._began_cpu_s = time.thread_time()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Note the pass that has ended, then wait."""
        self.passes.append((time.monotonic(), time.thread_time() - self._began_cpu_s))
        found = super().select(timeout)
        self._began_cpu_s = time.thread_time()
        return found


def run(path: Path, words: list[str]) -> int:
    """Run diligent, then write when each pass ended and what it cost."""
    selector = TimedSelector()

    def selector_for_thread() -> selectors.BaseSelector:
        return selector if threading.current_thread() is threading.main_thread() else selectors.EpollSelector()

    try:
        # What an event loop takes where it is given none; the loop is made deep inside the app's own start.
        with patch.object(selectors, "DefaultSelector", selector_for_thread):
            return main(words)
    finally:
        path.write_text(json.dumps(selector.passes), encoding="ascii")


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2:]))
