"""The knowledge pane."""

from diligent_tui.ui.panes.knowledge.form_view import FormView
from diligent_tui.ui.panes.knowledge.pane import KnowledgePane

__all__ = ["FormView", "KnowledgePane"]
