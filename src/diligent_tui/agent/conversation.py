"""A session as the agent works on it: the file, the path to the leaf, and what of it the model sees."""

import asyncio
from collections.abc import Sequence
from typing import Literal, TypeVar

from diligent_tui.agent.requests import build_messages
from diligent_tui.domain.entries import (
    SIDE_TYPES,
    Entry,
    MessageEntry,
    ModelChangeEntry,
    PartialEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.messages import Message
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import RequestMessage
from diligent_tui.domain.times import Clock, to_stamp
from diligent_tui.session.effective import EffectiveFold
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tree import Node, node_of

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Conversation:
    """The path that grows, kept in step with its file; every change goes through `add`."""

    def __init__(self, store: SessionStore, clock: Clock) -> None:
        """Stand where the session was left."""
        self.store = store
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
            place = {
                "id": entry_id or self.store.new_id(),
                "parent_id": self.store.tree.leaf_id,
                "timestamp": to_stamp(self._clock()),
            }
            entry = entry.model_copy(update=place)
            await self.store.append(entry)
            if entry.type not in SIDE_TYPES:
                self._fold.push(node_of(entry))
        return entry

    async def add_message(self, message: Message, entry_id: str | None = None) -> MessageEntry:
        """Save what somebody said."""
        stamped = message.model_copy(update={"timestamp": to_stamp(self._clock())})
        return await self.add(MessageEntry(message=stamped), entry_id)

    def add_piece(self, message_id: str, kind: Literal["text", "thinking"], delta: str) -> None:
        """Save a piece of a streaming answer, without waiting for the disk."""
        self.store.append_partial(
            PartialEntry(
                id=self.store.new_id(),
                parent_id=self.store.tree.leaf_id,
                timestamp=to_stamp(self._clock()),
                message_id=message_id,
                kind=kind,
                delta=delta,
            )
        )

    def stand_at(self, node_id: str | None) -> None:
        """Follow another path, after the leaf was moved."""
        self.store.tree.move_to(node_id)
        self._fold = EffectiveFold(self.store.tree.path(node_id), self.store.entry)

    def system_prompt(self) -> str | None:
        """The system prompt in force on this path."""
        entry = self._newest("system_prompt")
        return entry.text if isinstance(entry, SystemPromptEntry) else None

    def model_change(self) -> ModelChangeEntry | None:
        """The last change of model on this path."""
        entry = self._newest("model_change")
        return entry if isinstance(entry, ModelChangeEntry) else None

    def messages(self, model: Model) -> tuple[RequestMessage, ...]:
        """The messages of the next request."""
        return build_messages(self._fold.items, self.store.entry, model)

    def _newest(self, entry_type: str) -> Entry | None:
        for node in reversed(self.path):
            if node.type == entry_type:
                return self.store.entry(node.id)
        return None
