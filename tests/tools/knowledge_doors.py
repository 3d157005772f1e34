"""Doors to knowledge for the tools: one that is shut, and one on a file."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgePolicy, KnowledgeScope, KnowledgeType
from diligent_tui.knowledge.duplicates import Near, nearest
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.searching import search
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.knowledge.views import KnownEntry


@dataclass
class ShutDoor:
    """A session that knows nothing and keeps nothing."""

    shelf: KnowledgeShelf = field(default_factory=lambda: KnowledgeShelf(None, None))

    async def add(
        self,
        kind: KnowledgeType,
        content: str,
        *,
        confidence: float,
        tags: Sequence[str],
        scope: KnowledgeScope,
        origin: str,
    ) -> KnowledgeEntry:
        return self.shelf.add(
            KnowledgeEntry(
                type=kind, content=content, confidence=confidence, tags=tuple(tags), scope=scope, entry_id=origin
            )
        )

    async def supersede(
        self,
        target_id: str,
        content: str,
        *,
        kind: KnowledgeType | None,
        confidence: float | None,
        tags: Sequence[str] | None,
        origin: str,
    ) -> KnowledgeEntry:
        old = self.shelf.known(target_id)
        new = KnowledgeEntry(
            type=kind or old.type,
            content=content,
            confidence=old.confidence if confidence is None else confidence,
            tags=old.tags if tags is None else tuple(tags),
            entry_id=origin,
        )
        return self.shelf.supersede(target_id, new)

    async def refresh(self) -> object:
        return self.shelf.refresh()

    def search(self, words: str) -> tuple[KnownEntry, ...]:
        live = {known.entry.id: known for known in overview_of(self.shelf.states, KnowledgePolicy(), 200_000).live}
        return tuple(live[match.entry.id] for match in search(words, [known.entry for known in live.values()]))

    def near(self, content: str) -> tuple[Near, ...]:
        return nearest(content, (entry for state in self.shelf.states for entry in state.live))


def open_door(folder: Path) -> ShutDoor:
    """A door to the knowledge files in a folder."""
    project = KnowledgeStore(folder / ".diligent" / "knowledge" / "knowledge.jsonl")
    return ShutDoor(KnowledgeShelf(project, KnowledgeStore(folder / "user" / "knowledge.jsonl", "user")))
