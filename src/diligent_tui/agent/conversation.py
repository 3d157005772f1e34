"""A session as the agent works on it: the file, the path to the leaf, and what of it the model sees."""

import asyncio
from collections.abc import Sequence
from typing import Literal, TypeVar

from diligent_tui.agent.saving import Saver
from diligent_tui.domain.entries import (
    SIDE_TYPES,
    Entry,
    LeafEntry,
    MessageEntry,
    ModelChangeEntry,
    PartialEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.messages import Message
from diligent_tui.domain.times import Clock, to_stamp
from diligent_tui.session.effective import EffectiveFold, Lookup
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tree import Node, node_of

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Conversation:
    """The path that grows, kept in step with its file; every change goes through `add`."""

    def __init__(self, store: SessionStore, saver: Saver, clock: Clock) -> None:
        """Stand where the session was left."""
        self.store = store
        self._saver = saver
        self._clock = clock
        # What ends at the same time must not hang on the same parent.
        self._adding = asyncio.Lock()
        self._fold = EffectiveFold(store.tree.path(store.tree.leaf_id), store.entry)

    @property
    def fold(self) -> EffectiveFold:
        """The path and its effective sequence."""
        return self._fold

    @property
    def path(self) -> Sequence[Node]:
        """The way from the root to the leaf."""
        return self._fold.path

    async def add(self, entry: AnyEntry, entry_id: str | None = None) -> AnyEntry:
        """Save an entry at the leaf; it is given its id, parent and time here."""
        async with self._adding:
            entry = self._placed(entry, self.store.tree.leaf_id, entry_id)
            await self._saver.save(entry)
            if entry.type not in SIDE_TYPES:
                self._fold.push(node_of(entry))
        return entry

    async def add_elsewhere(self, entry: AnyEntry, parent_id: str | None, entry_id: str | None = None) -> AnyEntry:
        """Save an entry at another place and stand there: one line, so that it happens wholly or not at all."""
        async with self._adding:
            entry = self._placed(entry, parent_id, entry_id)
            await self._saver.save(entry)
            self._follow(entry.id)
        return entry

    async def add_message(
        self, message: Message, entry_id: str | None = None, queued_id: str | None = None
    ) -> MessageEntry:
        """Save what somebody said; a text that waited is delivered by the same line, so it is never lost or doubled."""
        stamped = message.model_copy(update={"timestamp": to_stamp(self._clock())})
        return await self.add(MessageEntry(message=stamped, queued_id=queued_id), entry_id)

    def add_piece(self, message_id: str, kind: Literal["text", "thinking"], delta: str) -> None:
        """Save a piece of a streaming answer, without waiting for the disk."""
        piece = PartialEntry(message_id=message_id, kind=kind, delta=delta)
        self._saver.save_piece(self._placed(piece, self.store.tree.leaf_id))

    async def move_to(self, node_id: str | None) -> None:
        """Save that the next entry hangs there, and follow that path."""
        async with self._adding:
            await self._saver.save(self._placed(LeafEntry(target_id=node_id), self.store.tree.leaf_id))
            self._follow(node_id)

    def system_prompt(self) -> str | None:
        """The system prompt in force on this path."""
        entry = newest_entry(self.path, "system_prompt", self.store.entry)
        return entry.text if isinstance(entry, SystemPromptEntry) else None

    def model_change(self) -> ModelChangeEntry | None:
        """The last change of model on this path."""
        entry = newest_entry(self.path, "model_change", self.store.entry)
        return entry if isinstance(entry, ModelChangeEntry) else None

    def _placed(self, entry: AnyEntry, parent_id: str | None, entry_id: str | None = None) -> AnyEntry:
        place = {
            "id": entry_id or self.store.new_id(),
            "parent_id": parent_id,
            "timestamp": to_stamp(self._clock()),
        }
        return entry.model_copy(update=place)

    def _follow(self, node_id: str | None) -> None:
        self.store.tree.move_to(node_id)
        self._fold = EffectiveFold(self.store.tree.path(node_id), self.store.entry)


def newest_entry(path: Sequence[Node], entry_type: str, lookup: Lookup) -> Entry | None:
    """The last entry of that type on a path."""
    return next((lookup(node.id) for node in reversed(path) if node.type == entry_type), None)
