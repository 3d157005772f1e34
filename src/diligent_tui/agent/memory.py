"""The verbs of memory: compact, preview, undo, redo, edit, pin, and what there is to see of it.

Everything here is a lens over the log: one appended line that changes how the path becomes context, and that another
line takes back. What keeps the context within the window by itself is `room`.
"""

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from itertools import takewhile

from diligent_tui.agent.compactor import Compactor
from diligent_tui.agent.context_view import context_view
from diligent_tui.agent.interruption import Interrupted
from diligent_tui.agent.measure import overhead_of
from diligent_tui.agent.recalling import Recalling
from diligent_tui.agent.requesting import Requesting
from diligent_tui.agent.room import Question, Room
from diligent_tui.compaction.breaker import Breaker
from diligent_tui.compaction.coverage import CoverageReport
from diligent_tui.compaction.fitting import Refusal, entry_ids
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.previews import preview_of
from diligent_tui.compaction.sources import report_on, source_of, told_in
from diligent_tui.compaction.span import span_of
from diligent_tui.compaction.strategies.base import Progress, SummaryWords, Written
from diligent_tui.compaction.strategies.registry import find_strategy
from diligent_tui.compaction.validation import invented_in
from diligent_tui.compaction.versions import before_compaction, lenses_on, redo_target, tried_out, versions_of
from diligent_tui.compaction.views import CompactionWish, ContextView, Preview, Version
from diligent_tui.domain.entries import CompactionEntry, CompactionRevertEntry, PinEntry, UnpinEntry
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import (
    CompactionReverted,
    ContextMeasured,
    Pinned,
    SummaryEdited,
    Unpinned,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.progress import Tell, part_of, tell_nobody
from diligent_tui.session.effective import Effective, EffectiveFold, Fate, Lookup, fates
from diligent_tui.session.recall import Hit

Occupy = Callable[[Coroutine[object, object, bool]], Awaitable[bool]]
"""Runs work in the place of a turn: what is sent meanwhile is queued. Raises UsageError while a turn goes on."""


class DoesNotFit(UsageError):
    """A context that would be restored is larger than the window."""

    def __init__(self, over_tokens: int) -> None:
        """Say by how much."""
        super().__init__(
            f"What was there before would be {over_tokens:,} tokens too long for the window now.",
            "Choose a tighter cut instead, or a model with a larger window.",
        )
        self.over_tokens = over_tokens


@dataclass(slots=True)
class Memory:
    """What a session remembers of itself, and how; one lock, so that two changes of it never meet."""

    room: Room
    occupy: Occupy
    is_running: Callable[[], bool]
    must_know: Callable[[str], None]
    """Refuses an entry that this session does not have."""
    recalling: Recalling

    @property
    def compactor(self) -> Compactor:
        """What carries a compaction out."""
        return self.room.compactor

    @property
    def requesting(self) -> Requesting:
        """What makes the requests."""
        return self.room.compactor.requesting

    @property
    def policy(self) -> CompactionPolicy:
        """The figures it goes by."""
        return self.compactor.policy

    @property
    def is_compacting(self) -> bool:
        """True while a compaction is at work."""
        return self.room.is_compacting

    @property
    def is_due(self) -> bool:
        """Whether another prompt would probably be compacted first."""
        return self.room.is_due

    def reset(self) -> None:
        """Let automatic compaction be tried again."""
        self.room.reset()

    async def compact(self, wish: CompactionWish) -> bool:
        """Compact now, or before the next step of the running turn; True once the context is smaller.

        Raises UsageError if there is nothing to compact; what fails later is told by an event.
        """
        find_strategy(wish.strategy or self.policy.strategy)
        if self.is_running():
            self.room.wished = wish
            return False
        self.reset()
        return await self._in_place_of_a_turn(self.room.compact(wish))

    async def compact_for(self, model: Model) -> bool:
        """Compact with the model in force so that the talk fits another; True if it fits now."""
        if not self.exceeds(model):
            return True
        return await self._in_place_of_a_turn(self.room.compact(CompactionWish(reason="model_switch"), model))

    def exceeds(self, model: Model) -> bool:
        """Whether the context is too long for another model."""
        window = self.requesting.standing.windows.of(model)[0]
        limit = self.policy.compact_over(window, self.requesting.output_tokens(model))
        return self.requesting.measure().tokens > limit

    def preview(self, wish: CompactionWish, pins: Collection[str] = ()) -> Preview | Refusal:
        """What a compaction would do; `pins` are entries that would be pinned first."""
        items = self._fold.items
        if wish.restores and (cut := self._fold.cut) is not None:
            items = tried_out(self._fold.path, self._lookup, CompactionRevertEntry(target_id=cut.compaction.id)).items
        return preview_of(
            items,
            self.requesting.sizes(),
            self.policy,
            self.room.question.window_tokens if self.room.question else self.requesting.standing.window[0],
            self.requesting.overhead().tokens,
            wish,
            self.compactor.pinned | frozenset(pins),
        )

    @property
    def question(self) -> Question | None:
        """A compaction that waits until the user has seen what it would do."""
        return self.room.question

    def decide(self, wish: CompactionWish | None) -> bool:
        """Let it happen like that, or not at all; False if nothing is asked any more."""
        return self.room.decide(wish)

    async def undo(self) -> None:
        """Take the active compaction back, with all its versions; the one before it holds again."""
        async with self.room.lock:
            cut = self._fold.cut
            if cut is None:
                raise UsageError("There is no compaction to undo.", "/compact makes one.")
            revert = CompactionRevertEntry(target_id=cut.compaction.id)
            self._must_fit(revert)
            await self.compactor.conversation.add(revert)
            self._tell(CompactionReverted(cut.compaction.id, redone=False))

    async def redo(self) -> None:
        """Take the last undo back."""
        async with self.room.lock:
            target = redo_target(lenses_on(self._fold.path, self._lookup))
            if target is None:
                raise UsageError("There is nothing to redo.", "Undo a compaction first.")
            revert = CompactionRevertEntry(target_id=target.id)
            self._must_fit(revert)
            await self.compactor.conversation.add(revert)
            self._tell(CompactionReverted(target.target_id, redone=True))

    async def edit_summary(self, summary: str, ledger: str | None = None) -> CompactionEntry:
        """Put the user's own words in the place of the active summary; the old ones stay in the log."""
        if not summary.strip():
            raise UsageError("A summary cannot be empty.", "Undo the compaction instead.")
        async with self.room.lock:
            active = self._active()
            changed = active.model_copy(
                update={
                    "summary": summary,
                    "ledger": active.ledger if ledger is None else ledger,
                    "supersedes": active.id,
                    "reason": "edit",
                    "coverage": None,
                }
            )
            return await self._save_version(changed)

    async def draft(self, wish: CompactionWish, tell: Callable[[str], None]) -> Written:
        """Write another summary of what the active compaction covers; nothing is saved until it is chosen."""
        drafts: list[Written] = []

        def hear(progress: Progress) -> None:
            if isinstance(progress, SummaryWords):
                tell(progress.text)

        async def work() -> bool:
            async with self.room.lock:
                drafts.append(await self.compactor.draft(wish, self._active(), hear))
            return True

        await self.occupy(work())
        return drafts[0]

    async def choose(self, written: Written) -> CompactionEntry:
        """Let a draft hold."""
        async with self.room.lock:
            if written.entry.supersedes != self._active().id:
                raise UsageError("The summary changed meanwhile.", "Write it again.")
            return await self._save_version(written.entry)

    def versions(self) -> tuple[Version, ...]:
        """Every compaction of this path, oldest first."""
        return versions_of(self._fold.path, self._lookup)

    def coverage(self, compaction_id: str, tell: Tell = tell_nobody) -> CoverageReport:
        """What became of each fact that a compaction covers; slow for a long span, so it is called in a thread."""
        # What is read here is read once: it would only drive out of memory what the screen shows.
        lookup = self.compactor.conversation.store.read
        compaction = lookup(compaction_id)
        if not isinstance(compaction, CompactionEntry):
            raise UsageError(f"{compaction_id} is no compaction.", "Pick one from the list.")
        items = before_compaction(tuple(self._fold.path), lookup, compaction_id).items
        kept = compaction.first_kept_entry_id
        covered = takewhile(lambda item: kept not in entry_ids((item,)), items)
        span = span_of(tuple(covered), lookup, compaction.excluded, part_of(tell, 0, 2))
        knowledge = self.compactor.known_facts()
        known = (compaction.focus or "", compaction.ledger, self.requesting.system_prompt(), *knowledge)
        strange = invented_in(told_in(compaction), source_of(span, items, lookup, known))
        return report_on(compaction, span, knowledge, strange, part_of(tell, 1, 2))

    def fates(self) -> Mapping[str, Fate]:
        """What became of each entry of the path."""
        return fates(self._fold.path, Effective(tuple(self._fold.items), self._fold.cut))

    def context(self) -> ContextView:
        """The exact next request; slow for a long one, so it is called in a thread."""
        requesting = self.requesting
        return context_view(
            requesting.next(),
            self._fold.items,
            requesting.sizes(),
            requesting.measure(),
            waits_for_prompt=not self.is_running(),
        )

    def context_at(self, entry_id: str | None) -> ContextView:
        """The request that would be sent from an entry; slow, so it is called in a thread."""
        requesting = self.requesting
        request, items = requesting.at(entry_id)
        sizes = requesting.sizes()
        overhead = overhead_of(request.system, request.tools, sizes.tokens_of)
        limit, is_assumed = requesting.standing.windows.of(request.model)
        tokens = overhead.tokens + sum(sizes.items(items))
        measured = ContextMeasured(tokens, limit, is_assumed, estimated=True, parts=())
        return context_view(request, items, sizes, measured, waits_for_prompt=True)

    async def search(self, words: str, tell: Tell = tell_nobody) -> tuple[Hit, ...]:
        """Everything that was ever said in this session and fits some words, the best first."""
        return await self.recalling.for_user(words, tell)

    async def pin(self, entry_id: str) -> None:
        """Keep an entry in the context whatever happens; refused if too much is pinned already."""
        self.must_know(entry_id)
        sizes = self.requesting.sizes()
        window, overhead = self.requesting.standing.window[0], self.requesting.overhead().tokens
        most = self.policy.pins_tokens(window, overhead)
        pinned = sum(sizes.quote(pin) for pin in self.compactor.pinned | {entry_id})
        if pinned > most:
            raise UsageError(
                f"That would make {pinned:,} tokens of pinned text; {most:,} fit in this window.",
                "Unpin something first, or ask for a summary of it and pin that.",
            )
        await self.compactor.conversation.add(PinEntry(target_id=entry_id))
        self.compactor.hub.publish(Pinned(entry_id))
        self.compactor.hub.publish(self.requesting.measure())

    async def unpin(self, entry_id: str) -> None:
        """Let an entry leave the context again."""
        self.must_know(entry_id)
        await self.compactor.conversation.add(UnpinEntry(target_id=entry_id))
        self.compactor.hub.publish(Unpinned(entry_id))
        self.compactor.hub.publish(self.requesting.measure())

    @property
    def pinned(self) -> frozenset[str]:
        """What is pinned on this path."""
        return self.compactor.pinned

    @property
    def breaker(self) -> Breaker:
        """What is remembered of how compacting went."""
        return self.compactor.breaker

    async def _save_version(self, entry: CompactionEntry) -> CompactionEntry:
        sizes, active = self.requesting.sizes(), self._active()
        before = sizes.text(active.summary) + sizes.text(active.ledger)
        grown = sizes.text(entry.summary) + sizes.text(entry.ledger) - before
        window = self.requesting.standing.window[0]
        if (over := self.requesting.measure().tokens + grown - window) > 0:
            raise UsageError(f"This text is {over:,} tokens too long for the window.", "Shorten it.")
        after = None if active.tokens_after is None else active.tokens_after + grown
        update = {"tokens_before": active.tokens_before, "tokens_after": after, "messages": active.messages}
        saved = await self.compactor.conversation.add(entry.model_copy(update=update))
        self._tell(SummaryEdited(saved.id, active.id))
        return saved

    def _must_fit(self, revert: CompactionRevertEntry) -> None:
        items = tried_out(self._fold.path, self._lookup, revert).items
        tokens = sum(self.requesting.sizes().items(items)) + self.requesting.overhead().tokens
        over = tokens - self.requesting.standing.window[0]
        if over > 0:
            raise DoesNotFit(over)

    def _active(self) -> CompactionEntry:
        if (cut := self._fold.cut) is None:
            raise UsageError("There is no summary yet.", "/compact makes one.")
        return cut.compaction

    def _tell(self, event: CompactionReverted | SummaryEdited) -> None:
        self.compactor.hub.publish(event)
        self.compactor.hub.publish(self.requesting.measure())

    async def _in_place_of_a_turn(self, work: Coroutine[object, object, bool]) -> bool:
        """Do it while what is sent is queued; False if the user stopped it."""
        try:
            return await self.occupy(work)
        except Interrupted:
            return False

    @property
    def _fold(self) -> EffectiveFold:
        return self.compactor.conversation.fold

    @property
    def _lookup(self) -> Lookup:
        return self.compactor.conversation.store.entry
