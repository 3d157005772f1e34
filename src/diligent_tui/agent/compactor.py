"""What a compaction of this session needs: plans, the writer of the summary, pruning, and the memory of what helped."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from diligent_tui.agent.asking import Providers, ask
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interruption
from diligent_tui.agent.requesting import Requesting
from diligent_tui.compaction.breaker import Breaker
from diligent_tui.compaction.cut_points import CutPoint, legal_cuts
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import Plan, facts_for, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import PrunePlan, pins_on, plan_pruning
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.compaction.strategies.base import (
    Job,
    Progress,
    Strategy,
    Writer,
    Written,
)
from diligent_tui.compaction.strategies.registry import find_strategy
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.compaction.versions import before_compaction, tried_out
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.entries import CONTENT_TYPES, CompactionEntry, CompactionRevertEntry, PruneEntry
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import (
    CompactionPruned,
    RetryScheduled,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Piece
from diligent_tui.providers.retry import Backoff, Retries, with_retries
from diligent_tui.session.effective import Item
from diligent_tui.tools.base import KeepsOutput, Tool


async def _propose_to_nobody(_: tuple[Candidate, ...]) -> None:
    """For a session without an inbox."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a plan goes by, as it was at one moment: a thread plans with it while the user pins and queues."""

    sizes: Sizes
    policy: CompactionPolicy
    window_tokens: int
    overhead_tokens: int
    pinned: frozenset[str]

    def plan(self, items: Sequence[Item], excluded: Sequence[str], cut: CutPoint | None) -> Plan | Refusal:
        """The best compaction of a sequence, or the one that cuts there."""
        return plan_compaction(
            items,
            self.sizes,
            self.policy,
            self.window_tokens,
            self.overhead_tokens,
            pinned=self.pinned,
            excluded=excluded,
            cut_at=cut,
        )


