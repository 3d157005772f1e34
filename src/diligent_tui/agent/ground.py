"""What the model stands on before it answers: the system prompt, the model's name, and what changed since.

The system prompt is written anew only when a session is begun or resumed, when the model changes, or when it is asked
for; in between it stays the same to the byte, and changes are told at the tail.
"""

import asyncio
from collections.abc import Callable

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.system_prompt import Briefing, describe_changes, write_system_prompt
from diligent_tui.domain.entries import KnowledgeNoteEntry, ModelChangeEntry, SystemPromptEntry
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.domain.models import Model
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.registry import assumed_window


class Ground:
    """Lays the ground for each turn on the path as it is."""

    def __init__(self, conversation: Conversation, brief: Callable[[], Briefing], policy: KnowledgePolicy) -> None:
        """`brief` gathers the facts of the moment; it reads files, so it is called in a thread."""
        self._conversation = conversation
        self._brief = brief
        self._policy = policy
        # What was told in this run, by the entry that told it: another branch may have been told something else.
        self._told: dict[str, Briefing] = {}
        self._is_stale = True

    def renew(self) -> None:
        """Write the system prompt anew before the next turn, if the facts behind it changed."""
        self._is_stale = True

    def system_prompt_now(self, model: Model) -> str:
        """The system prompt that would be written now; reads files."""
        return self._written(self._brief(), model)

    async def lay(self, model: Model, thinking: ThinkingLevel) -> None:
        """Save what the model must know before it answers."""
        now = await asyncio.to_thread(self._brief)
        told = self._told_on_this_path()
        if told is None or self._is_stale:
            await self._write_prompt(now, model)
        else:
            await self._tell(told, now, model)
        await self._name_model(model, thinking)

    async def tell_news(self, model: Model) -> None:
        """Tell at the tail what changed since the turn began; the next turn does it by itself."""
        told = self._told_on_this_path()
        if told is not None and not self._is_stale:
            await self._tell(told, await asyncio.to_thread(self._brief), model)

    async def _tell(self, told: Briefing, now: Briefing, model: Model) -> None:
        if note := describe_changes(told, now, self._policy, assumed_window(model)[0]):
            saved = await self._conversation.add(KnowledgeNoteEntry(text=note))
            self._told[saved.id] = now

    async def _write_prompt(self, now: Briefing, model: Model) -> None:
        conversation, text = self._conversation, self._written(now, model)
        if conversation.system_prompt() != text:
            await conversation.add(SystemPromptEntry(text=text))
        standing = next(node for node in reversed(conversation.path) if node.type == "system_prompt")
        self._told[standing.id] = now
        self._is_stale = False

    async def _name_model(self, model: Model, thinking: ThinkingLevel) -> None:
        change = self._conversation.model_change()
        wanted = (model.provider, model.name, thinking)
        if change is None or (change.provider, change.model_id, change.thinking) != wanted:
            await self._conversation.add(
                ModelChangeEntry(provider=model.provider, model_id=model.name, thinking=thinking)
            )

    def _told_on_this_path(self) -> Briefing | None:
        """What the model was told last on this path; None if that was in an earlier run, or never."""
        told = (
            node.id for node in reversed(self._conversation.path) if node.type in ("system_prompt", "knowledge_note")
        )
        newest = next(told, None)
        return self._told.get(newest) if newest else None

    def _written(self, briefing: Briefing, model: Model) -> str:
        return write_system_prompt(briefing, self._policy, assumed_window(model)[0])
