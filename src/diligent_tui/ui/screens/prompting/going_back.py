"""The prompts that one can go back before, newest first."""

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import TextBlock, UserMessage
from diligent_tui.ui.widgets.completion.choices import Choice

MOST_PROMPTS = 300


def earlier_prompts(session: AgentSession) -> tuple[Choice, ...]:
    """The prompts of this path, each with its words and how many turns back it is; the value is its entry."""
    prompts = [node for node in reversed(session.conversation.path) if node.is_prompt][:MOST_PROMPTS]
    return tuple(
        Choice(prompt_words(session.store.entry(node.id)), node.id, f"{place} back")
        for place, node in enumerate(prompts, start=1)
    )


def prompt_words(entry: Entry) -> str:
    """The words of a prompt as they were typed, without what was put behind them."""
    match entry:
        case MessageEntry(message=UserMessage(content=str() as text)):
            return text
        case MessageEntry(message=UserMessage(content=blocks)):
            return next((block.text for block in blocks if isinstance(block, TextBlock)), "")
        case _:
            return ""
