"""What the context pane asks for; the pane itself changes nothing."""

from textual.message import Message


class ToChat(Message, namespace="context_pane"):
    """Show an entry in the chat."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class PinToggled(Message, namespace="context_pane"):
    """Keep an entry in the context, or let it go again."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class CopyRequested(Message, namespace="context_pane"):
    """Someone wants this text on the clipboard."""

    def __init__(self, text: str) -> None:
        """Carry the text."""
        super().__init__()
        self.text = text
