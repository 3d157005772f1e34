"""Searches what was said in a session: for the model within its budget, and for the user as they type."""

from pathlib import Path

from diligent_tui.agent.conversation import Conversation
from diligent_tui.session.effective import Verbatim
from diligent_tui.session.recall import Hit, RecallIndex

USER_TOKENS = 8_000
USER_HITS = 40


class Recalling:
    """The index of one session; it fills itself at the first search."""

    def __init__(self, conversation: Conversation, folder: Path | None) -> None:
        """Keep the index in a folder, or in memory if there is none."""
        store = conversation.store
        self._conversation = conversation
        self._index = RecallIndex(
            folder, store.content.header.id, store.tree.nodes, store.read, spill_folder=store.spill_folder
        )

    async def for_model(self, query: str) -> tuple[Hit, ...]:
        """The best answers in a few tokens; what the model sees anyway comes last."""
        in_sight = [item.entry_id for item in self._conversation.fold.items if isinstance(item, Verbatim)]
        return await self._index.search(query, path=self._path_ids(), in_sight=in_sight)

    async def for_user(self, query: str) -> tuple[Hit, ...]:
        """Many answers; the last word may still be being typed."""
        return await self._index.search(query, USER_TOKENS, path=self._path_ids(), most_hits=USER_HITS, is_typing=True)

    async def close(self) -> None:
        """Let go of the index."""
        await self._index.close()

    def _path_ids(self) -> set[str]:
        return {node.id for node in self._conversation.path}
