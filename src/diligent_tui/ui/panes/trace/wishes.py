"""What the trace pane asks for; the pane itself changes nothing."""

from textual.message import Message

from diligent_tui.agent.trace import TraceRecorder


class ToChat(Message, namespace="trace_pane"):
    """Show an entry in the chat."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class ExportRequested(Message, namespace="trace_pane"):
    """Someone wants the trace in a file."""

    def __init__(self, recorder: TraceRecorder, session_id: str) -> None:
        """Carry what was recorded, and of which session."""
        super().__init__()
        self.recorder = recorder
        self.session_id = session_id
