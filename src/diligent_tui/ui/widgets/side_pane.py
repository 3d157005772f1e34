"""What a pane at the right has in common: it is given a session, told what happens, and changes nothing itself."""

from collections.abc import Sequence

from textual.widget import Widget

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.events import Event


class SidePane(Widget):
    """A pane beside the chat; one of them is shown at a time, over the chat where the screen is narrow."""

    def attach(self, session: AgentSession) -> None:
        """Show another session from now on; it may be one that was never asked anything."""
        raise NotImplementedError

    def take(self, events: Sequence[Event]) -> None:
        """Hear what happened, in order; called at most fifteen times a second, also while the pane is hidden."""
        raise NotImplementedError
