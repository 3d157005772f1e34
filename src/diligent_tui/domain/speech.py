"""What an entry says, in words, and who says it: for quotes, previews and comparisons."""

from dataclasses import dataclass

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    SteeringEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolResultMessage, UserMessage, text_of


@dataclass(frozen=True, slots=True)
class Speech:
    """Words and their speaker; entries that say nothing have their type for a speaker."""

    who: str
    words: str


def speech_of(entry: Entry) -> Speech:
    """The words of an entry."""
    match entry:
        case MessageEntry(message=UserMessage() as message):
            return Speech("user", text_of(message.content))
        case MessageEntry(message=AssistantMessage() as message):
            return Speech("assistant", text_of(message.content))
        case MessageEntry(message=ToolResultMessage() as message):
            return Speech(f"result of {message.tool_name}", text_of(message.output))
        case SteeringEntry():
            return Speech("user", entry.message)
        case BranchSummaryEntry():
            return Speech("branch summary", entry.summary)
        case CompactionEntry():
            return Speech("summary", entry.summary)
        case KnowledgeNoteEntry():
            return Speech("note", entry.text)
        case SystemPromptEntry():
            return Speech("system prompt", entry.text)
        case _:
            return Speech(entry.type, "")


def typed_words(entry: Entry) -> str | None:
    """The words of a prompt as they were typed, without what was put behind them; None for anything else."""
    match entry:
        case MessageEntry(message=UserMessage(content=str() as text)):
            return text
        case MessageEntry(message=UserMessage(content=tuple() as blocks)):
            return next((block.text for block in blocks if isinstance(block, TextBlock)), "")
        case SteeringEntry():
            return entry.message
        case _:
            return None
