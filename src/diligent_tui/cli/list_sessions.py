"""Prints the sessions of a project."""

import sys
from datetime import UTC, datetime

from diligent_tui.config.assembly import House
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.catalog import SessionSummary, list_sessions

TITLE_CHARS = 60


def print_sessions(house: House) -> int:
    """One line for each session, newest first."""
    if not house.sessions_are_known:
        sys.stdout.write("The sessions found here were not made by you; --trust lists them.\n")
        return 0
    rows = list_sessions(house.places.sessions)
    if not rows:
        sys.stdout.write("No sessions here yet. Begin one: diligent, or diligent -p PROMPT.\n")
    now = datetime.now(UTC)
    for row in rows:
        sys.stdout.write(_line(row, now) + "\n")
    return 0


def _line(row: SessionSummary, now: datetime) -> str:
    tokens = "–" if row.tokens is None else f"{row.tokens / 1000:.0f}k"
    cost = "–" if row.cost is None else f"${row.cost:.2f}"
    compactions = "–" if row.compactions is None else str(row.compactions)
    age = age_in_words((now - row.changed).total_seconds())
    return f"{row.id}  {age:>9}  ⟳ {compactions:>2}  {tokens:>6}  {cost:>7}  {clean_line(row.title, TITLE_CHARS)}"


def age_in_words(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"
