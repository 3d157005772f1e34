"""Standard output of a run: its reader may leave, be full, or stand still while we are told to stop."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.cli.streams import let_go_of_output


class WriteStopped(OSError):
    """A signal came while the reader stood still."""


def _nobody() -> None:
    """Until the run says whom to tell."""


@dataclass(slots=True)
class Output:
    """Writes until a write fails, tells that once, and writes no more."""

    lost: Callable[[], None] = _nobody
    problem: OSError | None = None
    _is_writing: bool = False

    def write(self, text: str) -> None:
        """Write at once."""
        if self.problem is not None or not text:
            return
        try:
            self._is_writing = True
            sys.stdout.write(text)
            sys.stdout.flush()
            self._is_writing = False
        except OSError as error:
            self._is_writing = False
            self.problem = error
            let_go_of_output()
            self.lost()

    def break_off(self) -> None:
        """For a signal handler: leave a write that would wait for ever, by an exception out of it."""
        if self._is_writing:
            self._is_writing = False
            raise WriteStopped

    @property
    def complaint(self) -> str:
        """What is to be said about a failed write; a reader who left knows it."""
        if self.problem is None or isinstance(self.problem, BrokenPipeError | WriteStopped):
            return ""
        return f"Standard output cannot be written: {self.problem.strerror or self.problem}."
