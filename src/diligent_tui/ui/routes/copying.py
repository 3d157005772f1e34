"""Wishes to copy."""

from typing import TYPE_CHECKING

from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.panes.context import ContextPane
    from diligent_tui.ui.panes.knowledge import KnowledgePane
    from diligent_tui.ui.panes.summary import SummaryPane
    from diligent_tui.ui.panes.tools import ToolsPane
    from diligent_tui.ui.screens.recall import RecallScreen
    from diligent_tui.ui.widgets.prompt import PromptInput
    from diligent_tui.ui.widgets.virtual_log import VirtualLog


class CopyRoutes(Routes):
    """Copies, and says truly how."""

    def on_knowledge_pane_copy_requested(self, message: "KnowledgePane.CopyRequested") -> None:
        """Copy from the knowledge."""
        self._copy(message.text)

    def on_summary_pane_copy_requested(self, message: "SummaryPane.CopyRequested") -> None:
        """Copy from the summary."""
        self._copy(message.text)

    def on_recall_screen_copy_requested(self, message: "RecallScreen.CopyRequested") -> None:
        """Copy from what was found."""
        self._copy(message.text)

    def on_context_pane_copy_requested(self, message: "ContextPane.CopyRequested") -> None:
        """Copy from the context."""
        self._copy(message.text)

    def on_virtual_log_copy_requested(self, message: "VirtualLog.CopyRequested") -> None:
        """Copy from the log."""
        self._copy(message.text)

    def on_tools_pane_copy_requested(self, message: "ToolsPane.CopyRequested") -> None:
        """Copy from the tools."""
        self._copy(message.text)

    def on_prompt_input_copy_requested(self, message: "PromptInput.CopyRequested") -> None:
        """Copy from the prompt."""
        self._copy(message.text)

    def _copy(self, text: str) -> None:
        """Copy, and say truly how."""
        self.copy_to_clipboard(text)
        self._say("Sent to the terminal's clipboard by OSC 52; some terminals do not take it.")
