"""Standard output of a run: its reader may leave, be full, or stand still while we are told to stop."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.cli.streams import let_go_of_output


class WriteStopped(OSError):
    """The reader stands still, and we are to stop."""


def _nobody() -> None:
    """Until the run says whom to tell."""


@dataclass(slots=True)
class Output:
    """Writes until a write fails, tells that once, and writes no more."""

    lost: Callable[[], None] = _nobody
    problem: OSError | None = None
    _is_writing: bool = False
    _written: int = 0
    _written_at_last_look: int = -1

    def write(self, text: str) -> None:
        """Write at once."""
        if self.problem is not None or not text:
            return
        try:
            self._written += 1
            self._is_writing = True
            sys.stdout.write(text)
            sys.stdout.flush()
            self._is_writing = False
        except OSError as error:
            self._is_writing = False
            self.problem = error
            let_go_of_output()
            self.lost()

    def look(self) -> None:
        """For a timer that rings again and again: a write that was under way at the last look is left, by raising."""
        if self._is_writing and self._written == self._written_at_last_look:
            self._is_writing = False
            raise WriteStopped
        self._written_at_last_look = self._written

    @property
    def complaint(self) -> str:
        """What is to be said about a failed write; a reader who left knows it."""
        if self.problem is None or isinstance(self.problem, BrokenPipeError | WriteStopped):
            return ""
        return f"Standard output cannot be written: {self.problem.strerror or self.problem}."
