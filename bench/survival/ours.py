"""The product's own way as a policy: adapter on the pure functions until the agent's memory is there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from bench.survival.policies.base import Spent, SummaryWriter
from bench.survival.ruler import Ruler
from bench.survival.stub import Piece, pieces_of
from diligent_tui.agent.requests import SUMMARY_QUESTION, build_messages
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import compaction_entry, facts_for, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import plan_pruning
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.compaction.summary_requests import take_apart
from diligent_tui.compaction.triggers import need_of, usual_turn_tokens
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry, PruneEntry
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, Text, ToolCall, ToolResult, UserTurn
from diligent_tui.session.effective import EffectiveFold
from diligent_tui.session.tree import node_of

POLICY = CompactionPolicy()


@dataclass
class Ours:
    """Prunes and compacts as the product does."""

    window_tokens: int
    ruler: Ruler
    write: SummaryWriter
    spent: Spent = field(default_factory=Spent)
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    prunes: int = 0

    def __post_init__(self) -> None:
        self.model = Model("bench", "replay", self.window_tokens, self.window_tokens // 8)
        self.fold = EffectiveFold([], self.entries.__getitem__)
        self.sizes = Sizes(
            self.entries.__getitem__, partial(Estimator().after("m", 4_000, 1_000).tokens, "m"), ("bench", "replay")
        )
        self.last: list[str] = []

    def add(self, entry: Entry) -> Entry:
        entry_id = f"{len(self.entries):08x}"
        entry = entry.model_copy(
            update={"id": entry_id, "parent_id": f"{len(self.entries) - 1:08x}" if self.entries else None}
        )
        self.entries[entry_id] = entry
        self.fold.push(node_of(entry))
        return entry

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        starts = False
        for part in heard.parts:
            match part:
                case ToolResult():
                    self.add(
                        MessageEntry(
                            message=ToolResultMessage(
                                tool_call_id=part.call_id,
                                tool_name=part.name,
                                output=part.output,
                                is_error=part.is_error,
                            )
                        )
                    )
                case Text():
                    starts = True
                    self.add(MessageEntry(message=UserMessage(content=part.text)))
                case _:
                    pass
        await self.make_room(starts)
        return build_messages(self.fold.items, self.entries.__getitem__, self.model)

    async def answered(self, said: AssistantTurn) -> None:
        blocks: list[Block] = []
        for part in said.parts:
            match part:
                case Text():
                    blocks.append(TextBlock(text=part.text))
                case ToolCall():
                    blocks.append(ToolCallBlock(id=part.id, name=part.name, input=part.input))
                case _:
                    pass
        self.add(
            MessageEntry(message=AssistantMessage(content=tuple(blocks), provider="bench", model="replay"))
        )

    def _need(self, starts: bool) -> str:
        items = self.fold.items
        return need_of(
            POLICY,
            sum(self.sizes.items(items)),
            self.window_tokens,
            self.window_tokens // 8,
            0,
            usual_turn_tokens=usual_turn_tokens(items, self.sizes),
            starts_turn=starts,
        )

    async def make_room(self, starts: bool) -> None:
        need = self._need(starts)
        if need == "nothing":
            return
        items = self.fold.items
        prune = plan_pruning(items, self.sizes, POLICY, self.window_tokens, sum(self.sizes.items(items)))
        if prune.items:
            self.add(PruneEntry(items=prune.items))
            self.prunes += 1
        if self._need(starts) != "compact":
            return
        items = tuple(self.fold.items)
        plan = plan_compaction(items, self.sizes, POLICY, self.window_tokens, 0)
        if isinstance(plan, Refusal):
            return
        anchor = ""
        if plan.squeeze.items or plan.cut.keeps_prompt_only:
            anchor = self.add(PruneEntry(items=plan.squeeze.items)).id
        messages = build_messages(items[: plan.cut.position], self.entries.__getitem__, self.model)
        pieces = _told_apart(messages)
        self.spent.calls += 1
        self.spent.compactions += 1
        self.spent.fed_tokens += self.ruler.messages(messages)
        summary = take_apart(await self.write(pieces, is_turn_cut=plan.cut.prompt_id is not None))
        facts = facts_for(plan, self.sizes, POLICY)
        entry = compaction_entry(
            plan,
            facts,
            self.sizes,
            POLICY,
            summary.summary,
            summary.turn_prefix,
            strategy="auto",
            reason="threshold",
            anchor_id=anchor,
        )
        self.add(entry)

    def compaction(self) -> CompactionEntry | None:
        return self.fold.cut.compaction if self.fold.cut else None


def _told_apart(messages: Sequence[RequestMessage]) -> list[Piece]:
    pieces = list(pieces_of(messages))
    if pieces and pieces[0].text.startswith(SUMMARY_QUESTION):
        return [Piece("summary", pieces[1].text.partition("\n---\n")[0]), *pieces[2:]]
    return pieces
