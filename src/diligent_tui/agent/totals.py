"""A session's totals, saved at each turn's end, so that a list of sessions needs no more than the end of each file."""

from diligent_tui.agent.conversation import Conversation
from diligent_tui.domain.entries import FIRST_PROMPT_CHARS, MessageEntry, SessionInfoEntry, SteeringEntry
from diligent_tui.domain.messages import UserMessage, text_of
from diligent_tui.domain.usage import Usage


async def save_totals(conversation: Conversation, usage: Usage, cost: float | None) -> None:
    """Save the totals with this usage added; a cost that is not known makes the total unknown from then on."""
    content = conversation.store.content
    before = content.totals
    cost_before = 0.0 if before is None or before.tokens is None else before.cost
    await conversation.add(
        SessionInfoEntry(
            name=content.name or None,
            compactions=content.tree.compactions,
            tokens=(before.tokens or 0 if before else 0) + usage.context_tokens,
            cost=None if cost is None or cost_before is None else cost_before + cost,
            first_prompt=first_prompt(conversation) if before is None else before.first_prompt,
        )
    )


def first_prompt(conversation: Conversation) -> str:
    """What the talk began with; empty before anything was said."""
    for node in conversation.path:
        match conversation.store.entry(node.id) if node.is_prompt else None:
            case MessageEntry(message=UserMessage() as message):
                return text_of(message.content)[:FIRST_PROMPT_CHARS]
            case SteeringEntry(message=words):
                return words[:FIRST_PROMPT_CHARS]
            case _:
                pass
    return ""
