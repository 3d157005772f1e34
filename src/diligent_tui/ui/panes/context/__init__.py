"""The context: the exact next request in a pane, and that of any entry on a board of its own."""

from diligent_tui.ui.panes.context.board import ContextBoard
from diligent_tui.ui.panes.context.pane import ContextPane
from diligent_tui.ui.panes.context.sheet import ContextSheet, sheet_of

__all__ = ["ContextBoard", "ContextPane", "ContextSheet", "sheet_of"]
