"""Keeps the context within the window: looks before each request, prunes or compacts, and knows when to stop trying."""

import asyncio
from dataclasses import dataclass, field

from diligent_tui.agent.compaction_run import CompactionRun
from diligent_tui.agent.compactor import Compactor
from diligent_tui.agent.requesting import Requesting
from diligent_tui.compaction.planning import Plan
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.previews import guessed_after
from diligent_tui.compaction.strategies.registry import find_strategy
from diligent_tui.compaction.triggers import Need, need_of, usual_turn_tokens
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.errors import ContextOverflow, Problem, UsageError
from diligent_tui.domain.events import CompactionFailed, CompactionPlanned, ContextMeasured
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage

MOST_OVERHEAD_SHARE = 0.7
"""With more of the window than this taken before the first word, no compaction helps."""
LATCHED = Problem(
    "compaction_off",
    "Compacting did not help twice in a row, so it is not tried by itself any more.",
    "Try again, choose another strategy, or begin a new session.",
)


DECLINED = Problem("interrupted", "Nothing was compacted, as you wished.", "/compact does it when you like.")


@dataclass(frozen=True, slots=True)
class Question:
    """A compaction that is shown before it happens, and its answer: how to do it, or None to leave everything."""

    wish: CompactionWish
    window_tokens: int
    answer: asyncio.Future[CompactionWish | None]


