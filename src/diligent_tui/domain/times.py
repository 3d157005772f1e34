"""Times as they are written and read: ISO 8601 in UTC with milliseconds."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
Stamp = str | int | float


def now() -> datetime:
    """The clock of the running program."""
    return datetime.now(UTC)


def to_stamp(moment: datetime) -> str:
    """A moment as text, such as 2026-01-02T03:04:05.678Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_stamp(stamp: Stamp | None) -> datetime | None:
    """The moment that a stamp means: ISO text, or seconds or milliseconds since 1970; None if neither."""
    try:
        if isinstance(stamp, str):
            moment = datetime.fromisoformat(stamp)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if stamp is None or isinstance(stamp, bool):
            return None
        seconds = stamp / 1000 if abs(stamp) > 1e11 else stamp
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
