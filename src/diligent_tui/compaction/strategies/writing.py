"""Has a model write a summary: asks down the ladder, checks each answer, retries once, and ends in extracts."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from diligent_tui.compaction.policy import summary_words
from diligent_tui.compaction.span import Span
from diligent_tui.compaction.strategies.base import Checking, Job, Rejected, Summarising, SummaryWords, Written
from diligent_tui.compaction.strategies.checking import Check, Judged, check_for
from diligent_tui.compaction.strategies.finishing import (
    MODEL_WROTE,
    Words,
    finish,
    prefix_without_model,
    with_first_words,
    words_without_model,
)
from diligent_tui.compaction.strategies.ladder import Ask, Ladder
from diligent_tui.compaction.strategies.room import Room, room_for
from diligent_tui.compaction.strategies.taking import take
from diligent_tui.compaction.summary_requests import MOST_CANDIDATES, Candidate
from diligent_tui.compaction.validation import complaint_on
from diligent_tui.domain.errors import ContextOverflow, DiligentError, StreamCut
from diligent_tui.domain.usage import Usage

TOO_LONG = "What was to be summarised did not fit the model; it is asked in a shorter way."
RUNGS: tuple[Callable[[Ladder], Ask | None], ...] = (Ladder.cached, Ladder.whole, Ladder.without_outputs)


async def write_with_model(job: Job) -> Written:
    """A summary by the job's writer, or extracts where no model can be had or believed."""
    room = await asyncio.to_thread(room_for, job)
    check = await asyncio.to_thread(check_for, job, room)
    desk = _Desk(job, room, check)
    words = await desk.words()
    written = await asyncio.to_thread(finish, job, room, words, desk.complaints)
    return replace(written, usage=desk.usage)


async def write_without_model(job: Job) -> Written:
    """Extracts in place of a summary; nobody is asked."""
    room = await asyncio.to_thread(room_for, job)
    words = await asyncio.to_thread(words_without_model, job, room)
    return await asyncio.to_thread(finish, job, room, words)


@dataclass(slots=True)
class _Desk:
    """One job at work: what was tried, what it cost, and the one retry that it has."""

    job: Job
    room: Room
    check: Check
    usage: Usage | None = None
    complaints: list[str] = field(default_factory=list[str])
    candidates: dict[Candidate, None] = field(default_factory=dict[Candidate, None])
    may_retry: bool = True

    async def words(self) -> Words:
        """What will stand for the span, in one way or another."""
        ladder = Ladder(self.job, self.room, self.job.writer.window_tokens)
        if not self.room.plan.span.entries:
            return await self._without_model()
        for rung in RUNGS:
            ask = await asyncio.to_thread(rung, ladder)
            if ask is None:
                continue
            try:
                judged = await self._written(ask)
            except ContextOverflow as error:
                self._reject(TOO_LONG)
                ladder = ladder.after(error)
                continue
            except DiligentError as error:
                self._reject(error.message)
                return await self._without_model()
            return await (self._words(judged) if judged else self._without_model())
        return await self._rolled(ladder)

    async def _rolled(self, ladder: Ladder, begun: Span | None = None, *, may_shrink: bool = True) -> Words:
        """Chunk by chunk; too long a chunk is cut smaller once, and where it all stops extracts go on."""
        roll = await asyncio.to_thread(ladder.roll, begun or self.room.plan.span)
        span = roll.span
        judged: Judged | None = None
        for place, chunk in enumerate(roll.chunks):
            is_last = place == len(roll.chunks) - 1
            rest = replace(span, entries=tuple(entry for later in roll.chunks[place:] for entry in later.entries))
            try:
                ask = ladder.chunk(span, chunk, is_last=is_last)
                judged = await self._written(replace(ask, part=place + 1, parts=len(roll.chunks)))
            except ContextOverflow as error:
                self._reject(TOO_LONG)
                if may_shrink:
                    return await self._rolled(ladder.after(error), rest, may_shrink=False)
                judged = None
            except DiligentError as error:
                self._reject(error.message)
                judged = None
            if judged is None:
                # Nothing is told yet: the span itself has its outputs still.
                return await self._without_model(rest if place or begun else None)
            span = with_first_words(span, judged.parts.summary, judged.parts.turn_prefix or span.prefix_summary)
        if judged is None:
            return await self._without_model()
        return await self._words(judged)

    async def _written(self, ask: Ask) -> Judged | None:
        """An answer that may stand, or None; its candidates are kept."""
        judged = await self._best(ask)
        if judged:
            self.candidates |= dict.fromkeys(judged.parts.candidates)
        return judged

    async def _best(self, ask: Ask) -> Judged | None:
        """The better of an answer and its retry; only one answer of a job is asked for again."""
        best: Judged | None = None
        complaint = ""
        while True:
            try:
                judged = await self._judged(ask, complaint)
            except DiligentError as error:
                if best is None and not (isinstance(error, StreamCut) and self.may_retry):
                    raise
                self._reject(error.message)
                judged = None
            if judged and (not judged.faults or (judged.may_stand and not ask.is_last)):
                return judged
            if judged and judged.may_stand and (best is None or len(judged.invented) <= len(best.invented)):
                best = judged
            if judged and (self.may_retry or not judged.may_stand):
                self._reject(judged.why)
            if not self.may_retry:
                return best
            self.may_retry = False
            complaint = complaint_on(judged.faults) if judged else ""

    async def _judged(self, ask: Ask, complaint: str) -> Judged:
        request = await asyncio.to_thread(ask.make, complaint)
        expected_words = sum(summary_words(self.job.policy, self.room.summary_tokens)) // 2
        self.job.tell(Summarising(ask.messages, expected_words, ask.part, ask.parts))
        taken = await take(self.job.writer.ask(request), self._tell_words)
        if taken.usage:
            self.usage = self.usage + taken.usage if self.usage else taken.usage
        self.job.tell(Checking())
        judge = partial(self.check.judge, taken.answer, is_last=not self.may_retry, is_part=not ask.is_last)
        return await asyncio.to_thread(judge)

    async def _without_model(self, rest: Span | None = None) -> Words:
        return await asyncio.to_thread(words_without_model, self.job, self.room, rest)

    async def _words(self, judged: Judged) -> Words:
        parts = judged.parts
        prefix = parts.turn_prefix or await asyncio.to_thread(prefix_without_model, self.job, self.room)
        wanted = tuple(self.candidates)[-MOST_CANDIDATES:] if self.job.asks_candidates else ()
        return Words(parts.summary, prefix, MODEL_WROTE, wanted, judged.invented)

    def _tell_words(self, text: str) -> None:
        self.job.tell(SummaryWords(text))

    def _reject(self, why: str) -> None:
        self.complaints.append(why)
        self.job.tell(Rejected(why))
