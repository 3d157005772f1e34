"""Draws a hit in two rows: who said it about what and when, and below it the line that matches best."""

from datetime import datetime

from textual.content import Content

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import from_stamp
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.recall.found import Asked, Found, best_line, spoken_by

CURSOR_BAR = "▎"
LONGEST_CHARS = 300
LEAST_TITLE_COLUMNS = 12


def draw_hit(found: Found, asked: Asked, now: datetime, width: int, *, is_cursor: bool) -> tuple[Content, Content]:
    """The two rows, at most as wide as asked."""
    hit = found.hit
    moment = from_stamp(found.entry.timestamp) if found.entry else None
    age = fmt.age((now - moment).total_seconds()) if moment else ""
    room = max(1, width - 2 - (len(age) + 1 if width > LEAST_TITLE_COLUMNS + len(age) else 0))
    style = "bold" if hit.who == "user" else ""
    title = Content.styled(clean_line(spoken_by(hit.who), LONGEST_CHARS), style)
    if hit.about:
        title += Content.styled(f"  {clean_line(hit.about, LONGEST_CHARS)}", "$dim")
    title = title.truncate(room, ellipsis=True)
    bar = Content.styled(f"{CURSOR_BAR} ", "$accent") if is_cursor else Content("  ")
    space = " " * max(1, width - 2 - title.cell_length - len(age))
    head = bar + title + space + Content.styled(age, "$dim")
    line = asked.within(hit.snippet).mark(clean_line(best_line(hit.snippet, asked), LONGEST_CHARS))
    below = bar + Content("  ") + line
    return head.truncate(width), below.truncate(max(1, width - 1), ellipsis=True)
