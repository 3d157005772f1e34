"""The trace pane."""

from diligent_tui.ui.panes.trace.pane import TracePane

__all__ = ["TracePane"]
