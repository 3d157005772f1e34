"""Draws a tool call in one line: state, tool, subject, effect, time."""

from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style

from diligent_tui.domain.plain_text import clean_name
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.transcript import ToolState

MARKS: dict[ToolState, str] = {"waiting": "○", "running": "◐", "done": "✓", "failed": "✗"}
NAME_COLUMNS = 20
TIME_COLUMNS = 6
"""As wide as the times one meets most, so that they stand below each other."""
LEAST_SUBJECT_COLUMNS = 8
LEAST_EFFECT_COLUMNS = 8


class CardLook(NamedTuple):
    """The styles of a card."""

    text: Style
    dim: Style
    accent: Style
    success: Style
    error: Style
    memory: Style


class Card(NamedTuple):
    """What a card says; the words may be anything, `effect` has passed the gate."""

    state: ToolState
    tool: str
    subject: str
    effect: str
    time: str = ""
    more: str = ""
    """What stands behind the time where there is room, such as tokens."""


def draw_card(card: Card, room: int, look: CardLook) -> list[Segment]:
    """The card, exactly as wide as the room."""
    name = f"{fit(clean_name(card.tool, 4 * NAME_COLUMNS), NAME_COLUMNS) or 'tool'}  "
    time = f" {card.time:>{TIME_COLUMNS}}" if card.time else ""
    left = 2 + cell_len(name)
    free = room - left - 1 - cell_len(time) - cell_len(card.more)
    # What a call is about is worth as much room as what came of it.
    subject_need = max(LEAST_SUBJECT_COLUMNS, min(cell_len(card.subject), free // 2))
    effect = fit(card.effect, max(LEAST_EFFECT_COLUMNS, free - subject_need))
    right = cell_len(effect) + cell_len(time) + cell_len(card.more)
    subject_room = max(0, room - left - right - 1)
    subject = fit(card.subject, subject_room)
    # A quiet line for what went well; what failed is said in red.
    said = look.error if card.state == "failed" else look.dim
    drawn = [
        Segment(f"{MARKS[card.state]} ", mark_style(card.state, look)),
        Segment(name, look.text),
        Segment(set_cell_size(subject, subject_room + 1), look.dim),
        Segment(effect, said),
        Segment(time, look.dim),
        Segment(card.more, look.dim),
    ]
    return [segment for segment in drawn if segment.text]


def mark_style(state: ToolState, look: CardLook) -> Style:
    """The style of a state's sign."""
    match state:
        case "done":
            return look.success
        case "failed":
            return look.error
        case "waiting" | "running":
            return look.accent
