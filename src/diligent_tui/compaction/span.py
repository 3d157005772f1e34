"""What a summary is to cover, as its writer sees it: the entries before the cut, digests in place of pruned outputs."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolResultMessage
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.session.effective import CutTurn, Digested, Item, Lookup, SummaryPair, Verbatim


@dataclass(frozen=True, slots=True)
class Span:
    """Covered entries, oldest first, and the compaction that they come after."""

    entries: tuple[Entry, ...]
    previous: CompactionEntry | None = None
    prefix_summary: str = ""
    """What an earlier cut inside a turn already told of that turn."""

    @property
    def previous_summary(self) -> str:
        """The summary to be updated, with what it said of a cut turn; empty the first time."""
        parts = (self.previous.summary if self.previous else "", self.prefix_summary)
        return "\n\n".join(part for part in parts if part.strip())

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the covered entries."""
        return frozenset(entry.id for entry in self.entries)


def span_of(items: Sequence[Item], lookup: Lookup, excluded: Collection[str] = (), tell: Tell = tell_nobody) -> Span:
    """The span of the items before a cut; excluded entries are covered, but nobody is told of them."""
    entries: list[Entry] = []
    previous: CompactionEntry | None = None
    prefix_summary = ""
    for number, item in enumerate(items):
        tell(number, len(items))
        match item:
            case SummaryPair():
                compaction = lookup(item.compaction_id)
                previous = compaction if isinstance(compaction, CompactionEntry) else None
            case CutTurn():
                prefix_summary = item.prefix_summary
                entries.append(lookup(item.prompt_id))
            case Verbatim():
                entries.append(lookup(item.entry_id))
            case Digested():
                entries.append(_digested(lookup(item.entry_id), item.digest))
    told = (entry for entry in entries if entry.id not in excluded and not is_pure_error(entry))
    return Span(tuple(told), previous, prefix_summary)


def calls_answered(entries: Iterable[Entry]) -> dict[str, str]:
    """For each result of a tool the entry that called for it."""
    called: dict[str, str] = {}
    answered: dict[str, str] = {}
    for entry in entries:
        match entry:
            case MessageEntry(message=AssistantMessage() as message):
                called.update((call.id, entry.id) for call in message.tool_calls)
            case MessageEntry(message=ToolResultMessage() as message) if message.tool_call_id in called:
                answered[entry.id] = called[message.tool_call_id]
            case _:
                pass
    return answered


def is_pure_error(entry: Entry) -> bool:
    """True for an answer that failed before it said anything."""
    match entry:
        case MessageEntry(message=AssistantMessage(stop_reason="error") as message):
            return not message.tool_calls and not message.text.strip()
        case _:
            return False


def chunks_of(entries: Sequence[Entry], most_bytes: int) -> list[tuple[Entry, ...]]:
    """The entries in stretches of which each fits a request by itself; cut between entries, long outputs shortened."""
    chunks: list[tuple[Entry, ...]] = []
    begun: list[Entry] = []
    size_bytes = 0
    for entry in entries:
        cost = len(write_transcript((entry,), most_bytes).encode("utf-8", "replace")) + 2
        if begun and size_bytes + cost > most_bytes:
            chunks.append(tuple(begun))
            begun, size_bytes = [], 0
        begun.append(entry)
        size_bytes += cost
    return [*chunks, tuple(begun)] if begun else chunks


def without_outputs(entries: Sequence[Entry], most_chars: int = 200) -> tuple[Entry, ...]:
    """The entries with every output cut down to its beginning: the first rung when a span is too long to send."""
    return tuple(_shortened(entry, most_chars) for entry in entries)


def _digested(entry: Entry, digest: str) -> Entry:
    if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage):
        return entry.model_copy(update={"message": entry.message.model_copy(update={"output": digest})})
    return entry


def _shortened(entry: Entry, most_chars: int) -> Entry:
    if not isinstance(entry, MessageEntry) or not isinstance(entry.message, ToolResultMessage):
        return entry
    output = entry.message.output
    words = output if isinstance(output, str) else "\n".join(b.text for b in output if isinstance(b, TextBlock))
    if len(words) <= most_chars and isinstance(output, str):
        return entry
    left_out = len(words) - most_chars
    short = words if left_out <= 0 else f"{words[:most_chars]}\n[… {left_out:,} characters left out …]"
    return _digested(entry, short)
