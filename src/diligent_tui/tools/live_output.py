"""Showing a running command's words without drowning the screen: few calls, bounded size, nothing late."""

import asyncio
from collections.abc import Callable

BETWEEN_SECONDS = 0.1
LONGEST_PIECE_CHARS = 16_384


class LiveOutput:
    """Joins what comes within a tenth of a second into one call of `say`; of a flood only the newest part is shown."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Belongs to the running event loop."""
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._waiting = ""
        self._skipped_chars = 0
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, text: str) -> None:
        """Show the text now if nothing was shown lately, else with what follows."""
        if not text:
            return
        self._waiting += text
        over = len(self._waiting) - LONGEST_PIECE_CHARS
        if over > 0:
            self._skipped_chars += over
            self._waiting = self._waiting[over:]
        if self._timer is None:
            self._show()
            self._timer = self._loop.call_later(BETWEEN_SECONDS, self._pause_over)

    def close(self) -> None:
        """Show what still waits and end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._show()

    def _pause_over(self) -> None:
        self._timer = None
        if self._waiting:
            self._show()
            self._timer = self._loop.call_later(BETWEEN_SECONDS, self._pause_over)

    def _show(self) -> None:
        text, self._waiting = self._waiting, ""
        if self._skipped_chars:
            text = f"\n[… {self._skipped_chars:,} characters went by …]\n{text}"
            self._skipped_chars = 0
        if text:
            self._say(text)
