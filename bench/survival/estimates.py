"""How well the product knows the size of the next request: its last real count and an estimate of what is newer.

The recorded counts of each session are played to the product's own measure, as if no one had ever compacted. System
prompt and tools of the original agent are not in the files, so a text of their size stands in for them: what the first
count says beyond the first messages, at the ratio known by then. Where the original agent compacted, or another model
answered, the last count does not hold, and there is nothing to compare.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from bench.survival.transcripts import Exchange, Transcript
from diligent_tui.agent.measure import last_count, measure
from diligent_tui.compaction.sizes import Overhead, Sizes, TokensOf
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Text, ToolCall, ToolResult
from diligent_tui.session.effective import EffectiveFold
from diligent_tui.session.tree import node_of

WINDOW = (1_000_000, False)
BYTES_PROBE = 3_000_000


@dataclass(frozen=True, slots=True)
class SizeErrors:
    """Errors of one session, each as a part of the real size."""

    name: str
    agent: str
    errors: tuple[float, ...]

    @property
    def median(self) -> float:
        """The one in the middle."""
        return median(self.errors)

    @property
    def p95(self) -> float:
        """Only one in twenty is larger."""
        return sorted(self.errors)[min(len(self.errors) - 1, int(len(self.errors) * 0.95))]


def size_errors(transcript: Transcript) -> SizeErrors | None:
    """The errors for one session; None if it has no counts."""
    errors = tuple(_errors(transcript))
    return SizeErrors(transcript.name, transcript.agent, errors) if errors else None


@dataclass
class _Session:
    """A session that only grows, in memory."""

    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    overhead_bytes: int = 0
    counted: Sizes | None = None

    def __post_init__(self) -> None:
        self.fold = EffectiveFold([], self.entries.__getitem__)

    def add(self, message: Message) -> None:
        entry_id = f"{len(self.entries):08x}"
        before = f"{len(self.entries) - 1:08x}" if self.entries else None
        self.entries[entry_id] = MessageEntry(id=entry_id, parent_id=before, message=message)
        self.fold.push(node_of(self.entries[entry_id]))

    def sizes_for(self, model: Model, tokens_of: TokensOf) -> Sizes:
        maker = (model.provider, model.name)
        if self.counted is None or self.counted.maker != maker:
            self.counted = Sizes(self.entries.__getitem__, tokens_of, maker)
        self.counted = self.counted.for_ratio(tokens_of)
        return self.counted

    def bytes_with(self, sizes: Sizes) -> int:
        return self.overhead_bytes + sum(sizes.entry_size(entry_id).size_bytes for entry_id in self.entries)


def _errors(transcript: Transcript) -> Iterator[float]:
    session, estimator = _Session(), Estimator()
    is_new = True
    for exchange in transcript.exchanges:
        model = Model("replay", exchange.model or "model")
        if exchange.follows_compaction:
            session, is_new = _Session(), True
        _hear(session, exchange)
        if exchange.usage is None:
            session.add(_answer(exchange, model))
            continue
        real = exchange.usage.prompt_tokens
        tokens_of = partial(estimator.tokens, model.id)
        sizes = session.sizes_for(model, tokens_of)
        if is_new:
            ratio = BYTES_PROBE / tokens_of(BYTES_PROBE)
            session.overhead_bytes = max(0, int(real * ratio) - session.bytes_with(sizes))
            is_new = False
        if last_count(session.fold, session.entries.__getitem__, model) is not None:
            overhead = Overhead(system=tokens_of(session.overhead_bytes))
            yield abs(measure(session.fold, sizes, overhead, WINDOW, model).tokens - real) / real
        estimator = estimator.after(model.id, session.bytes_with(sizes), real)
        session.add(_answer(exchange, model))


def _hear(session: _Session, exchange: Exchange) -> None:
    for part in exchange.heard.parts:
        match part:
            case ToolResult():
                session.add(ToolResultMessage(tool_call_id=part.call_id, tool_name=part.name, output=part.output))
            case Text():
                session.add(UserMessage(content=part.text))
            case _:
                pass


def _answer(exchange: Exchange, model: Model) -> AssistantMessage:
    blocks: list[Block] = []
    for part in exchange.said.parts:
        match part:
            case Text():
                blocks.append(TextBlock(text=part.text))
            case ToolCall():
                blocks.append(ToolCallBlock(id=part.id, name=part.name, input=part.input))
            case _:
                pass
    return AssistantMessage(content=tuple(blocks), provider=model.provider, model=model.name, usage=exchange.usage)
