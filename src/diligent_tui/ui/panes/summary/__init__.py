"""The summary pane."""

from diligent_tui.ui.panes.summary.pane import SummaryPane

__all__ = ["SummaryPane"]
