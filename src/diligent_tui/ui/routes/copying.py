"""Wishes to copy."""

import asyncio
from typing import TYPE_CHECKING

from textual import work

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

    def copy_to_clipboard(self, text: str) -> None:
        """Copy what was selected with the mouse, the same way as the rest."""
        self._copy(text)

    @work(group="copying")
    async def _copy(self, text: str) -> None:
        """Copy by the best way there is, and say which it was."""
        from diligent_tui.ui.clipboard import copy_text

        core = self.core
        if core is None:
            return
        environ, state_folder = self.opening.environ, core.ground.house.places.user_state
        copied = await asyncio.to_thread(copy_text, text, environ, state_folder)
        if copied.sends_osc_52:
            super().copy_to_clipboard(text)
        self._say(copied.sentence)