@dataclass(slots=True)
class Room:
    """The room that the next request needs; one lock, so that two changes of the context never meet."""

    compactor: Compactor
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wished: CompactionWish | None = None
    """Asked for while a turn goes on; done before its next request."""
    outgoing: Model | None = None
    """The model that was left in the middle of a turn: if its talk does not fit the new one, it writes the summary."""
    is_compacting: bool = False
    may_ask: bool = False
    """Whether somebody is there who can be shown a compaction before it happens."""
    question: Question | None = None
    """A compaction that was planned by itself and waits until the user has seen it."""
    _was_declined: bool = False
    _has_told_latch: bool = False

    @property
    def policy(self) -> CompactionPolicy:
        """The figures it goes by."""
        return self.compactor.policy

    @property
    def requesting(self) -> Requesting:
        """What makes the requests."""
        return self.compactor.requesting

    @property
    def is_due(self) -> bool:
        """Whether the context would be compacted by itself before another prompt is sent, as far as can be said now."""
        if self.compactor.breaker.is_latched(self.policy):
            return False
        return self._need(self.requesting.measure(), starts_turn=True) == "compact"

    async def make(self, *, starts_turn: bool) -> Problem | None:
        """Prune or compact before a request where that is needed; a problem if it would be too long all the same."""
        if (wish := self.wished) is not None:
            self.wished = None
            await self.compact(wish)
        self._was_declined = self._was_declined and not starts_turn
        outgoing, self.outgoing = self.outgoing, None
        for _ in range(self.policy.most_without_step):
            measured = self.requesting.measure()
            if not await self._make_room_once(measured, outgoing, starts_turn=starts_turn):
                break
        measured = self.requesting.measure()
        if self.policy.is_automatic and measured.tokens > measured.limit:
            message = f"The context is ≈{measured.tokens:,} tokens; {measured.limit:,} fit."
            return ContextOverflow(message, self._way_out(measured.limit)).problem
        return None

    async def make_after(self, request: Request, error: ContextOverflow) -> bool:
        """Compact because a provider refused a request for its length; True if it is worth sending again."""
        window = self.requesting.standing.window[0]
        if not self.policy.is_automatic or self._was_declined:
            return False
        # Whatever we thought: it is longer than the window, and so is every text of its kind.
        self.requesting.learn_tokens(request, max(error.tokens or 0, window))
        if self.compactor.breaker.judge(self.policy, self.compactor.clock(), would_overflow=True) != "go":
            self._tell_latch()
            return False
        try:
            return await self.compact(CompactionWish(reason="overflow"))
        except UsageError:
            return False

    def counted(self, usage: Usage) -> None:
        """Hear a real count: the first one after a compaction says whether it helped."""
        limit = self.policy.compact_over(self.requesting.standing.window[0], 0)
        self.compactor.breaker = self.compactor.breaker.measured(usage.prompt_tokens, limit)

    def step_finished(self) -> None:
        """Hear that work went on."""
        self.compactor.breaker = self.compactor.breaker.step_finished()

    def reset(self) -> None:
        """Let automatic compaction be tried again."""
        self.compactor.breaker = self.compactor.breaker.reset()
        self._has_told_latch = False

    async def compact(self, wish: CompactionWish, target: Model | None = None, outgoing: Model | None = None) -> bool:
        """Compact now; `target` is the model that will read it, `outgoing` the one that was left."""
        async with self.lock:
            self.is_compacting = True
            try:
                run = await self._begun(wish, target, outgoing)
                if isinstance(run.plan, Plan) and self._is_shown_first(wish):
                    chosen = await self._shown_first(run, run.plan)
                    if chosen is None:
                        return False
                    run = await self._begun(chosen, target, outgoing)
                return await run.run()
            finally:
                self.is_compacting = False

    def decide(self, wish: CompactionWish | None) -> bool:
        """Answer the question; None leaves everything as it is. False if nothing is asked any more."""
        if self.question is None or self.question.answer.done():
            return False
        self.question.answer.set_result(wish)
        return True

    async def _begun(self, wish: CompactionWish, target: Model | None, outgoing: Model | None) -> CompactionRun:
        strategy = find_strategy(wish.strategy or self.policy.strategy)
        run = CompactionRun(self.compactor, wish, strategy, self.compactor.writer_model(wish, outgoing), target)
        await run.refuse_at_once()
        return run

    def _is_shown_first(self, wish: CompactionWish) -> bool:
        # What the user asks for was shown before it was asked for.
        return self.policy.always_preview and self.may_ask and wish.reason != "manual"

    async def _shown_first(self, run: CompactionRun, plan: Plan) -> CompactionWish | None:
        """What the user makes of a compaction that would have happened by itself."""
        hub, cut = self.compactor.hub, plan.cut
        self.question = Question(run.wish, run.window, asyncio.get_running_loop().create_future())
        after = guessed_after(plan, self.requesting.sizes())
        hub.publish(CompactionPlanned(cut.first_kept_id or "", plan.tokens_before, after, cut.covered_items))
        try:
            chosen = await self.compactor.interruption.guard(_answered(self.question))
        finally:
            self.question = None
        if chosen is None:
            self._was_declined = True
            hub.publish(CompactionFailed("", DECLINED, can_retry=False, suggest_new_session=False))
        return chosen

    async def _make_room_once(self, measured: ContextMeasured, outgoing: Model | None, *, starts_turn: bool) -> bool:
        """One look and, if it is called for, one deed; True if something was done."""
        match self._need(measured, starts_turn=starts_turn):
            case "nothing":
                return False
            case "prune":
                await self._prune(measured)
                return False
            case "compact":
                would_overflow = measured.tokens + self.requesting.output_tokens() > measured.limit
                judged = self.compactor.breaker.judge(
                    self.policy, self.compactor.clock(), would_overflow=would_overflow
                )
                if self.compactor.breaker.is_latched(self.policy):
                    self._tell_latch()
                if judged != "go" or self._was_declined:
                    return False
                wish = CompactionWish(reason="model_switch" if outgoing else "threshold")
                # Nobody is asked about what pruning alone may spare.
                if self._is_shown_first(wish) and await self._prune(measured):
                    return True
                try:
                    return await self.compact(wish, outgoing=outgoing)
                except UsageError:
                    # There is nothing before the cut: the newest turn is all there is.
                    return False

    async def _prune(self, measured: ContextMeasured) -> bool:
        """Layer 1 by itself; True if something was pruned."""
        async with self.lock:
            plan = await self.compactor.plan_prune(measured.tokens, measured.limit)
            if plan.items:
                await self.compactor.prune(plan)
                self.compactor.hub.publish(self.requesting.measure())
        return bool(plan.items)

    def _way_out(self, limit: int) -> str:
        overhead = self.requesting.overhead().tokens
        if overhead > limit * MOST_OVERHEAD_SHARE:
            return "Choose a model with a larger window, or shorten the project's instructions."
        newest = next((node.id for node in reversed(self.compactor.conversation.path) if node.is_prompt), None)
        if newest and overhead + self.requesting.sizes().entry(newest) > limit:
            return "The last prompt alone is too long: go back before it in the tree, and send a shorter one."
        return "Compact by hand with another strategy or cut, unpin what is pinned, or begin a new session."

    def _need(self, measured: ContextMeasured, *, starts_turn: bool) -> Need:
        sizes = self.requesting.sizes()
        return need_of(
            self.policy,
            measured.tokens,
            measured.limit,
            self.requesting.output_tokens(),
            self.requesting.overhead().tokens,
            usual_turn_tokens=usual_turn_tokens(self.compactor.conversation.fold.items, sizes) if starts_turn else 0,
            starts_turn=starts_turn,
        )

    def _tell_latch(self) -> None:
        if not self._has_told_latch:
            self._has_told_latch = True
            self.compactor.hub.publish(CompactionFailed("", LATCHED, can_retry=True, suggest_new_session=True))


async def _answered(question: Question) -> CompactionWish | None:
    return await question.answer
