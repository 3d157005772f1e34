"""What the summary pane asks for; the pane itself changes nothing."""

from textual.message import Message

from diligent_tui.compaction.coverage import CoverageItem
from diligent_tui.config.summary_drafts import SummaryDraft
from diligent_tui.domain.events import CompactionFailed


class ToChat(Message, namespace="summary_pane"):
    """Show an entry in the chat."""

    def __init__(self, entry_id: str) -> None:
        """Carry the entry."""
        super().__init__()
        self.entry_id = entry_id


class Edited(Message, namespace="summary_pane"):
    """Save another text as a new version of a summary."""

    def __init__(self, compaction_id: str, text: str) -> None:
        """Carry the version that was edited, and its new text."""
        super().__init__()
        self.compaction_id = compaction_id
        self.text = text


class Unsaved(Message, namespace="summary_pane"):
    """A text that is being written in place of a version; an empty one is saved, or wanted no more."""

    def __init__(self, session_id: str, draft: SummaryDraft) -> None:
        """Carry the session, and the version with the text."""
        super().__init__()
        self.session_id = session_id
        self.draft = draft


class ToSummary(Message, namespace="summary_pane"):
    """Put a fact back into the summary."""

    def __init__(self, item: CoverageItem) -> None:
        """Carry the fact."""
        super().__init__()
        self.item = item


class ToKnowledge(Message, namespace="summary_pane"):
    """Keep a fact across sessions."""

    def __init__(self, item: CoverageItem) -> None:
        """Carry the fact."""
        super().__init__()
        self.item = item


class Undo(Message, namespace="summary_pane"):
    """Undo the compaction in force."""


class Redo(Message, namespace="summary_pane"):
    """Bring back the compaction that was undone last."""


class WriteAgain(Message, namespace="summary_pane"):
    """Write the summary in force once more, in another way, and let the user choose."""


class CopyRequested(Message, namespace="summary_pane"):
    """Someone wants this text on the clipboard."""

    def __init__(self, text: str) -> None:
        """Carry the text."""
        super().__init__()
        self.text = text


class Planned(Message, namespace="summary_pane"):
    """A compaction is about to happen by itself, and the user wants to see it first."""


class Failed(Message, namespace="summary_pane"):
    """A compaction failed, and there may be something to do about it."""

    def __init__(self, event: CompactionFailed) -> None:
        """Carry the fact."""
        super().__init__()
        self.event = event


class Succeeded(Message, namespace="summary_pane"):
    """A compaction is saved: what was said of an earlier one that failed holds no more."""
