"""The summary pane."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.events import Event
from diligent_tui.ui.widgets.side_pane import SidePane

OUR_KEYS: Mapping[str, str] = MappingProxyType({})


class SummaryPane(SidePane, can_focus=True):
    """Being built."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Know the user's own keys."""
        super().__init__(id="summary")
        self._keymap = keymap

    def attach(self, session: AgentSession) -> None:
        """Show another session."""

    def take(self, events: Sequence[Event]) -> None:
        """Hear what happened."""
