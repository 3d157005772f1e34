"""Prints the sessions of a project."""

import json
import sys
from datetime import UTC, datetime

from diligent_tui.config.house import House
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import to_stamp
from diligent_tui.session.catalog import SessionSummary
from diligent_tui.session.shelf import Shelf
from diligent_tui.ui import format as fmt

TITLE_CHARS = 60


def print_sessions(house: House, words: str = "", *, as_json: bool = False) -> None:
    """One line for each session that fits the words, newest first."""
    if not house.sessions_are_known:
        sys.stderr.write("The sessions found here were not made by you; --trust lists them.\n")
        return
    shelf = Shelf(house.places.sessions)
    rows = shelf.find(words) if words.strip() else shelf.rows()
    if as_json:
        sys.stdout.writelines(json.dumps(_object(row)) + "\n" for row in rows)
        return
    if not rows:
        sys.stdout.write(
            f"No session here fits “{clean_line(words, TITLE_CHARS)}”.\n"
            if words.strip()
            else "No sessions here yet. Begin one: diligent, or diligent -p PROMPT.\n"
        )
    now = datetime.now(UTC)
    sys.stdout.writelines(_line(row, now) + "\n" for row in rows)


def _line(row: SessionSummary, now: datetime) -> str:
    compactions = "–" if row.compactions is None else str(row.compactions)
    age = fmt.age((now - row.changed).total_seconds())
    figures = f"⟳ {compactions:>2}  {fmt.tokens(row.tokens):>6}  {fmt.money(row.cost):>7}"
    return f"{clean_line(row.id)}  {age:>10}  {figures}  {clean_line(row.title, TITLE_CHARS)}"


def _object(row: SessionSummary) -> dict[str, object]:
    """ASCII only once it is dumped, so nothing in it can act on a terminal; no path of the machine."""
    return {
        "id": row.id,
        "title": row.title,
        "name": row.name,
        "firstPrompt": row.first_prompt,
        "changed": to_stamp(row.changed),
        "tokens": row.tokens,
        "cost": row.cost,
        "compactions": row.compactions,
        "parentSession": row.parent_session,
    }
