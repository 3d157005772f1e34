"""What the tools pane asks for; the pane itself changes nothing."""

from textual.message import Message

from diligent_tui.domain.json_objects import JsonObject


class Rerun(Message, namespace="tools_pane"):
    """Run a call again, with the same arguments."""

    def __init__(self, call_id: str, tool: str, arguments: JsonObject) -> None:
        """Carry the call."""
        super().__init__()
        self.call_id = call_id
        self.tool = tool
        self.arguments = arguments


class ToChat(Message, namespace="tools_pane"):
    """Show a call in the chat, where one that has just run is known by its call only."""

    def __init__(self, entry_id: str | None, call_id: str) -> None:
        """Carry the entry of the result, if it is saved, and the call."""
        super().__init__()
        self.entry_id = entry_id
        self.call_id = call_id


class ToTree(Message, namespace="tools_pane"):
    """Show a call's result in the tree."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class CopyRequested(Message, namespace="tools_pane"):
    """Someone wants this text on the clipboard."""

    def __init__(self, text: str) -> None:
        """Carry the text."""
        super().__init__()
        self.text = text
