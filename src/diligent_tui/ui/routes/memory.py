"""Wishes about memory: compactions and their way back, pins, what was said long ago."""

from typing import TYPE_CHECKING

from diligent_tui.ui.routes.keys import KeyRoutes

if TYPE_CHECKING:
    from diligent_tui.ui.panes.context import ContextPane
    from diligent_tui.ui.panes.summary import SummaryPane
    from diligent_tui.ui.widgets.banner import Banner


class MemoryRoutes(KeyRoutes):
    """Carries them to the desk of memory."""

    def action_compact(self) -> None:
        """From the palette: as the settings say."""
        self._remember(lambda memory: memory.compact())

    def action_preview_compaction(self) -> None:
        """What would be summarised."""
        self._remember(lambda memory: memory.compact(previews=True))

    def action_undo_compaction(self) -> None:
        """The turns instead of their summary."""
        self._remember(lambda memory: memory.undo())

    def action_redo_compaction(self) -> None:
        """The summary again."""
        self._remember(lambda memory: memory.redo())

    def action_pin(self) -> None:
        """The block under the cursor."""
        self._remember(lambda memory: memory.pin())

    def action_recall(self) -> None:
        """From the palette: the words are typed on the screen."""
        self.recall("")

    def recall(self, words: str) -> None:
        """Show the search over all that was said."""
        if self.memory is not None:
            self._begin_place(self.memory.recall(words))

    def action_to_notice(self) -> None:
        """F10: the banner, if there is one."""
        for notice in self.screen.query("#banner"):
            notice.focus()

    def on_summary_pane_to_chat(self, message: "SummaryPane.ToChat") -> None:
        """A fact where it was said."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_summary_pane_edited(self, message: "SummaryPane.Edited") -> None:
        """Other words for the summary."""
        self._remember(lambda memory: memory.edit(message.compaction_id, message.text))

    def on_summary_pane_to_summary(self, message: "SummaryPane.ToSummary") -> None:
        """A dropped fact back into the summary."""
        self._remember(lambda memory: memory.rescue(message.item))

    def on_summary_pane_undo(self, message: "SummaryPane.Undo") -> None:
        """The turns instead of their summary."""
        self._remember(lambda memory: memory.undo())

    def on_summary_pane_redo(self, message: "SummaryPane.Redo") -> None:
        """The summary again."""
        self._remember(lambda memory: memory.redo())

    def on_summary_pane_write_again(self, message: "SummaryPane.WriteAgain") -> None:
        """A second summary to choose from."""
        self._remember(lambda memory: memory.write_again())

    def on_summary_pane_planned(self, message: "SummaryPane.Planned") -> None:
        """A compaction that would happen by itself, shown before it does."""
        if self.memory is not None:
            self.run_worker(self.memory.show_planned(), group="planned")

    def on_summary_pane_failed(self, message: "SummaryPane.Failed") -> None:
        """A compaction failed: say so above the prompt."""
        if self.memory is not None:
            self.run_worker(self.memory.show_failure(message.event), group="banner")

    def on_summary_pane_succeeded(self, message: "SummaryPane.Succeeded") -> None:
        """What was said of an earlier failure holds no more."""
        self.dismiss_notice()

    def dismiss_notice(self) -> None:
        """Take the banner away."""
        if self.memory is not None:
            self.run_worker(self.memory.dismiss(), group="banner")

    def on_banner_chosen(self, message: "Banner.Chosen") -> None:
        """A way out of a failure."""
        self._remember(lambda memory: memory.answer(message.deed))

    def on_context_pane_to_chat(self, message: "ContextPane.ToChat") -> None:
        """A part of the next request in the chat."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_context_pane_pin_toggled(self, message: "ContextPane.PinToggled") -> None:
        """A part of the next request stays in it, or may leave it."""
        self._remember(lambda memory: memory.pin(message.entry_id))
