"""Small sessions to search."""

from pathlib import Path

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import (
    AssistantMessage,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.session.recall import RecallIndex
from diligent_tui.session.tree import Node, node_of

SESSION_ID = "20260102030405-abcdef"


def entry(entry_id: str, message: Message) -> MessageEntry:
    return MessageEntry(id=entry_id, message=message)


def asked(entry_id: str, text: str) -> MessageEntry:
    return entry(entry_id, UserMessage(content=text))


def answered(entry_id: str, text: str) -> MessageEntry:
    return entry(entry_id, AssistantMessage(content=(TextBlock(text=text),)))


def called(entry_id: str, call_id: str, name: str, **arguments: str) -> MessageEntry:
    block = ToolCallBlock(id=call_id, name=name, input=dict(arguments))
    return entry(entry_id, AssistantMessage(content=(block,)))


def resulted(entry_id: str, call_id: str, name: str, output: str, spill: str | None = None) -> MessageEntry:
    return entry(entry_id, ToolResultMessage(tool_call_id=call_id, tool_name=name, output=output, spill=spill))


class Session:
    """Entries that can be listed and read, and a count of the readings."""

    def __init__(self, *entries: Entry) -> None:
        self.entries: dict[str, Entry] = {}
        self.nodes: dict[str, Node] = {}
        self.reads: list[str] = []
        self.add(*entries)

    def add(self, *entries: Entry) -> None:
        self.entries.update((entry.id, entry) for entry in entries)
        self.nodes.update((entry.id, node_of(entry)) for entry in entries)

    def read(self, entry_id: str) -> Entry:
        self.reads.append(entry_id)
        return self.entries[entry_id]

    def index(self, folder: Path | None = None, spill_folder: Path | None = None) -> RecallIndex:
        return RecallIndex(folder, SESSION_ID, self.nodes, self.read, spill_folder)
