"""An entry cut into passages: short runs of whole lines, each of which can be found alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    SteeringEntry,
)
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.recall.texts import readable_text
from diligent_tui.session.recall.words import names_in

PASSAGE_CHARS = 400
"""Measured on real sessions: longer ones waste the answer's room, shorter ones tear apart what belongs together."""
LATEST_BREAK_CHARS = 60
SEARCHED_TYPES = frozenset({"message", "steering", "branch_summary", "knowledge_note", "compaction"})


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of lines; `line` is the number of its first."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """All that the index keeps of an entry."""

    entry_id: str
    who: str
    call_id: str
    """The call that a result answers."""
    calls: tuple[ToolCallBlock, ...]
    passages: tuple[Passage, ...]
    names: tuple[str, ...]
    is_retold: bool
    """True for summaries: they tell again what stands elsewhere in its own words."""


def read_passages(entry: Entry, spill_folder: Path | None) -> Reading:
    """What the index keeps of an entry; of one that says nothing only that it was looked at."""
    text = ""
    if isinstance(entry, MessageEntry | SteeringEntry | BranchSummaryEntry | KnowledgeNoteEntry | CompactionEntry):
        text = readable_text(entry, spill_folder)
    message = entry.message if isinstance(entry, MessageEntry) else None
    return Reading(
        entry_id=entry.id,
        who=speech_of(entry).who,
        call_id=message.tool_call_id if isinstance(message, ToolResultMessage) else "",
        calls=message.tool_calls if isinstance(message, AssistantMessage) else (),
        passages=tuple(cut(text)),
        names=tuple(names_in(text)),
        is_retold=isinstance(entry, CompactionEntry | BranchSummaryEntry),
    )


def cut(text: str) -> Iterator[Passage]:
    """The passages of a text: all of its lines, but for blank ones before the first of a passage."""
    taken: list[str] = []
    size = first = 0
    for number, line in enumerate(text.split("\n"), start=1):
        for piece in _pieces(line):
            if taken and size + len(piece) + 1 > PASSAGE_CHARS:
                yield Passage(first, "\n".join(taken))
                taken, size = [], 0
            if not taken:
                if not piece.strip():
                    continue
                first = number
            taken.append(piece)
            size += len(piece) + 1
    if taken:
        yield Passage(first, "\n".join(taken))


def _pieces(line: str) -> Iterator[str]:
    """A line, or parts of a very long one, cut between words where that is possible."""
    start = 0
    while len(line) - start > PASSAGE_CHARS:
        end = start + PASSAGE_CHARS
        near = range(end, end - LATEST_BREAK_CHARS, -1)
        end = next((place for place in near if not (line[place].isalnum() or line[place] == "_")), end)
        yield line[start:end]
        start = end
    yield line[start:]
