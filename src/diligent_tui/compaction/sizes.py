"""How many tokens each piece of the effective sequence takes, counted once for each entry.

Bytes are kept, not tokens: an entry's bytes never change, while the ratio of the model is learnt anew all the time.
They are the bytes that a request to `maker` holds, so that parts and whole agree.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    SteeringEntry,
)
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.effective import CutTurn, Digested, Item, Lookup, SummaryPair, Verbatim

TokensOf = Callable[[int], int]
"""From bytes to tokens for one model: `partial(estimator.tokens, model.id)`."""
Maker = tuple[str | None, str | None]
"""Provider and model that will read the request: thinking goes back to its maker only."""

IMAGE_TOKENS = 1_600
"""The dearest that a picture comes to once it is scaled to what providers take."""
PAIR_FRAME_BYTES = 240
"""The fixed question of the summary pair, and the words that lead in its pins and the prefix of a cut turn."""
QUOTE_FRAME_BYTES = 40
EMPTY_OUTPUT_BYTES = 11
BRANCH_FRAME_BYTES = 48

Kind = Literal["system", "tools", "knowledge", "summary", "ledgers", "pins", "turns"]
KINDS: tuple[Kind, ...] = ("system", "tools", "knowledge", "summary", "ledgers", "pins", "turns")


@dataclass(frozen=True, slots=True)
class Overhead:
    """What every request holds before the first message, in tokens."""

    system: int = 0
    tools: int = 0
    knowledge: int = 0
    """The knowledge block; it stands in the system prompt but is shown apart."""

    @property
    def tokens(self) -> int:
        """All of it."""
        return self.system + self.tools + self.knowledge


@dataclass(frozen=True, slots=True)
class EntrySize:
    """What an entry takes in a request: bytes of words, and pictures apart."""

    size_bytes: int = 0
    images: int = 0


@dataclass(slots=True)
class Sizes:
    """Sizes of entries and items for one reader; each entry is looked at once."""

    lookup: Lookup
    tokens_of: TokensOf
    maker: Maker = (None, None)
    _entries: dict[str, EntrySize] = field(default_factory=dict[str, EntrySize])
    _quotes: dict[str, int] = field(default_factory=dict[str, int])

    def for_ratio(self, tokens_of: TokensOf) -> "Sizes":
        """The same counts under another ratio; what was counted stays counted."""
        return Sizes(self.lookup, tokens_of, self.maker, self._entries, self._quotes)

    def text(self, text: str) -> int:
        """Tokens of a text."""
        return self.tokens_of(utf8_size(text)) if text else 0

    def entry(self, entry_id: str) -> int:
        """Tokens of an entry as it was said."""
        return self._tokens(self.entry_size(entry_id))

    def entry_size(self, entry_id: str) -> EntrySize:
        """Bytes and pictures of an entry as it was said."""
        if (size := self._entries.get(entry_id)) is None:
            size = self._entries[entry_id] = entry_size(self.lookup(entry_id), self.maker)
        return size

    def quote(self, entry_id: str) -> int:
        """Tokens of an entry as it is quoted once it is pinned and covered."""
        if (size_bytes := self._quotes.get(entry_id)) is None:
            words = speech_of(self.lookup(entry_id)).words
            size_bytes = self._quotes[entry_id] = utf8_size(words) + QUOTE_FRAME_BYTES
        return self.tokens_of(size_bytes)

    def item(self, item: Item) -> int:
        """Tokens of an item."""
        match item:
            case Verbatim():
                return self.entry(item.entry_id)
            case Digested():
                return self.text(item.digest)
            case CutTurn():
                return self.entry(item.prompt_id) + self.text(item.prefix_summary)
            case SummaryPair():
                return sum(self.pair(item).values())
            case _:
                assert_never(item)

    def pair(self, item: SummaryPair) -> dict[Kind, int]:
        """Tokens of a summary pair by kind."""
        compaction = self.lookup(item.compaction_id)
        is_there = isinstance(compaction, CompactionEntry)
        return {
            "summary": self.tokens_of(PAIR_FRAME_BYTES) + (self.text(compaction.summary) if is_there else 0),
            "ledgers": self.text(compaction.ledger) if is_there else 0,
            "pins": sum(self.quote(pinned_id) for pinned_id in item.pinned_ids),
        }

    def items(self, items: Iterable[Item]) -> list[int]:
        """Tokens of each item."""
        return [self.item(item) for item in items]

    def breakdown(self, items: Iterable[Item], overhead: Overhead) -> Mapping[Kind, int]:
        """Tokens by kind, for the gauge."""
        parts: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        parts |= {"system": overhead.system, "tools": overhead.tools, "knowledge": overhead.knowledge}
        for item in items:
            match item:
                case SummaryPair():
                    for kind, tokens in self.pair(item).items():
                        parts[kind] += tokens
                case CutTurn():
                    parts["turns"] += self.entry(item.prompt_id)
                    parts["summary"] += self.text(item.prefix_summary)
                case Verbatim() | Digested():
                    parts["turns"] += self.item(item)
                case _:
                    assert_never(item)
        return parts

    def _tokens(self, size: EntrySize) -> int:
        return (self.tokens_of(size.size_bytes) if size.size_bytes else 0) + size.images * IMAGE_TOKENS


def entry_size(entry: Entry, maker: Maker = (None, None)) -> EntrySize:
    """What an entry takes in a request to that maker."""
    match entry:
        case MessageEntry(message=UserMessage(content=content)):
            return _spoken(content)
        case MessageEntry(message=AssistantMessage() as message):
            return EntrySize(_answer_bytes(message, maker))
        case MessageEntry(message=ToolResultMessage(output=output)):
            size = _spoken(output)
            return EntrySize(size.size_bytes or EMPTY_OUTPUT_BYTES, size.images)
        case SteeringEntry():
            return EntrySize(utf8_size(entry.message))
        case BranchSummaryEntry():
            return EntrySize(utf8_size(entry.summary) + BRANCH_FRAME_BYTES)
        case KnowledgeNoteEntry():
            return EntrySize(utf8_size(entry.text))
        case _:
            return EntrySize()


def _spoken(content: str | tuple[Block, ...]) -> EntrySize:
    if isinstance(content, str):
        return EntrySize(utf8_size(content))
    texts = [utf8_size(block.text) for block in content if isinstance(block, TextBlock)]
    images = sum(isinstance(block, ImageBlock) for block in content)
    return EntrySize(sum(texts) + max(0, len(texts) - 1), images)


def _answer_bytes(message: AssistantMessage, maker: Maker) -> int:
    size_bytes = said_bytes = 0
    is_own = (message.provider, message.model) == maker
    for block in message.content:
        match block:
            case TextBlock() if block.text.strip():
                said_bytes += utf8_size(block.text)
            case ToolCallBlock():
                said_bytes += utf8_size(block.name) + utf8_size(json.dumps(block.input)) + 1
            case ThinkingBlock() if is_own and (block.signature or block.raw):
                size_bytes += utf8_size(block.thinking)
            case _:
                pass
    # An answer that is nothing but thinking is not sent again.
    return size_bytes + said_bytes if said_bytes else 0
