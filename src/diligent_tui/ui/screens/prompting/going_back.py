"""The prompts that one can go back before, newest first."""

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.speech import typed_words
from diligent_tui.ui.widgets.completion.choices import Choice

MOST_PROMPTS = 300


def earlier_prompts(session: AgentSession) -> tuple[Choice, ...]:
    """The prompts of this path, each with its words and how many turns back it is; the value is its entry."""
    prompts = [node for node in reversed(session.conversation.path) if node.is_prompt][:MOST_PROMPTS]
    return tuple(
        Choice(typed_words(session.store.entry(node.id)) or "", node.id, f"{place} back")
        for place, node in enumerate(prompts, start=1)
    )
