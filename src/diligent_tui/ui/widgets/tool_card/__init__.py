"""A tool call in one line, and its output as rows; the chat and the tools pane both draw with this."""

from diligent_tui.ui.widgets.tool_card.card import MARKS, Card, CardLook, draw_card
from diligent_tui.ui.widgets.tool_card.effect import effect_of
from diligent_tui.ui.widgets.tool_card.output import output_rows

__all__ = ["MARKS", "Card", "CardLook", "draw_card", "effect_of", "output_rows"]
