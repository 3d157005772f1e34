"""What the terminal is told beside the picture: the window's title, and that something waits while one looks away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.plain_text import clean_line

if TYPE_CHECKING:
    from diligent_tui.ui.state import ScreenState

LONG_TURN_SECONDS = 10.0
TITLE_CHARS = 60
REASON_CHARS = 120
BELL = "\x07"
NO_TITLES = ("linux", "dumb", "vt")
"""Beginnings of terminals' names that have no window, or would print what they do not understand."""


@dataclass(slots=True)
class Attention:
    """Knows what was told last; `write` sends to the terminal, and what is sent was cleaned before."""

    write: Callable[[str], object]
    environ: Mapping[str, str]
    notifies: bool = True
    rings: bool = False
    clock: Callable[[], float] = monotonic
    _title: str = ""
    _was_busy: bool = False
    _was_asking: bool = False
    _busy_since: float = 0.0
    _known_problem: Problem | None = None
    """What was wrong while the work went on, and so is not how it ended."""

    def take(self, state: "ScreenState", *, is_watched: bool) -> None:
        """Hear of the screen's newest state; `is_watched` tells whether the terminal has the focus."""
        self._say_title(state)
        is_busy, is_asking = state.is_working, state.phase == "asking"
        if is_busy and not self._was_busy:
            self._busy_since = self.clock()
        took_long = self.clock() - self._busy_since >= LONG_TURN_SECONDS
        has_ended = self._was_busy and not is_busy and took_long
        has_asked = is_asking and not self._was_asking
        self._was_busy, self._was_asking = is_busy, is_asking
        if not is_watched and (has_ended or has_asked):
            self._call(f"{name_of(state)}: {'waits for your answer' if has_asked else self._ending(state)}")
        self._known_problem = state.problem

    def _ending(self, state: "ScreenState") -> str:
        problem = state.problem
        if problem is None or problem == self._known_problem:
            return ENDINGS.get(state.ending, "done").partition(" · ")[0]
        return "stopped" if problem.kind == "interrupted" else f"failed: {clean_line(problem.message, REASON_CHARS)}"

    def _say_title(self, state: "ScreenState") -> None:
        title = title_of(state)
        if title != self._title and not self._is_plain:
            self._title = title
            self.write(f"\x1b]2;{title}\x07")

    def _call(self, words: str) -> None:
        if self.notifies and not self._is_plain:
            self.write(f"\x1b]9;{words}\x07")
        if self.rings:
            self.write(BELL)

    @property
    def _is_plain(self) -> bool:
        return self.environ.get("TERM", "dumb").startswith(NO_TITLES)


def title_of(state: "ScreenState") -> str:
    """The window's title: a sign of the state, the session, the program."""
    sign = "? " if state.phase == "asking" else "… " if state.is_working else ""
    return f"{sign}{name_of(state)} · diligent"


def name_of(state: "ScreenState") -> str:
    """The session as others call it; it is from outside, so it is cleaned."""
    return clean_line(state.session_name or state.first_prompt, TITLE_CHARS) or "new session"
