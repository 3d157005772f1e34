"""What each row says: one cleaned line of an entry, and its whole text for the preview and the search."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    ModeChangeEntry,
    ModelChangeEntry,
    PinEntry,
    PruneEntry,
    SteeringEntry,
    SystemPromptEntry,
    UnpinEntry,
)
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from diligent_tui.domain.plain_text import clean_line, clean_name
from diligent_tui.domain.times import Stamp
from diligent_tui.session.tree import Tree
from diligent_tui.ui import format as fmt
from diligent_tui.ui.markdown.bare import bare_words
from diligent_tui.ui.transcript import subject_of
from diligent_tui.ui.widgets.row_text import join_lines

Lookup = Callable[[str], Entry]
RowKind = Literal["prompt", "answer", "calls", "done", "failed", "memory", "note", "unknown"]
ROW_CHARS = 160
"""More than any pane is wide."""
SOURCE_CHARS = 4 * ROW_CHARS
"""Of a text, before it is made a row."""
TOOL_NAME_CHARS = 24
UNDONE, REDONE = "compaction undone", "compaction redone"
MOST_KEPT = 4_096
"""Rows whose words stay in memory; they are read again when they come back into sight."""


@dataclass(frozen=True, slots=True)
class RowWords:
    """A row's sign, what it is in one word, its text, and when it was written."""

    mark: str
    kind: RowKind
    noun: str
    text: str
    stamp: Stamp | None = None


class RowTexts:
    """The words of entries, decoded when they come into sight and kept for a while."""

    def __init__(self, tree: Tree, lookup: Lookup) -> None:
        """Read entries of this tree through `lookup`."""
        self._tree = tree
        self._lookup = lookup
        self._kept: dict[str, RowWords] = {}

    def row(self, entry_id: str) -> RowWords:
        """What the row of this entry says."""
        words = self._kept.get(entry_id)
        if words is None:
            if len(self._kept) >= MOST_KEPT:
                for stale in list(self._kept)[: MOST_KEPT // 2]:
                    del self._kept[stale]
            words = self._kept[entry_id] = self._describe(entry_id)
        return words

    def entry(self, entry_id: str) -> Entry | None:
        """The entry itself, None if it cannot be read."""
        return read_entry(self._lookup, entry_id)

    def _describe(self, entry_id: str) -> RowWords:
        entry = self.entry(entry_id)
        if entry is None:
            return RowWords("?", "unknown", "entry", "(cannot be read)")
        if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage):
            return _describe_result(entry, entry.message, self._subject(entry_id, entry.message.tool_call_id))
        if isinstance(entry, CompactionRevertEntry) and is_redo(entry, self._lookup):
            return RowWords("↷", "memory", "compaction", REDONE, entry.timestamp or None)
        return describe(entry)

    def _subject(self, result_id: str, call_id: str) -> str:
        """What the call of a result was about; it stands in the answer above, with other results between."""
        for node in self._tree.way_up(self._tree.nodes[result_id].parent_id):
            if node.role == "assistant":
                entry = self.entry(node.id)
                if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
                    calls = entry.message.tool_calls
                    return next((subject_of(call.input) for call in calls if call.id == call_id), "")
            if node.role != "tool_result":
                return ""
        return ""


def read_entry(lookup: Lookup, entry_id: str) -> Entry | None:
    """The entry of that id; None if it is not there or the file cannot be read."""
    try:
        return lookup(entry_id)
    except (KeyError, OSError, StorageError):
        return None


def describe(entry: Entry) -> RowWords:
    """What a row says of an entry that is no tool's result."""
    mark, kind, noun, text = _parts(entry)
    return RowWords(mark, kind, noun, _line(text), entry.timestamp or None)


