"""The context pane."""

from diligent_tui.ui.panes.context.pane import ContextPane

__all__ = ["ContextPane"]
