"""The project's knowledge and the user's side by side: each verb goes to the file that holds the entry.

The files do not act on each other: a project's line can neither supersede nor retract what the user keeps for all.
"""

from collections.abc import Iterable, Iterator

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgeScope
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.knowledge.admission import LONGEST_SHOWN_CHARS
from diligent_tui.knowledge.importing import ImportPlan, still_new
from diligent_tui.knowledge.state import KnowledgeState
from diligent_tui.knowledge.store import KnowledgeStore


class KnowledgeShelf:
    """Both files, or the user's alone where a project is not trusted."""

    def __init__(self, project: KnowledgeStore | None, user: KnowledgeStore | None) -> None:
        """Put the files side by side; the project's comes first."""
        self._stores = {store.scope: store for store in (project, user) if store is not None}

    @property
    def states(self) -> tuple[KnowledgeState, ...]:
        """What was last read of each file; touches no disk."""
        return tuple(store.state for store in self._stores.values())

    def refresh(self) -> tuple[KnowledgeState, ...]:
        """Pick up what others wrote; the states are the same objects if nothing changed."""
        return tuple(store.refresh() for store in self._stores.values())

    def state_of(self, scope: KnowledgeScope) -> KnowledgeState:
        """What was last read of one file; an empty state where it is not open here."""
        store = self._stores.get(scope)
        return store.state if store else KnowledgeState()

    def known(self, entry_id: str) -> KnowledgeEntry:
        """An entry as far as is known, whatever became of it; StorageError if there is none."""
        return self.holder(entry_id).state.entries[entry_id]

    def history(self, entry_id: str) -> tuple[KnowledgeEntry, ...]:
        """The chain that an entry belongs to, oldest first; nothing for an unknown id. Touches no disk."""
        return next((state.history(entry_id) for state in self.states if entry_id in state.entries), ())

    def holder(self, entry_id: str) -> KnowledgeStore:
        """The file that holds an entry as far as is known; StorageError if none does."""
        for store in self._known_and_refreshed():
            if entry_id in store.state.entries:
                return store
        raise StorageError(
            f"There is no knowledge entry {clean_line(entry_id, LONGEST_SHOWN_CHARS)}.",
            "Search the knowledge for the right id.",
        )

    def add(self, entry: KnowledgeEntry) -> KnowledgeEntry:
        """Save a fact in the file of its scope, or in place of the one it supersedes."""
        if entry.supersedes is not None:
            return self.supersede(entry.supersedes, entry)
        return self._store_of(entry.scope).add(entry)

    def take_in(self, plan: ImportPlan, scope: KnowledgeScope) -> tuple[KnowledgeEntry, ...]:
        """Save what an import plans, all at once, but for what others wrote meanwhile."""
        return self._store_of(scope).add_all(lambda state: still_new(plan, state))

    def supersede(self, target_id: str, new: KnowledgeEntry) -> KnowledgeEntry:
        """Save a fact in place of another, in the same file."""
        return self.holder(target_id).supersede(target_id, new)

    def retract(self, target_id: str) -> bool:
        """Take a fact back."""
        return self.holder(target_id).retract(target_id)

    def retract_all(self, target_ids: Iterable[str]) -> int:
        """Take facts back, those of a file all at once; how many were not taken back already."""
        by_store: dict[KnowledgeStore, list[str]] = {}
        for target_id in target_ids:
            by_store.setdefault(self.holder(target_id), []).append(target_id)
        return sum(store.retract_all(targets) for store, targets in by_store.items())

    def restore(self, target_id: str) -> bool:
        """Undo a retraction."""
        return self.holder(target_id).restore(target_id)

    def pin(self, target_id: str) -> bool:
        """Put a fact before all that are not pinned."""
        return self.holder(target_id).pin(target_id)

    def unpin(self, target_id: str) -> bool:
        """Let a fact find its rank again."""
        return self.holder(target_id).unpin(target_id)

    def _store_of(self, scope: KnowledgeScope) -> KnowledgeStore:
        store = self._stores.get(scope)
        if store is None:
            raise StorageError(f"The {scope}'s knowledge is not open here.", "Trust the folder first.")
        return store

    def _known_and_refreshed(self) -> Iterator[KnowledgeStore]:
        """Each store as it was last read, and then, since others write too, as it is now."""
        yield from self._stores.values()
        for store in self._stores.values():
            store.refresh()
            yield store
