"""Conversations by size: prompts, answers and results of given lengths, and compactions played on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from hypothesis import strategies as st

from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import Plan, compaction_entry, facts_for, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import pins_on
from diligent_tui.compaction.sizes import Sizes, TokensOf
from diligent_tui.compaction.truncation import truncated_prefix, truncated_summary
from diligent_tui.domain.entries import CompactionEntry, MessageEntry, PinEntry, PruneEntry
from diligent_tui.domain.estimator import Estimator, Ratio
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
)
from diligent_tui.session.effective import Effective, effective
from tests.strategies.sessions import RandomSession

POLICY = CompactionPolicy()
MAKER = ("anthropic", "claude-a")
TOOLS = ("read", "bash", "edit")
SHARES = (0.0, 0.001, 0.01, 0.05, 0.2, 0.6)
"""Sizes of texts, as parts of the window."""
HUGE = 5.0


def tokens_at(bytes_per_token: float) -> TokensOf:
    """An estimator with that ratio."""
    return partial(Estimator({"m": Ratio(bytes_per_token, 1)}).tokens, "m")


@dataclass(frozen=True, slots=True)
class Step:
    """An answer with calls, each with the length of its result."""

    words_share: float
    result_shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and the steps after it."""

    prompt_share: float
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Conversation:
    """A session that grows by turns of given sizes."""

    window_chars: int
    session: RandomSession = field(default_factory=RandomSession)

    def text(self, share: float, word: str = "word ") -> str:
        chars = int(self.window_chars * share)
        return (word * (chars // len(word) + 1))[: max(chars, 12)]

    def play(self, turn: Turn) -> None:
        self.session.prompt(f"prompt {len(self.session.entries)} {self.text(turn.prompt_share)}")
        for step in turn.steps:
            self.step(step)

    def step(self, step: Step) -> None:
        mark = len(self.session.entries)
        names = [TOOLS[(mark + place) % len(TOOLS)] for place in range(len(step.result_shares))]
        calls = [
            ToolCallBlock(
                id=f"call_{mark}_{place}", name=name, input={"path": f"src/f{mark}.py", "command": f"run {mark}"}
            )
            for place, name in enumerate(names)
        ]
        blocks: tuple[Block, ...] = (TextBlock(text=f"answer {mark} {self.text(step.words_share)}"), *calls)
        message = AssistantMessage(content=blocks, provider=MAKER[0], model=MAKER[1], stop_reason="tool_use")
        self.session.append(MessageEntry(message=message))
        for call, share in zip(calls, step.result_shares, strict=True):
            output = f"result {call.id}\nError: broken {mark}\n{self.text(share, f'line of {call.id} ')}"
            result = ToolResultMessage(tool_call_id=call.id, tool_name=call.name, output=output)
            self.session.append(MessageEntry(message=result))

    def pin(self, place: int) -> None:
        content = [node.id for node in self.session.path if node.type == "message"]
        if content:
            self.session.append(PinEntry(target_id=content[place % len(content)]))

    def see(self) -> Effective:
        return effective(self.session.path, self.session.lookup)

    def sizes(self, tokens_of: TokensOf) -> Sizes:
        return Sizes(self.session.lookup, tokens_of, MAKER)

    def plan(self, tokens_of: TokensOf, window_tokens: int, overhead_tokens: int) -> Plan | Refusal:
        pinned = pins_on(self.session.path, self.session.lookup)
        items = self.see().items
        return plan_compaction(items, self.sizes(tokens_of), POLICY, window_tokens, overhead_tokens, pinned=pinned)

    def compact(self, tokens_of: TokensOf, window_tokens: int, overhead_tokens: int) -> CompactionEntry | Refusal:
        """Compact without a model, the way the compactor does."""
        plan = self.plan(tokens_of, window_tokens, overhead_tokens)
        if isinstance(plan, Refusal):
            return plan
        anchor = ""
        if plan.squeeze.items or plan.cut.keeps_prompt_only:
            anchor = self.session.append(PruneEntry(items=plan.squeeze.items)).id
        room = plan.budgets
        summary = truncated_summary(plan.span.entries, plan.span.previous_summary, room.summary_tokens, tokens_of)
        prefix = truncated_prefix(plan.span.entries, room.prefix_tokens, tokens_of) if plan.cut.prompt_id else ""
        entry = compaction_entry(
            plan,
            facts_for(plan, self.sizes(tokens_of), POLICY),
            self.sizes(tokens_of),
            POLICY,
            summary,
            prefix,
            strategy="truncate",
            reason="manual",
            anchor_id=anchor,
        )
        saved = self.session.append(entry)
        assert isinstance(saved, CompactionEntry)
        return saved


def turns(
    shares: Sequence[float] = SHARES, prompt_shares: Sequence[float] = (0.0, 0.001, 0.02)
) -> st.SearchStrategy[Turn]:
    """Turns of up to five steps with up to three calls each."""
    steps = st.builds(
        Step,
        st.sampled_from((0.0, 0.001, 0.01)),
        st.lists(st.sampled_from(shares), max_size=3).map(tuple),
    )
    return st.builds(Turn, st.sampled_from(prompt_shares), st.lists(steps, max_size=5).map(tuple))
