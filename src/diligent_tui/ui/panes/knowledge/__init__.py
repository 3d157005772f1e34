"""The knowledge pane."""

from diligent_tui.ui.panes.knowledge.pane import KnowledgePane

__all__ = ["KnowledgePane"]
