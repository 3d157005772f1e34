"""Carries a compaction out: prunes, has the summary written and checked, saves it, and tells each step.

A compaction is one saved line. Whatever fails before that line is saved leaves the session as it was, but for outputs
that were pruned on the way, which are a change of their own that holds.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import assert_never

from diligent_tui.agent.compactor import Compactor
from diligent_tui.agent.costs import cost_of
from diligent_tui.agent.interruption import Interrupted
from diligent_tui.agent.totals import save_totals
from diligent_tui.compaction.breaker import is_effective
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import Plan
from diligent_tui.compaction.pruning import PrunePlan
from diligent_tui.compaction.strategies.base import (
    Checking,
    Progress,
    Rejected,
    Strategy,
    Summarising,
    SummaryWords,
    Written,
)
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.entries import CompactionEntry, PruneEntry
from diligent_tui.domain.errors import DiligentError, Problem, UsageError
from diligent_tui.domain.events import (
    CompactionChecking,
    CompactionFailed,
    CompactionFinished,
    CompactionRejected,
    CompactionStarted,
    CompactionSummarising,
    CompactionSummaryDelta,
    UsageRecorded,
)
from diligent_tui.domain.models import Model

STOPPED = Problem("interrupted", "The compaction was stopped; no summary was saved.", "Compact again when you like.")


@dataclass(slots=True)
class CompactionRun:
    """One compaction from its start to its end."""

    by: Compactor
    wish: CompactionWish
    strategy: Strategy
    writer: Model
    target: Model | None
    compaction_id: str = ""
    pruned: int = 0
    tokens_before: int = 0
    plan: Plan | Refusal | None = None
    """What was planned before it began; None once something changed since."""
    pruning: PrunePlan | None = None
    """The same for a strategy that does nothing else."""

    @property
    def window(self) -> int:
        """The window that the result must fit."""
        return self.by.requesting.standing.windows.of(self.target)[0] if self.target else self.by.window

    async def refuse_at_once(self) -> None:
        """Raise what the user must know before anything is done: there may be nothing to do."""
        by = self.by
        if by.breaker.judge(by.policy, by.clock(), by_hand=True) == "no_step_between":
            raise UsageError(
                "It was compacted twice without an answer in between.", "Send a prompt; then it can be compacted again."
            )
        if self.strategy.write is not None:
            plan = self.plan = await self._planned()
            if isinstance(plan, Refusal):
                if plan.kind == "nothing_to_compact":
                    raise UsageError(plan.message, plan.advice)
            elif plan.cut.covered_tokens + plan.squeeze.tokens_saved < by.policy.least_covered_tokens:
                covered = f"about {plan.cut.covered_tokens:,} tokens"
                later = "Go on, or let it read a longer file; then compact again."
                raise UsageError(
                    f"What would be summarised is {covered}; a summary would be no shorter.",
                    "Move the cut down." if self.wish.cut else later,
                )
            return
        self.pruning = await by.plan_prune(0, self.window, is_forced=True)
        if not self.pruning.items:
            raise UsageError("There is no old output to prune.", "Go on; there will be more to prune later.")

    async def run(self) -> bool:
        """Compact now; True once the context is smaller. What fails is told as an event; Interrupted goes through."""
        by = self.by
        began = by.clock()
        self.compaction_id = by.conversation.store.new_id()
        measured = by.requesting.measure()
        self.tokens_before = measured.tokens
        by.hub.publish(
            CompactionStarted(self.compaction_id, measured.tokens, self.window, self.strategy.name, self.wish.reason)
        )
        try:
            if await self._prune():
                self._finished(None, began)
                return True
            return await self._summarise(began)
        except (Interrupted, asyncio.CancelledError):
            self._failed(STOPPED, can_retry=True)
            raise
        except DiligentError as error:
            by.breaker = by.breaker.failed(by.clock())
            self._failed(error.problem, can_retry=True)
            return False

    async def _prune(self) -> bool:
        """Layer 1; True if it was all that was needed."""
        by, strategy = self.by, self.strategy
        if not strategy.prunes or self.wish.cut is not None or self.wish.restores:
            return False
        is_all = strategy.write is None
        plan = self.pruning or await by.plan_prune(self.tokens_before, self.window)
        if plan.items:
            await by.prune(plan, self.compaction_id)
            self.pruned = len(plan.items)
            self.plan = None
        if is_all:
            return True
        limit = by.policy.compact_over(self.window, by.requesting.output_tokens(self.target))
        return bool(plan.items) and self.wish.reason == "threshold" and by.requesting.measure().tokens <= limit

    async def _summarise(self, began: float) -> bool:
        by = self.by
        plan = self.plan or await self._planned()
        if isinstance(plan, Refusal):
            by.breaker = by.breaker.failed(by.clock())
            problem = Problem(plan.kind, plan.message, plan.advice)
            self._failed(problem, can_retry=False, suggest_new_session=plan.kind in ("no_room", "tail_too_large"))
            return False
        needs_anchor = bool(plan.squeeze.items) or plan.cut.keeps_prompt_only
        anchor_id = by.conversation.store.new_id() if needs_anchor else ""
        written = await by.write(self.strategy, plan, self.wish, self.writer, anchor_id, self._tell)
        if needs_anchor:
            squeeze = plan.squeeze
            await by.conversation.add(PruneEntry(items=squeeze.items, tokens_saved=squeeze.tokens_saved), anchor_id)
            self.pruned += len(squeeze.items)
        entry = written.entry.model_copy(
            update={
                "messages": plan.cut.covered_items,
                "duration_seconds": round(by.clock() - began, 1),
                "tokens_before": self.tokens_before,
            }
        )
        saved = await by.conversation.add(entry, self.compaction_id)
        limit = by.policy.compact_over(self.window, 0)
        was_effective = is_effective(by.policy, self.tokens_before, saved.tokens_after or 0, limit)
        by.breaker = by.breaker.compacted(by.clock(), was_effective=was_effective)
        await self._account(written)
        self._finished(saved, began)
        await by.renew_ground()
        if written.candidates:
            with contextlib.suppress(DiligentError):
                await by.propose(written.candidates)
        by.hub.publish(by.requesting.measure())
        return True

    async def _account(self, written: Written) -> None:
        if written.usage is None:
            return
        cost = cost_of(written.usage, self.writer)
        self.by.hub.publish(UsageRecorded(self.compaction_id, self.writer.id, written.usage, cost, "summary"))
        await save_totals(self.by.conversation, written.usage, cost)

    async def _planned(self) -> Plan | Refusal:
        return await self.by.interruption.guard(self.by.plan(self.wish, self.window))

    def _tell(self, progress: Progress) -> None:
        publish = self.by.hub.publish
        match progress:
            case Summarising():
                publish(
                    CompactionSummarising(
                        self.compaction_id, progress.messages, progress.expected_words, progress.part, progress.parts
                    )
                )
            case SummaryWords():
                publish(CompactionSummaryDelta(self.compaction_id, progress.text))
            case Checking():
                publish(CompactionChecking(self.compaction_id))
            case Rejected():
                publish(CompactionRejected(self.compaction_id, progress.why))
            case _:
                assert_never(progress)

    def _finished(self, saved: CompactionEntry | None, began: float) -> None:
        by = self.by
        after = saved.tokens_after if saved else None
        by.hub.publish(
            CompactionFinished(
                self.compaction_id,
                self.tokens_before,
                by.requesting.measure().tokens if after is None else after,
                (saved.messages or 0) if saved else 0,
                self.pruned,
                (saved.messages or 0) if saved else 0,
                saved.summary if saved else "",
                (saved.strategy if saved else None) or self.strategy.name,
                self.wish.reason,
                by.clock() - began,
            )
        )
        if saved is None:
            by.hub.publish(by.requesting.measure())

    def _failed(self, problem: Problem, *, can_retry: bool, suggest_new_session: bool = False) -> None:
        is_latched = self.by.breaker.is_latched(self.by.policy)
        self.by.hub.publish(CompactionFailed(self.compaction_id, problem, can_retry, suggest_new_session or is_latched))
