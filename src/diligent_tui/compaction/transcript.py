"""A stretch of conversation as one text, for a model that is to write about it and not to go on with it."""

import json
from collections.abc import Iterable, Iterator

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    SteeringEntry,
)
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolResultMessage, UserMessage, text_of

OUTPUT_CHARS = 4_000
SHORT_OUTPUT_CHARS = 400
ARGUMENT_CHARS = 2_000


def write_transcript(entries: Iterable[Entry], most_bytes: int) -> str:
    """Everything said, each piece with its entry's id; long outputs lose their middle, and a text too long its own."""
    entries = tuple(entries)
    text = ""
    for output_chars in (OUTPUT_CHARS, SHORT_OUTPUT_CHARS):
        text = "\n\n".join(piece for entry in entries for piece in _pieces(entry, output_chars))
        if utf8_size(text) <= most_bytes:
            return text
    # Chars are never more than bytes, so a text of so many chars at three bytes each certainly fits.
    return shorten(text, most_bytes // 3)


def shorten(text: str, most_chars: int) -> str:
    """The text, or its two ends with a word on what is missing between them."""
    if len(text) <= most_chars:
        return text
    kept = most_chars // 2
    return f"{text[:kept]}\n[… {len(text) - 2 * kept:,} characters left out …]\n{text[-kept:]}"


def _pieces(entry: Entry, output_chars: int) -> Iterator[str]:
    match entry:
        case MessageEntry(message=UserMessage() as message):
            yield _piece("user", entry.id, text_of(message.content))
        case SteeringEntry():
            yield _piece("user", entry.id, entry.message)
        case MessageEntry(message=AssistantMessage() as message):
            if words := "".join(block.text for block in message.content if isinstance(block, TextBlock)).strip():
                yield _piece("assistant", entry.id, words)
            for call in message.tool_calls:
                arguments = shorten(json.dumps(call.input, ensure_ascii=False), ARGUMENT_CHARS)
                yield _piece("tool_call", entry.id, f"{call.name} {arguments}")
        case MessageEntry(message=ToolResultMessage() as message):
            state = "failed: " if message.is_error else ""
            yield _piece("tool_result", entry.id, state + shorten(text_of(message.output), output_chars))
        case CompactionEntry() | BranchSummaryEntry():
            yield _piece("earlier_summary", entry.id, entry.summary)
        case KnowledgeNoteEntry():
            yield _piece("note", entry.id, entry.text)
        case _:
            pass


def _piece(role: str, entry_id: str, words: str) -> str:
    """A piece under its heading; the words are indented, so that none of them can pass for a heading."""
    first, *rest = words.strip().splitlines() or ["(nothing)"]
    return "\n".join([f"[{role} {entry_id}] {first}", *(f"  {line}" for line in rest)])
