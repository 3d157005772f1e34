"""The end of a session in few words, so that one sees which it is without opening it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diligent_tui.domain.entries import BranchSummaryEntry, CompactionEntry, Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, UserMessage, text_of
from diligent_tui.domain.plain_text import StreamCleaner, clean, clean_line
from diligent_tui.session.tail import read_tail

PreviewRole = Literal["user", "assistant", "tools", "note"]
MOST_ENTRIES = 120
MOST_CHARS = 1_500
MOST_TOOL_NAMES = 6


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One thing that was said or done, cleaned and cut short."""

    role: PreviewRole
    text: str


def read_preview(path: Path, most_lines: int) -> tuple[PreviewLine, ...]:
    """The last things on the path to the leaf, oldest first."""
    lines = list(_lines(read_tail(path, MOST_ENTRIES).entries))
    return tuple(lines[-most_lines:]) if most_lines > 0 else ()


def shorten(text: str) -> str:
    """Outside text cleaned and cut to what a preview has room for."""
    if len(text) <= MOST_CHARS:
        return clean(text).strip()
    return StreamCleaner().feed(text[:MOST_CHARS]).strip() + "…"


def _lines(entries: Sequence[Entry]) -> Iterator[PreviewLine]:
    """Calls that follow each other are told in one line."""
    tools: list[str] = []
    for entry in entries:
        words = _words(entry)
        if words is not None and words.text:
            yield from _told(tools)
            tools.clear()
            yield words
        tools += _calls(entry)
    yield from _told(tools)


def _words(entry: Entry) -> PreviewLine | None:
    match entry:
        case MessageEntry(message=UserMessage() as message):
            return PreviewLine("user", shorten(text_of(message.content)))
        case SteeringEntry():
            return PreviewLine("user", shorten(entry.message))
        case MessageEntry(message=AssistantMessage() as message):
            return PreviewLine("assistant", shorten(message.text))
        case CompactionEntry():
            return PreviewLine("note", "⟳ compacted")
        case BranchSummaryEntry():
            return PreviewLine("note", "⎇ back from another branch")
        case _:
            return None


def _calls(entry: Entry) -> list[str]:
    if not isinstance(entry, MessageEntry) or not isinstance(entry.message, AssistantMessage):
        return []
    return [clean_line(block.name, 20) for block in entry.message.content if isinstance(block, ToolCallBlock)]


def _told(tools: Sequence[str]) -> Iterator[PreviewLine]:
    if tools:
        more = len(tools) - MOST_TOOL_NAMES
        rest = f" and {more} more" if more > 0 else ""
        yield PreviewLine("tools", ", ".join(tools[:MOST_TOOL_NAMES]) + rest)
