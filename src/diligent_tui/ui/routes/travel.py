"""Wishes about where to go: in the tree, between sessions, to another model."""

from typing import TYPE_CHECKING

from diligent_tui.ui.routes.keys import KeyRoutes

if TYPE_CHECKING:
    from diligent_tui.ui.panes.chat import ChatPane
    from diligent_tui.ui.panes.session_tree import SessionTreePane
    from diligent_tui.ui.panes.tools import ToolsPane


class TravelRoutes(KeyRoutes):
    """Carries them to those who ask first and then go."""

    def action_show_sessions(self) -> None:
        """F8."""
        if self.travel is not None:
            self._begin_place(self.travel.choose_session())
        else:
            self.once_loaded(self.action_show_sessions)

    def action_restore_files(self) -> None:
        """What the agent changed in files, and back."""
        if self.travel is not None:
            self._begin_place(self.travel.restore_files())

    def action_fork_session(self) -> None:
        """All of this session, in a new one."""
        self._go(lambda travel: travel.fork_at(None))

    def on_chat_pane_wished(self, message: "ChatPane.Wished") -> None:
        """Something is to be done at a block of the chat."""
        deed = message.deed
        if deed == "pin":
            self._remember(lambda memory: memory.pin(message.block.entry_id or ""))
        else:
            self._go(lambda travel: travel.from_chat(deed, message.block))

    def on_chat_pane_said(self, message: "ChatPane.Said") -> None:
        """Why a key in the chat did nothing."""
        self._say(message.words)

    def on_chat_pane_searched(self, message: "ChatPane.Searched") -> None:
        """Say where the search is."""
        self.main.show_search(message.words, message.standing)

    def on_tools_pane_to_tree(self, message: "ToolsPane.ToTree") -> None:
        """A call in the tree."""
        if self.travel is not None:
            self.travel.show_in_tree(message.entry_id)

    def on_tools_pane_to_chat(self, message: "ToolsPane.ToChat") -> None:
        """A call in the chat."""
        if self.travel is not None:
            self.travel.show_in_chat(message.entry_id, message.call_id)

    def on_tools_pane_rerun(self, message: "ToolsPane.Rerun") -> None:
        """A call once more; it may take long, and other wishes must not wait for it."""
        if self.travel is not None:
            self.run_worker(self.travel.run_again(message.tool, message.arguments), group="run again")

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

    def action_choose_model(self) -> None:
        """From the palette: the list."""
        self.choose_model("")

    def choose_model(self, words: str) -> None:
        """Switch to the model of that name, or show the list."""
        if self.chooser is not None:
            begin = self._begin if words else self._begin_place
            begin(self.chooser.choose(words))

    def action_look_at_trust(self) -> None:
        """What the folder brings, and whether it may be used."""
        if self.trust is not None:
            self._begin_place(self.trust.look())
