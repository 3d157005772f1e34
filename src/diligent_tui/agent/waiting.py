"""Words that wait for their turn: queued behind the running one, or steering it; saved before they are shown."""

from diligent_tui.agent.attachments import Attach, words_alone
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.domain.entries import MessageEntry, QueuedEntry, UnqueuedEntry
from diligent_tui.domain.events import MessageSaved, QueueChanged, QueuedText
from diligent_tui.domain.messages import UserMessage


class WaitingLine:
    """The texts that wait, oldest first, as the session's file knows them."""

    def __init__(self, conversation: Conversation, hub: Hub, attach: Attach = words_alone) -> None:
        """Go on with what the file still holds; `attach` puts behind the words what they name."""
        self._conversation = conversation
        self._hub = hub
        self.attach = attach

    @property
    def items(self) -> tuple[QueuedText, ...]:
        """What waits now."""
        waiting = self._conversation.store.content.queue.values()
        return tuple(QueuedText(entry.id, entry.text, entry.kind) for entry in waiting)

    def has(self, kind: str) -> bool:
        """True if something of that kind waits."""
        return any(item.kind == kind for item in self.items)

    async def add(self, text: str, *, steers: bool, before_id: str | None = None) -> str:
        """Save a text that waits, as the last or in front of another; returns its id."""
        waits = QueuedEntry(text=text, kind="steer" if steers else "queue", before_id=before_id)
        entry = await self._conversation.add(waits)
        self._hub.publish(QueueChanged(self.items))
        return entry.id

    async def take_back(self, queued_id: str) -> str | None:
        """Let a text wait no longer; returns it, or None if it was sent already."""
        entry = self._conversation.store.content.queue.get(queued_id)
        if entry is None:
            return None
        await self._conversation.add(UnqueuedEntry(target_id=queued_id))
        self._hub.publish(QueueChanged(self.items))
        return entry.text

    def behind(self, queued_id: str) -> str | None:
        """The text that waits next after another; None if that is the last."""
        ids = list(self._conversation.store.content.queue)
        rest = ids[ids.index(queued_id) + 1 :] if queued_id in ids else []
        return rest[0] if rest else None

    @property
    def next_queued(self) -> QueuedText | None:
        """The oldest queued text; it waits until it is delivered."""
        return next((item for item in self.items if item.kind == "queue"), None)

    async def deliver(self, item: QueuedText, entry_id: str | None = None) -> MessageEntry:
        """Say a waiting text to the model."""
        said = await self.attach(item.text)
        saved = await self._conversation.add_message(UserMessage(content=said), entry_id, item.id)
        self._hub.publish(QueueChanged(self.items))
        return saved

    async def deliver_steering(self) -> bool:
        """Say to the model what the user steered with; True if there was something."""
        steering = [item for item in self.items if item.kind == "steer"]
        for item in steering:
            saved = await self.deliver(item)
            self._hub.publish(MessageSaved(saved.id, "user", item.text))
        return bool(steering)
