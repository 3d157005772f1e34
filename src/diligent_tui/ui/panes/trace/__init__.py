"""The trace pane: what happens inside, recorded always and listed while it is looked at."""

from diligent_tui.ui.panes.trace.export import save_trace, trace_lines
from diligent_tui.ui.panes.trace.pane import TracePane

__all__ = ["TracePane", "save_trace", "trace_lines"]
