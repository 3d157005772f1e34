"""The files that a session's knowledge is kept in, and whether proposals need a look."""

from dataclasses import dataclass, field

from diligent_tui.knowledge.inbox import Inbox
from diligent_tui.knowledge.shelf import KnowledgeShelf


@dataclass(frozen=True, slots=True)
class KnowledgeFiles:
    """Both knowledge files and the inbox; where a project is not trusted there is no inbox."""

    shelf: KnowledgeShelf = field(default_factory=lambda: KnowledgeShelf(None, None))
    inbox: Inbox | None = None
    accepts_candidates: bool = False
    """True if the user wants proposals kept at once, without a look."""
