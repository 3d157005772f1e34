"""Wishes about what is kept across sessions."""

from typing import TYPE_CHECKING

from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.panes.knowledge import FormView, KnowledgePane
    from diligent_tui.ui.panes.summary import SummaryPane


class KnowledgeRoutes(Routes):
    """Carries them to the desk of knowledge."""

    def action_learn(self) -> None:
        """From the palette: all of the session."""
        self._learn("")

    def action_remember(self) -> None:
        """From the palette: the words are typed in the form."""
        self._keep_in_mind("")

    def on_knowledge_pane_wished(self, message: "KnowledgePane.Wished") -> None:
        """Something is to be done with what is kept."""
        if self.knowledge is not None:
            self.run_worker(self.knowledge.do(message.deed, message.ids), group="knowledge")

    def on_knowledge_pane_filled(self, message: "KnowledgePane.Filled") -> None:
        """A form is to be saved."""
        if self.knowledge is not None:
            errand = self.knowledge.save(message.purpose, message.draft, message.targets)
            self.run_worker(errand, group="knowledge")

    def on_knowledge_pane_to_chat(self, message: "KnowledgePane.ToChat") -> None:
        """Where an entry was learnt."""
        if self.knowledge is not None:
            self.knowledge.show_origin(message.entry_id)

    def on_knowledge_pane_learnt(self, message: "KnowledgePane.Learnt") -> None:
        """The agent kept something."""
        if self.knowledge is not None:
            self.knowledge.announce(message.content)

    def on_summary_pane_to_knowledge(self, message: "SummaryPane.ToKnowledge") -> None:
        """A fact that a summary covers is kept across sessions."""
        if self.knowledge is not None:
            self.run_worker(self.knowledge.rescue(message.item), group="knowledge")

    def on_form_view_cursor_at(self, message: "FormView.CursorAt") -> None:
        """Input methods open their box where the terminal's own cursor is."""
        self.cursor_position = message.offset

    def _learn(self, focus: str) -> None:
        if self.knowledge is not None:
            self.run_worker(self.knowledge.learn(focus), group="learning")

    def _keep_in_mind(self, content: str) -> None:
        if self.knowledge is not None:
            self.knowledge.remember(content)
