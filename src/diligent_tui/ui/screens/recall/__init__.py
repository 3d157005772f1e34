"""The recall screen: find again what was said in this session, whatever became of it in the context."""

from diligent_tui.ui.screens.recall.screen import RecallChoice, RecallScreen

__all__ = ["RecallChoice", "RecallScreen"]
