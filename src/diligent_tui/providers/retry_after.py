"""When a server asks us to come back, in all the forms that servers have for it."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)", re.IGNORECASE)
_UNIT_SECONDS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_SPOKEN = re.compile(
    r"(?:try again|retry)[^\n]{0,20}? (?:in|after) ((?:\d+(?:\.\d+)?\s*[a-z]{1,12}\s*){1,4})", re.IGNORECASE
)
_RESETS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens")
_RESET_DATES = (
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-input-tokens-reset",
    "anthropic-ratelimit-output-tokens-reset",
)


def retry_after_in(headers: Mapping[str, str], message: str = "", now: datetime | None = None) -> float | None:
    """The seconds to wait, from the header for it, else from the words; None if nothing sensible is said."""
    now = now or datetime.now(UTC)
    named = _named(headers)
    plain = _plain(named.get("retry-after-ms", ""), 0.001)
    if plain is None:
        plain = _plain(named.get("retry-after", ""))
    if plain is None:
        plain = _until(named.get("retry-after", ""), now)
    return _spoken(message) if plain is None else plain


def limit_passes_in(headers: Mapping[str, str], message: str = "", now: datetime | None = None) -> float | None:
    """The seconds until a limit that was hit passes; the limits' own times stand in every answer, also in others'."""
    now = now or datetime.now(UTC)
    asked = retry_after_in(headers, message, now)
    return _last_reset(_named(headers), now) if asked is None else asked


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value.strip() for name, value in headers.items()}


def _plain(text: str, unit_seconds: float = 1.0) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number * unit_seconds if math.isfinite(number) and number >= 0 else None


def _until(text: str, now: datetime) -> float | None:
    """The seconds until a date, be it written as mail or as ISO does; a date gone by is now."""
    if not text:
        return None
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    try:
        return max(0.0, (date - now).total_seconds())
    except OverflowError:
        return None


def _span(text: str) -> float | None:
    """The seconds in a text such as `6m0s`, `250ms` or `20 seconds`."""
    parts = _PART.findall(text)
    return sum(float(number) * _UNIT_SECONDS[unit.lower()] for number, unit in parts) if parts else None


def _spoken(message: str) -> float | None:
    found = _SPOKEN.search(message[:2000])
    return _span(found[1]) if found else None


def _last_reset(named: Mapping[str, str], now: datetime) -> float | None:
    """The latest of the limits' own times: nobody says which of them was hit."""
    spans = [_span(named.get(name, "")) for name in _RESETS]
    dates = [_until(named.get(name, ""), now) for name in _RESET_DATES]
    return max((seconds for seconds in (*spans, *dates) if seconds is not None), default=None)