@dataclass(slots=True)
class Compactor:
    """Compacts one session; callers hold its lock, so that there is never more than one at work.

    What takes long is done in threads, over copies of what may change meanwhile: entries themselves never do.
    """

    conversation: Conversation
    hub: Hub
    requesting: Requesting
    providers: Providers
    policy: CompactionPolicy
    tools: Callable[[], Sequence[Tool]]
    backoff: Backoff
    interruption: Interruption
    """The one of the turn: Esc stops whichever is at work."""
    find_model: Callable[[str], Model]
    renew_ground: Callable[[], Awaitable[None]]
    """Writes the system prompt anew if instructions or knowledge changed: the cache is cold now anyway."""
    known_facts: Callable[[], tuple[str, ...]] = tuple
    """Texts of the knowledge, for the coverage report."""
    propose: Callable[[tuple[Candidate, ...]], Awaitable[object]] = _propose_to_nobody
    clock: Callable[[], float] = time.monotonic
    breaker: Breaker = field(default_factory=Breaker)

    async def draft(
        self, wish: CompactionWish, compaction: CompactionEntry, tell: Callable[[Progress], None]
    ) -> Written:
        """Another summary for what a compaction covers, saved by nobody."""
        strategy = find_strategy(wish.strategy or self.policy.strategy)
        plan = await self.interruption.guard(self.plan_again(compaction, wish))
        written = await self.write(
            strategy, plan, wish, self.writer_model(wish, None), compaction.first_kept_entry_id, tell
        )
        # The cut stays where it is, whatever stands between it and the end by now.
        entry = written.entry.model_copy(
            update={"first_kept_entry_id": compaction.first_kept_entry_id, "supersedes": compaction.id}
        )
        return Written(entry, written.coverage, written.candidates, written.usage, written.complaints)

    async def plan(self, wish: CompactionWish, window_tokens: int) -> Plan | Refusal:
        """The plan for the talk as it is, or as it would be without the compaction that the wish replaces."""
        fold, lookup = self.conversation.fold, self.conversation.store.entry
        items, path, cut = tuple(fold.items), tuple(fold.path), fold.cut
        moment = self._moment(window_tokens)

        def plan() -> Plan | Refusal:
            revert = CompactionRevertEntry(target_id=cut.compaction.id) if wish.restores and cut else None
            before = tried_out(path, lookup, revert).items if revert else items
            return moment.plan(before, wish.excluded, wish.cut)

        return await asyncio.to_thread(plan)

    async def plan_again(self, compaction: CompactionEntry, wish: CompactionWish) -> Plan:
        """The plan that a compaction was made by, as it would be made now with the same cut."""
        path, lookup = tuple(self.conversation.path), self.conversation.store.entry
        moment = self._moment(self.window)

        def plan_again() -> Plan | Refusal:
            items = before_compaction(path, lookup, compaction.id).items
            cuts = legal_cuts(items, moment.sizes)
            same = (cut for cut in cuts if cut.first_kept_id == compaction.first_kept_entry_id)
            return moment.plan(items, wish.excluded or compaction.excluded, next(same, cuts[-1] if cuts else None))

        plan = await asyncio.to_thread(plan_again)
        if isinstance(plan, Refusal):
            raise UsageError(plan.message, plan.advice)
        return plan

    async def write(
        self,
        strategy: Strategy,
        plan: Plan,
        wish: CompactionWish,
        writer: Model,
        anchor_id: str,
        tell: Callable[[Progress], None],
    ) -> Written:
        """What a strategy writes for a plan; raises Interrupted if the user stopped it."""
        if (write := strategy.write) is None:
            raise UsageError(f"{strategy.name} writes no summary.", "Choose summarize or truncate.")

        async def work() -> Written:
            return await write(await self._job(plan, wish, writer, anchor_id, tell))

        return await self.interruption.guard(work())

    async def _job(
        self, plan: Plan, wish: CompactionWish, writer: Model, anchor_id: str, tell: Callable[[Progress], None]
    ) -> Job:
        """All that a strategy needs; the facts of a long session are gathered in a thread, and its requests made."""
        sizes = self.requesting.sizes()
        earlier = self._covered_before(plan)
        system = self.requesting.system_prompt()
        facts = await asyncio.to_thread(
            # Read past the memory: these are all that was ever said, and nobody asks for them again soon.
            lambda: facts_for(plan, sizes, self.policy, map(self.conversation.store.read, earlier))
        )
        return Job(
            plan=plan,
            facts=facts,
            sizes=sizes,
            policy=self.policy,
            writer=await asyncio.to_thread(self._writer, writer, plan, system),
            reason=wish.reason,
            focus=wish.focus,
            anchor_id=anchor_id,
            known_text=system,
            knowledge=self.known_facts(),
            tell=tell,
        )

    @property
    def window(self) -> int:
        """The window of the model in force."""
        return self.requesting.standing.window[0]

    @property
    def pinned(self) -> frozenset[str]:
        """What is pinned on this path."""
        return pins_on(self.conversation.path, self.conversation.store.entry)

    async def plan_prune(self, tokens: int, window_tokens: int, *, is_forced: bool = False) -> PrunePlan:
        """One batch of pruning, if it is worth it."""
        return await asyncio.to_thread(
            plan_pruning,
            tuple(self.conversation.fold.items),
            self.requesting.sizes(),
            self.policy,
            window_tokens,
            tokens,
            pinned=self.pinned,
            exempt_tools=[tool.spec.name for tool in self.tools() if isinstance(tool, KeepsOutput)],
            is_forced=is_forced,
        )

    async def prune(self, plan: PrunePlan, compaction_id: str = "") -> None:
        """Save a batch of pruning and tell it."""
        entry = await self.conversation.add(PruneEntry(items=plan.items, tokens_saved=plan.tokens_saved))
        self.hub.publish(
            CompactionPruned(compaction_id or entry.id, len(plan.items), plan.tokens_saved, tuple(plan.tools))
        )

    def _covered_before(self, plan: Plan) -> list[str]:
        """What the summary that this plan updates covers already."""
        previous = plan.span.previous
        if previous is None:
            return []
        ids: list[str] = []
        for node in self.conversation.path:
            if node.id == previous.first_kept_entry_id:
                break
            if node.type in CONTENT_TYPES:
                ids.append(node.id)
        return ids

    def writer_model(self, wish: CompactionWish, outgoing: Model | None) -> Model:
        """Who writes: the one wished for, the one in the settings, the one that is left, or the conversation's own."""
        named = wish.model_id or self.policy.model_id
        return self.find_model(named) if named else outgoing or self.requesting.standing.model

    def _moment(self, window_tokens: int) -> _Moment:
        requesting = self.requesting
        return _Moment(requesting.sizes(), self.policy, window_tokens, requesting.overhead().tokens, self.pinned)

    def _writer(self, model: Model, plan: Plan, system: str) -> Writer:
        """Who writes; builds two requests of a long session, so it is called in a thread."""
        standing = self.requesting.standing
        window = standing.windows.of(model)[0]
        if model.id != standing.model.id:
            return Writer(standing.windows.fitted(model), window, lambda request: self._ask(model, request))
        whole = self.requesting.of(plan.items, model, system)
        covered = self.requesting.of(plan.items[: plan.cut.position], model, system)
        return Writer(whole.model, window, lambda request: self._ask(model, request), whole, covered.messages)

    def _ask(self, model: Model, request: Request) -> AsyncGenerator[Piece, None]:
        return with_retries(
            lambda: ask(lambda: self.providers.provide(model), request),
            Retries(self.backoff),
            lambda number, seconds, problem: self.hub.publish(RetryScheduled("", number, seconds, problem)),
        )
