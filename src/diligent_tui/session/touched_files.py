"""Which files a conversation read and changed, told from its tool calls alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage

READING_TOOLS = frozenset({"read"})
CHANGING_TOOLS = frozenset({"write", "edit"})


@dataclass(frozen=True, slots=True)
class TouchedFiles:
    """Names as the calls gave them, each once, in the order of their last touch; a changed file is not a read one."""

    read: tuple[str, ...]
    changed: tuple[str, ...]


def touched_files(entries: Iterable[Entry]) -> TouchedFiles:
    """The files of these entries; a call that failed touched nothing."""
    calls: dict[str, tuple[str, str]] = {}
    read: dict[str, None] = {}
    changed: dict[str, None] = {}
    for entry in entries:
        match entry:
            case MessageEntry(message=AssistantMessage() as message):
                for call in message.tool_calls:
                    if isinstance(path := call.input.get("path"), str):
                        calls[call.id] = (call.name, path)
            case MessageEntry(message=ToolResultMessage(is_error=False) as message):
                name, path = calls.pop(message.tool_call_id, ("", ""))
                files = changed if name in CHANGING_TOOLS else read if name in READING_TOOLS else None
                if files is not None:
                    files.pop(path, None)
                    files[path] = None
            case _:
                pass
    return TouchedFiles(tuple(path for path in read if path not in changed), tuple(changed))
