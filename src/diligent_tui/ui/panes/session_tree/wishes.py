"""What the tree asks for; the pane itself changes nothing."""

from textual.message import Message


class ContinueFrom(Message, namespace="session_tree_pane"):
    """Let the talk go on from an entry, None being before the first; `text` is a prompt to edit and send again."""

    def __init__(self, entry_id: str | None, text: str) -> None:
        """Carry the entry and the prompt's words."""
        super().__init__()
        self.entry_id = entry_id
        self.text = text


class ForkAt(Message, namespace="session_tree_pane"):
    """Make a new session that ends at an entry."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class LabelSet(Message, namespace="session_tree_pane"):
    """Name an entry; an empty label takes the name away."""

    def __init__(self, entry_id: str, label: str) -> None:
        """Carry the entry and its label."""
        super().__init__()
        self.entry_id = entry_id
        self.label = label


class Graft(Message, namespace="session_tree_pane"):
    """Bring an entry into the current branch."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class Compare(Message, namespace="session_tree_pane"):
    """Compare the branches that end at two entries."""

    def __init__(self, left_id: str, right_id: str) -> None:
        """Carry both entries, the marked one first."""
        super().__init__()
        self.left_id = left_id
        self.right_id = right_id


class ContextAt(Message, namespace="session_tree_pane"):
    """Show the exact request at an entry."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id
