"""What the knowledge pane asks for; the pane itself changes nothing."""

from collections.abc import Mapping
from typing import Literal

from textual.message import Message

from diligent_tui.ui.panes.knowledge.drafts import Draft
from diligent_tui.ui.panes.knowledge.form import Purpose

Deed = Literal["retract", "restore", "pin", "unpin", "scope", "keep", "accept", "reject", "accept_all", "undo", "stop"]


class Wished(Message, namespace="knowledge_pane"):
    """Do something with entries or a candidate; `stop` ends a search of the session for candidates."""

    def __init__(self, deed: Deed, ids: tuple[str, ...] = ()) -> None:
        """Carry what is to be done, and with what."""
        super().__init__()
        self.deed: Deed = deed
        self.ids = ids


class Filled(Message, namespace="knowledge_pane"):
    """Save what a form says; the pane waits to be told what came of it."""

    def __init__(self, purpose: Purpose, draft: Draft, targets: tuple[str, ...]) -> None:
        """Carry the draft, and the entries or the candidate that it is about."""
        super().__init__()
        self.purpose: Purpose = purpose
        self.draft = draft
        self.targets = targets


class Unsaved(Message, namespace="knowledge_pane"):
    """What a form holds that is not saved yet; without fields it is saved, or wanted no more."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        """Carry the form field by field."""
        super().__init__()
        self.fields = fields


class ToChat(Message, namespace="knowledge_pane"):
    """Show where an entry comes from, in the chat; in the tree if it is not on this branch."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry of the session."""
        super().__init__()
        self.entry_id = entry_id


class Learnt(Message, namespace="knowledge_pane"):
    """The agent saved something; `content` is what."""

    def __init__(self, content: str) -> None:
        """Carry its words."""
        super().__init__()
        self.content = content


class CopyRequested(Message, namespace="knowledge_pane"):
    """Someone wants this text on the clipboard."""

    def __init__(self, text: str) -> None:
        """Carry the text."""
        super().__init__()
        self.text = text
