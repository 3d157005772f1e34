"""Counts how often a path made use of a knowledge entry, by its id in what was said."""

from collections.abc import Callable, Sequence

from diligent_tui.domain.entries import Entry, KnowledgeNoteEntry, MessageEntry, SystemPromptEntry
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, text_of
from diligent_tui.knowledge.views import Uses
from diligent_tui.session.tree import Node

TELLING_TYPES = frozenset({"message", "system_prompt", "knowledge_note"})


def count_uses(knowledge_id: str, path: Sequence[Node], lookup: Callable[[str], Entry]) -> Uses:
    """Go through a path; the entry is told as `[id]`, and the model may name it in any way."""
    told = found = named = 0
    mark = f"[{knowledge_id}]"
    for node in path:
        if node.type not in TELLING_TYPES:
            continue
        match lookup(node.id):
            case SystemPromptEntry(text=text) | KnowledgeNoteEntry(text=text):
                told += mark in text
            case MessageEntry(message=ToolResultMessage(tool_name="search_knowledge") as result):
                found += mark in text_of(result.output)
            case MessageEntry(message=AssistantMessage() as answer):
                named += knowledge_id in answer.text or any(
                    knowledge_id in str(call.input) for call in answer.tool_calls
                )
            case _:
                pass
    return Uses(told, found, named)
