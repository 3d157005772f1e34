"""The app's part that carries wishes from panes to whoever fulfils them; it asks nothing and decides nothing."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from textual.app import App

from diligent_tui.domain.plain_text import clean_line

if TYPE_CHECKING:
    from diligent_tui.ui.model_choice import ModelChooser
    from diligent_tui.ui.panes.chat import ChatPane
    from diligent_tui.ui.panes.session_tree import SessionTreePane
    from diligent_tui.ui.panes.tools import ToolsPane
    from diligent_tui.ui.screens.trust import TrustDesk
    from diligent_tui.ui.travel import Travel
    from diligent_tui.ui.widgets.prompt import PromptInput
    from diligent_tui.ui.widgets.virtual_log import VirtualLog


class PaneRoutes(App[int]):
    """Handlers of what the panes ask for; before the session is there, there is nobody to ask."""

    travel: "Travel | None" = None
    chooser: "ModelChooser | None" = None
    trust: "TrustDesk | None" = None

    def action_show_sessions(self) -> None:
        """F8."""
        self._go(lambda travel: travel.choose_session())

    def action_restore_files(self) -> None:
        """What the agent changed in files, and back."""
        self._go(lambda travel: travel.restore_files())

    def action_fork_session(self) -> None:
        """All of this session, in a new one."""
        self._go(lambda travel: travel.fork_at(None))

    def action_choose_model(self) -> None:
        """From the palette: the list."""
        self.choose_model("")

    def choose_model(self, words: str) -> None:
        """Switch to the model of that name, or show the list."""
        if self.chooser is not None:
            self._begin(self.chooser.choose(words))

    def action_look_at_trust(self) -> None:
        """What the folder brings, and whether it may be used."""
        if self.trust is not None:
            self._begin(self.trust.look())

    def on_chat_pane_wished(self, message: "ChatPane.Wished") -> None:
        """Something is to be done at a block of the chat."""
        self._go(lambda travel: travel.from_chat(message.deed, message.block))

    def on_tools_pane_to_tree(self, message: "ToolsPane.ToTree") -> None:
        """A call in the tree."""
        if self.travel is not None:
            self.travel.show_in_tree(message.entry_id)

    def on_tools_pane_to_chat(self, message: "ToolsPane.ToChat") -> None:
        """A call in the chat."""
        if self.travel is not None:
            self.travel.show_in_chat(message.entry_id, message.call_id)

    def on_tools_pane_rerun(self, message: "ToolsPane.Rerun") -> None:
        """A call once more."""
        if self.travel is not None:
            self.travel.say_again(message.call_id)

    def on_session_tree_pane_continue_from(self, message: "SessionTreePane.ContinueFrom") -> None:
        """Go on from another entry."""
        self._go(lambda travel: travel.continue_from(message.entry_id, message.text))

    def on_session_tree_pane_fork_at(self, message: "SessionTreePane.ForkAt") -> None:
        """Go on in a new session."""
        self._go(lambda travel: travel.fork_at(message.entry_id))

    def on_session_tree_pane_label_set(self, message: "SessionTreePane.LabelSet") -> None:
        """Name an entry."""
        self._go(lambda travel: travel.label(message.entry_id, message.label))

    def on_session_tree_pane_graft(self, message: "SessionTreePane.Graft") -> None:
        """Bring an entry over."""
        self._go(lambda travel: travel.graft(message.entry_id))

    def on_session_tree_pane_compare(self, message: "SessionTreePane.Compare") -> None:
        """Two branches side by side."""
        self._go(lambda travel: travel.compare(message.left_id, message.right_id))

    def on_session_tree_pane_context_at(self, message: "SessionTreePane.ContextAt") -> None:
        """The context at an entry."""
        self._go(lambda travel: travel.show_context_at(message.entry_id))

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

    def _say(self, sentence: str) -> None:
        self.notify(clean_line(sentence), markup=False)

    def _go(self, journey: "Callable[[Travel], Coroutine[object, object, None]]") -> None:
        if self.travel is not None:
            self._begin(journey(self.travel))

    def _begin(self, journey: "Coroutine[object, object, None]") -> None:
        """One at a time: a second wish while a dialog is open would act on what is about to change."""
        if any(worker.group == "travel" for worker in self.workers):
            journey.close()
        else:
            self.run_worker(journey, group="travel")
