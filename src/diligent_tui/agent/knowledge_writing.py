"""Single strokes on the knowledge files and the inbox: each is one line on disk, then one fact on the hub."""

import asyncio
from collections.abc import Sequence

from diligent_tui.agent.hub import Hub
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import (
    CandidateResolved,
    KnowledgePinned,
    KnowledgeProposed,
    KnowledgeRetracted,
    KnowledgeSaved,
    KnowledgeSuperseded,
)
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import Inbox, InboxCandidate


class KnowledgeWriter:
    """Saves in a thread, then tells."""

    def __init__(self, files: KnowledgeFiles, hub: Hub) -> None:
        """Write to these files, tell on this hub."""
        self._files = files
        self._shelf = files.shelf
        self._hub = hub

    @property
    def inbox(self) -> Inbox:
        """The inbox; UsageError where there is none."""
        if self._files.inbox is None:
            raise UsageError("There is no inbox here: this folder is not trusted.", "Trust the folder first.")
        return self._files.inbox

    def tip(self, knowledge_id: str) -> str:
        """The entry that stands at the end of an entry's chain now."""
        state = self._shelf.holder(knowledge_id).state
        return state.newest_of(knowledge_id).id

    def must_live(self, knowledge_id: str) -> KnowledgeEntry:
        """An entry that holds; UsageError if it does not any more."""
        state = self._shelf.holder(knowledge_id).state
        if not state.is_live(knowledge_id):
            newest = state.newest_of(knowledge_id)
            raise UsageError(f"{knowledge_id} does not hold any more.", f"Look at {newest.id} instead.")
        return state.entries[knowledge_id]

    async def save(self, draft: KnowledgeEntry) -> KnowledgeEntry:
        """A new fact, in the file of its scope."""
        saved = await asyncio.to_thread(self._shelf.add, draft)
        self._hub.publish(KnowledgeSaved(saved.id, saved.content, saved.scope))
        return saved

    async def replace(self, target_id: str, draft: KnowledgeEntry) -> KnowledgeEntry:
        """A fact in place of another; a pin goes over to it."""
        holder = await asyncio.to_thread(self._shelf.holder, target_id)
        pinned = target_id in holder.state.pinned
        saved = await asyncio.to_thread(holder.supersede, target_id, draft.model_copy(update={"pinned": pinned}))
        self._hub.publish(KnowledgeSuperseded(saved.id, target_id, saved.content))
        return saved

    async def set_retracted(self, knowledge_id: str, value: bool) -> bool:
        """Take a fact back, or bring it back; False if it is so already."""
        changed = await asyncio.to_thread(self._shelf.retract if value else self._shelf.restore, knowledge_id)
        if changed:
            self._hub.publish(KnowledgeRetracted(knowledge_id, restored=not value))
        return changed

    async def set_pinned(self, knowledge_id: str, value: bool) -> bool:
        """Pin a fact, or take its pin away; False if it is so already."""
        changed = await asyncio.to_thread(self._shelf.pin if value else self._shelf.unpin, knowledge_id)
        if changed:
            self._hub.publish(KnowledgePinned(knowledge_id, value))
        return changed

    async def put(self, drafts: Sequence[InboxCandidate]) -> tuple[InboxCandidate, ...]:
        """Candidates that wait from now on."""
        put = await asyncio.to_thread(self.inbox.put, drafts) if drafts else ()
        for each in put:
            self._hub.publish(KnowledgeProposed(each.id, each.content))
        return put

    async def accept(self, candidate_id: str, content: str | None = None) -> KnowledgeEntry:
        """A candidate that becomes a fact, in other words if some are given."""
        saved: list[KnowledgeEntry] = []

        def save(candidate: InboxCandidate) -> str:
            draft = KnowledgeEntry(
                type=candidate.type,
                content=candidate.content if content is None else content,
                session_id=candidate.session_id,
                entry_id=next(iter(candidate.entry_ids), None),
                author="model" if content is None else "user",
            )
            saved.append(self._shelf.add(draft))
            return saved[0].id

        await asyncio.to_thread(self.inbox.accept, candidate_id, save)
        (entry,) = saved
        self._hub.publish(KnowledgeSaved(entry.id, entry.content, entry.scope))
        self._hub.publish(CandidateResolved(candidate_id, True, entry.id))
        return entry

    async def reject(self, candidate_id: str) -> InboxCandidate:
        """A candidate that is refused."""
        refused = await asyncio.to_thread(self.inbox.reject, candidate_id)
        self._hub.publish(CandidateResolved(candidate_id, False))
        return refused

    async def reopen(self, candidate_id: str) -> None:
        """A candidate that waits again."""
        candidate = await asyncio.to_thread(self.inbox.reopen, candidate_id)
        self._hub.publish(KnowledgeProposed(candidate_id, candidate.content))