def full_text(entry: Entry) -> str:
    """All that an entry says, as it came."""
    match entry:
        case MessageEntry(message=UserMessage(content=content)):
            return text_of(content)
        case MessageEntry(message=AssistantMessage(content=blocks)):
            return "\n".join(_block_text(block) for block in blocks)
        case MessageEntry(message=ToolResultMessage(output=output)):
            return text_of(output)
        case CompactionEntry():
            return entry.summary
        case BranchSummaryEntry():
            return entry.summary
        case SystemPromptEntry() | KnowledgeNoteEntry():
            return entry.text
        case PruneEntry():
            return "\n".join(item.digest for item in entry.items)
        case _:
            return describe(entry).text


def is_redo(entry: CompactionRevertEntry, lookup: Lookup) -> bool:
    """A revert that is aimed at another takes that back; one that is aimed at such a one undoes again."""
    seen, takes_back = {entry.id}, False
    while isinstance(target := read_entry(lookup, entry.target_id), CompactionRevertEntry) and target.id not in seen:
        seen.add(target.id)
        entry, takes_back = target, not takes_back
    return takes_back


def _describe_result(entry: MessageEntry, message: ToolResultMessage, subject: str) -> RowWords:
    name = clean_name(message.tool_name, TOOL_NAME_CHARS) or "tool"
    # A call without a subject is told by what came of it.
    text = _line(subject or text_of(message.output))
    mark, kind = ("✗", "failed") if message.is_error else ("✓", "done")
    return RowWords(mark, kind, "tool result", f"{name} {text}".rstrip(), entry.timestamp or None)


def _line(text: str) -> str:
    return clean_line(join_lines(text[:SOURCE_CHARS]), ROW_CHARS)


def _parts(entry: Entry) -> tuple[str, RowKind, str, str]:
    match entry:
        case MessageEntry(message=UserMessage(content=content)):
            return "›", "prompt", "prompt", text_of(content)
        case MessageEntry(message=AssistantMessage() as message):
            return _answer_parts(message)
        case SteeringEntry():
            return "›", "prompt", "steering", entry.message
        case CompactionEntry():
            sizes = f"{fmt.tokens(entry.tokens_before)} → {fmt.tokens(entry.tokens_after)}"
            if entry.supersedes:
                return "⟳", "memory", "summary edit", f"summary edited {sizes}"
            return "⟳", "memory", "compaction", sizes
        case CompactionRevertEntry():
            return "↶", "memory", "compaction", UNDONE
        case PruneEntry():
            return "▒", "memory", "prune", f"pruned {fmt.count(len(entry.items), 'output')}"
        case BranchSummaryEntry():
            return "≡", "memory", "branch summary", bare_words(entry.summary[:SOURCE_CHARS])
        case KnowledgeNoteEntry():
            return "✦", "note", "note", entry.text
        case ModelChangeEntry():
            level = f" · {entry.thinking}" if entry.thinking and entry.thinking != "off" else ""
            return "◇", "note", "model change", f"{entry.model_id}{level}"
        case ModeChangeEntry():
            return "◇", "note", "mode change", f"mode {entry.mode}"
        case PinEntry():
            return "◆", "note", "pin", f"pinned {entry.target_id}"
        case UnpinEntry():
            return "◆", "note", "pin", f"unpinned {entry.target_id}"
        case SystemPromptEntry():
            return "◇", "note", "system prompt", "system prompt"
        case _:
            return "?", "unknown", "unknown entry", f"unknown entry: {entry.type}"


def _answer_parts(message: AssistantMessage) -> tuple[str, RowKind, str, str]:
    if message.text.strip():
        return " ", "answer", "answer", bare_words(message.text[:SOURCE_CHARS])
    thinking = "".join(block.thinking for block in message.content if isinstance(block, ThinkingBlock))
    calls = ", ".join(call.name for call in message.tool_calls)
    if calls:
        return "→", "calls", "step", thinking.strip() or calls
    return " ", "answer", "answer", thinking.strip() or f"({message.stop_reason or 'no words'})"


def _block_text(block: Block) -> str:
    if isinstance(block, ToolCallBlock):
        return " ".join([block.name, *(value for value in block.input.values() if isinstance(value, str))])
    return text_of((block,))
