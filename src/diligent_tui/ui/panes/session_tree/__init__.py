"""The session tree: rows of all branches, and the wishes that leave it."""

from diligent_tui.ui.commands.tree import TREE_COMMANDS
from diligent_tui.ui.panes.session_tree.pane import SessionTreePane

__all__ = ["TREE_COMMANDS", "SessionTreePane"]
