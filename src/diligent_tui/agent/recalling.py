"""Searches what was said in a session: for the model within its budget, and for the user as they type."""

from pathlib import Path
from typing import TYPE_CHECKING

from diligent_tui import session
from diligent_tui.agent.conversation import Conversation
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.session.effective import Verbatim

if TYPE_CHECKING:
    from diligent_tui.session.recall import Hit, RecallIndex

USER_TOKENS = 8_000
USER_HITS = 40


class Recalling:
    """The index of one session; it is opened, and fills itself, at the first search."""

    def __init__(self, conversation: Conversation, folder: Path | None) -> None:
        """Keep the index in a folder, or in memory if there is none."""
        self._conversation = conversation
        self._folder = folder
        self._opened: RecallIndex | None = None

    async def for_model(self, query: str) -> "tuple[Hit, ...]":
        """The best answers in a few tokens; what the model sees anyway comes last."""
        in_sight = [item.entry_id for item in self._conversation.fold.items if isinstance(item, Verbatim)]
        return await self._index().search(query, path=self._path_ids(), in_sight=in_sight)

    async def for_user(self, query: str, tell: Tell = tell_nobody) -> "tuple[Hit, ...]":
        """Many answers; the last word may still be being typed."""
        path_ids = self._path_ids()
        return await self._index().search(
            query, USER_TOKENS, path=path_ids, most_hits=USER_HITS, is_typing=True, tell=tell
        )

    async def close(self) -> None:
        """Let go of the index."""
        if self._opened:
            await self._opened.close()

    def _index(self) -> "RecallIndex":
        store = self._conversation.store
        self._opened = self._opened or session.RecallIndex(
            self._folder, store.content.header.id, store.tree.nodes, store.read, spill_folder=store.spill_folder
        )
        return self._opened

    def _path_ids(self) -> set[str]:
        return {node.id for node in self._conversation.path}
