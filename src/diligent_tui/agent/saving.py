"""The one way of an entry to its file.

The user's own wishes are refused at once when the disk refuses: the words are still in the user's hands. What a
turn made exists nowhere else, so there the turn stands still until the user says that the disk is mended, or gives up.
"""

import asyncio

from diligent_tui.agent.hub import Hub
from diligent_tui.domain.entries import (
    Entry,
    MessageEntry,
    ModelChangeEntry,
    PartialEntry,
    QueuedEntry,
    SessionInfoEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.errors import SessionLocked, SessionReadOnly, StorageError
from diligent_tui.domain.events import StorageFailed, StorageRecovered
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage, text_of
from diligent_tui.session.store import SessionStore


class Saver:
    """Saves entries, and says when that fails and when it works again."""

    def __init__(self, store: SessionStore, hub: Hub, *, may_wait: bool) -> None:
        """`may_wait` is False where nobody can answer: then every refusal is final."""
        self._store = store
        self._hub = hub
        self._may_wait = may_wait
        self._answer: asyncio.Future[bool] | None = None
        self._has_failed = False
        store.tell_failure = self._note_lost_piece

    @property
    def is_waiting(self) -> bool:
        """True while a turn stands still because something of it could not be saved."""
        return self._answer is not None

    async def save(self, entry: Entry) -> None:
        """Returns once the entry is on disk; raises StorageError if it is not and will not be."""
        while True:
            try:
                await self._store.append(entry)
            except (SessionReadOnly, SessionLocked):
                raise
            except StorageError as error:
                self._has_failed = True
                self._hub.publish(StorageFailed(error.problem, _words_of(entry)))
                if not (self._may_wait and _is_of_a_turn(entry) and await self._hear_answer()):
                    raise
            else:
                self._note_success()
                return

    def save_piece(self, piece: PartialEntry) -> None:
        """Save a piece of a streaming answer without waiting; that one failed is told once."""
        self._store.append_partial(piece)

    def try_again(self) -> None:
        """The user says that the disk is mended."""
        self._answer_with(may_try=True)

    def give_up(self) -> None:
        """The user would rather stop; what waits is refused."""
        self._answer_with(may_try=False)

    async def _hear_answer(self) -> bool:
        self._answer = asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        finally:
            self._answer = None

    def _answer_with(self, *, may_try: bool) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(may_try)

    def _note_lost_piece(self, error: StorageError) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._hub.publish(StorageFailed(error.problem, ""))

    def _note_success(self) -> None:
        if self._has_failed:
            self._has_failed = False
            self._hub.publish(StorageRecovered())


def _is_of_a_turn(entry: Entry) -> bool:
    """True for what a running turn makes by itself."""
    match entry:
        case MessageEntry(message=AssistantMessage() | ToolResultMessage()):
            return True
        case SystemPromptEntry() | ModelChangeEntry():
            return True
        case SessionInfoEntry():
            return entry.tokens is not None
        case _:
            return False


def _words_of(entry: Entry) -> str:
    """The user's own words in an entry, which a front end keeps when they could not be saved."""
    match entry:
        case MessageEntry(message=UserMessage() as message):
            return text_of(message.content)
        case QueuedEntry():
            return entry.text
        case _:
            return ""
