"""The tool calls of a session: a list of any length, the details of each, and the whole of its output."""

from diligent_tui.ui.commands.tools import TOOL_COMMANDS
from diligent_tui.ui.panes.tools.pane import ToolsPane

__all__ = ["TOOL_COMMANDS", "ToolsPane"]
