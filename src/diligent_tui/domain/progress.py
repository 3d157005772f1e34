"""How far a long work has come, and about how long the rest of it will take, in words."""

from collections.abc import Callable
from time import monotonic

Tell = Callable[[int, int], None]
"""Told how much is done and how much there is, by the thread that works; it may raise Stopped to end the work."""
QUIET_SECONDS = 0.5
"""What is done by then was quick, and nobody needs to be told."""
BETWEEN_SECONDS = 0.2
LEAST_SECONDS = 1.0
"""Before that too little is known to guess the rest."""
MINUTE_SECONDS, HOUR_SECONDS = 60, 3_600


class Stopped(Exception):
    """Raised inside a work that nobody waits for any more."""


def tell_nobody(done: int, total: int) -> None:
    """For those who do not wait long."""


def part_of(tell: Tell, number: int, parts: int) -> Tell:
    """One part, counted from 0, of a work that goes over the same things several times."""

    def told(done: int, total: int) -> None:
        tell((number * total + done) // parts, total)

    return told


def progress_words(doing: str, done: int, total: int, passed_seconds: float) -> str:
    """Such as `indexing 340 of 2,000 · about 4 s left`."""
    return f"{doing} {done:,} of {total:,}{rest_of(done, total, passed_seconds)}"


def rest_of(done: int, total: int, passed_seconds: float) -> str:
    """What is to be said behind those numbers of the time that is left; nothing while too little is known."""
    if done <= 0 or passed_seconds < LEAST_SECONDS:
        return ""
    return f" · {rest_words(passed_seconds * max(0, total - done) / done)}"


def rest_words(seconds: float) -> str:
    """How long something will still take, in a unit that does not pretend to know more."""
    if seconds < 1:
        return "almost done"
    if seconds < MINUTE_SECONDS:
        return f"about {seconds:.0f} s left"
    if seconds < HOUR_SECONDS:
        return f"about {seconds / MINUTE_SECONDS:.0f} min left"
    return f"about {seconds / HOUR_SECONDS:.0f} h left"


class Pace:
    """Turns the steps of one work into words, late and seldom enough to be read; it is a `Tell` itself."""

    def __init__(self, doing: str, show: Callable[[str], object], clock: Callable[[], float] | None = None) -> None:
        """The work begins now; `show` is called in the thread that works."""
        self._doing = doing
        self._show = show
        self._clock = clock or monotonic
        self._began_at = self._clock()
        self._next_at = self._began_at + QUIET_SECONDS

    def __call__(self, done: int, total: int) -> None:
        """Hear of a step, and show it if it is time."""
        now = self._clock()
        if now >= self._next_at:
            self._next_at = now + BETWEEN_SECONDS
            self._show(progress_words(self._doing, done, total, now - self._began_at))
