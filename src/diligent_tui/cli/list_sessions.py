"""Prints the sessions of a project."""

import sys
from datetime import UTC, datetime

from diligent_tui.config.assembly import House
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.catalog import SessionSummary, list_sessions
from diligent_tui.ui import format as fmt

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
    compactions = "–" if row.compactions is None else str(row.compactions)
    age = fmt.age((now - row.changed).total_seconds())
    figures = f"⟳ {compactions:>2}  {fmt.tokens(row.tokens):>6}  {fmt.money(row.cost):>7}"
    return f"{row.id}  {age:>10}  {figures}  {clean_line(row.title, TITLE_CHARS)}"
