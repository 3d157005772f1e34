"""Draws one call as a row of the list."""

from collections.abc import Callable

from rich.segment import Segment
from textual.strip import Strip

from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.tools.facts import CallFacts
from diligent_tui.ui.panes.tools.look import ToolsLook
from diligent_tui.ui.widgets.cursor_row import lit
from diligent_tui.ui.widgets.row_text import join_lines
from diligent_tui.ui.widgets.searched_words import marked
from diligent_tui.ui.widgets.tool_card import Card, draw_card

CURSOR_BAR = "▎"
PRUNED = "▒"
TOKENS_COLUMNS = 7
WIDE_COLUMNS = 54
"""From this width on there is room for tokens."""

Count = Callable[[int], int]
"""About how many tokens so many bytes are."""


def draw_row(
    facts: CallFacts, width: int, look: ToolsLook, count: Count, *, is_cursor: bool, is_pruned: bool, words: str
) -> Strip:
    """The row, exactly as wide as asked, with searched words marked."""
    time = "" if facts.duration_seconds is None else fmt.duration(facts.duration_seconds)
    more = f" {tokens(facts, count):>{TOKENS_COLUMNS}}" if width >= WIDE_COLUMNS else ""
    # A long command is not read to its end for the sake of one row.
    subject = join_lines(facts.subject[: 4 * width])
    card = Card(facts.state, facts.tool, subject, facts.effect, time, more)
    bar = Segment(CURSOR_BAR, look.card.accent) if is_cursor else Segment(" ")
    mark = Segment(f" {PRUNED}" if is_pruned else "  ", look.card.memory)
    strip = Strip([bar, *draw_card(card, max(1, width - 3), look.card), mark]).crop_extend(0, width, None)
    strip = marked(strip, words, look.match)
    return lit(strip, look.base, look.cursor) if is_cursor else strip.apply_style(look.base)


def tokens(facts: CallFacts, count: Count) -> str:
    """About how much of the context the output takes."""
    if facts.state in ("waiting", "running"):
        return ""
    return f"≈{fmt.tokens(count(facts.size_bytes))}"
