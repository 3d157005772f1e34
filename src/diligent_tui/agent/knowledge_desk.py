"""Knowledge as a session works with it (`session.knowledge`): verbs that save and tell, and reads for the pane.

All verbs work on files in threads; raise StorageError (a secret, too long, unknown id, disk), KnowledgeConflict (with
`.newer`: someone else superseded or retracted it first) and UsageError (nothing to undo, ids that do not fit).
Reads touch no disk: they tell what was last read or written; `refresh` picks up what others wrote.
"""

from collections.abc import Callable, Iterable, Sequence

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgePolicy, KnowledgeScope, KnowledgeType
from diligent_tui.knowledge.duplicates import Near
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import Damage, KnownEntry, Overview, Uses


class KnowledgeDesk:
    """Verbs and reads on both knowledge files and the inbox."""

    def __init__(
        self,
        files: KnowledgeFiles,
        policy: KnowledgePolicy,
        hub: Hub,
        conversation: Conversation,
        window_tokens: Callable[[], int],
    ) -> None: ...

    # Reads: quick, no disk; `overview` costs some milliseconds for each thousand entries.
    def overview(self) -> Overview: ...
    def entries(self) -> tuple[KnownEntry, ...]: ...
    def chain(self, knowledge_id: str) -> tuple[KnowledgeEntry, ...]:
        """The supersede history that an entry belongs to, oldest first; empty for an unknown id."""
        ...
    def candidates(self) -> tuple[InboxCandidate, ...]:
        """Waiting candidates, oldest first."""
        ...
    def search(self, words: str) -> tuple[KnownEntry, ...]:
        """Live entries by BM25, best first."""
        ...
    def near(self, content: str) -> tuple[Near, ...]:
        """Live entries that say much the same or the contrary, for a warning before saving."""
        ...
    def damage(self) -> Damage: ...
    def uses(self, knowledge_id: str) -> Uses:
        """Slow for a long path: call it in a thread."""
        ...

    # Verbs.
    async def refresh(self) -> Overview: ...
    async def add(
        self,
        type: KnowledgeType,
        content: str,
        *,
        confidence: float = 0.8,
        tags: Sequence[str] = (),
        scope: KnowledgeScope = "project",
        pinned: bool = False,
        origin: str = "",
    ) -> KnowledgeEntry:
        """`origin`: the entry of this session it comes from; the leaf if empty. Event KnowledgeSaved."""
        ...
    async def supersede(
        self,
        target_id: str,
        content: str,
        *,
        type: KnowledgeType | None = None,
        confidence: float | None = None,
        tags: Sequence[str] | None = None,
        origin: str = "",
    ) -> KnowledgeEntry:
        """What is None stays as it was; a pin goes over. Event KnowledgeSuperseded."""
        ...
    async def retract(self, knowledge_id: str) -> bool: ...
    async def restore(self, knowledge_id: str) -> bool: ...
    async def pin(self, knowledge_id: str) -> bool: ...
    async def unpin(self, knowledge_id: str) -> bool: ...
    async def change_scope(self, knowledge_id: str) -> KnowledgeEntry:
        """Move it to the other file; it has a new id there. Events KnowledgeSaved, KnowledgeRetracted."""
        ...
    async def merge(self, knowledge_ids: Sequence[str], content: str) -> KnowledgeEntry:
        """One entry in place of several: supersedes the first, retracts the others."""
        ...
    async def keep(self, knowledge_ids: Iterable[str]) -> None:
        """Entries of a branch that was left stay: their mark goes away."""
        ...
    async def propose(self, candidates: Iterable[Candidate], source: str = "compaction") -> tuple[InboxCandidate, ...]:
        """Into the inbox; what is known already or waits there already, and what holds a secret, is left out."""
        ...
    async def accept(self, candidate_id: str, content: str | None = None) -> KnowledgeEntry:
        """Keep a candidate, in other words if given. Events KnowledgeSaved, CandidateResolved."""
        ...
    async def reject(self, candidate_id: str) -> None: ...
    async def accept_all(self) -> tuple[KnowledgeEntry, ...]: ...
    async def undo_last(self) -> str:
        """Undo the last verb of the user in this run; says what was undone, in words for a toast."""
        ...
