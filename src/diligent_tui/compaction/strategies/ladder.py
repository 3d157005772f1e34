"""The ways to ask for a summary, from the cheapest to the one that always fits: each rung is tried if it may fit.

The conversation's cached prefix; a transcript; a transcript without long outputs; the same in chunks, each of which
brings the summary of those before it up to date. Below the last rung there is only truncation.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from diligent_tui.compaction.ledgers import bytes_within
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.span import Span, chunks_of, without_outputs
from diligent_tui.compaction.strategies.base import Job, Writer
from diligent_tui.compaction.strategies.finishing import LONGEST_FOCUS_CHARS, with_first_words
from diligent_tui.compaction.strategies.room import Room
from diligent_tui.compaction.strategies.shortening import shorten_summary
from diligent_tui.compaction.summariser import LEAST_BYTES_PER_TOKEN
from diligent_tui.compaction.summary_requests import (
    Task,
    cached_request,
    instruction_for,
    transcript_bytes,
    transcript_request,
)
from diligent_tui.compaction.transcript import shorten, write_transcript
from diligent_tui.compaction.truncation import truncated_summary
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, RequestMessage, Text, UserTurn
from diligent_tui.domain.thinking import ThinkingLevel

SHORT_OUTPUT_CHARS = 400
MOST_CHUNKS = 8
"""What is older than so many chunks goes into the roll as extracts: a long history must not cost without end."""
CANDIDATES_TOKENS = 400
FEWEST_OUTPUT_TOKENS = 512
SHRINK_AFTER_OVERFLOW = 0.6
LEAST_THINKING_TOKENS = 1_024
UNLIMITED_BYTES = 1 << 50

THINKING_TOKENS: Mapping[ThinkingLevel, int] = MappingProxyType(
    {"off": 0, "low": 2_048, "medium": 4_096, "high": 8_192, "max": 16_384}
)
"""What a model may think on top of the summary; it does not have to."""

Make = Callable[[str], Request]
"""From a complaint, empty at first, to the request."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One summary to ask for: how, of how many messages, and what it is to tell."""

    make: Make
    messages: int
    span: Span
    cuts_turn: bool
    is_last: bool = True
    part: int = 1
    """Where it is one of several `parts` of a span."""
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a span that fits a request, and whether it reaches into the turn that is cut."""

    entries: tuple[Entry, ...]
    cuts_turn: bool


@dataclass(frozen=True, slots=True)
class Roll:
    """Chunks of a span that does not fit one request, oldest first, and what is told before the first of them."""

    span: Span
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """All rungs for one job; what was learnt of the window makes a new one."""

    job: Job
    room: Room
    window_tokens: int

    @property
    def policy(self) -> CompactionPolicy:
        """The policy with an output cap that fits the budget: more would be refused anyway."""
        wanted = 2 * (self.room.summary_tokens + self.room.prefix_tokens) + CANDIDATES_TOKENS
        cap = min(self.job.policy.summary_output_tokens, max(FEWEST_OUTPUT_TOKENS, wanted))
        return replace(self.job.policy, summary_output_tokens=cap)

    def after(self, error: ContextOverflow) -> "Ladder":
        """The ladder once a request was too long: the window as the provider says, or smaller than we thought."""
        told = error.limit if error.limit and error.limit < self.window_tokens else None
        return replace(self, window_tokens=told or int(self.window_tokens * SHRINK_AFTER_OVERFLOW))

    def cached(self) -> Ask | None:
        """On the conversation's own prefix; None where there is none, it does not fit, or something is left out."""
        writer, plan = self.job.writer, self.room.plan
        # What the user left out stands in the prefix, so whoever may not be told of it cannot be asked there.
        if writer.conversation is None or not writer.covered or plan.excluded:
            return None
        conversation, covered = writer.conversation, _as_sent(writer)
        span, cuts_turn = plan.span, bool(plan.cut.prompt_id)
        wanted = _thinking(conversation.model, conversation.thinking)
        left = self.window_tokens - self._cached_tokens() - self._cap(conversation.model)
        if left < min(wanted, LEAST_THINKING_TOKENS):
            return None
        thinking = max(0, min(wanted, left, conversation.max_output_tokens - self._cap(conversation.model)))

        def make(complaint: str) -> Request:
            task = self._task(complaint, is_update=span.previous is not None, cuts_turn=cuts_turn)
            return cached_request(conversation, covered, task, self.policy, thinking)

        return Ask(make, plan.cut.covered_items, span, cuts_turn)

    def _cached_tokens(self) -> int:
        """The size of a request on the cached prefix, without its answer."""
        plan, sizes = self.room.plan, self.job.sizes
        kept_prompt = sizes.entry(plan.cut.prompt_id) if plan.cut.prompt_id else 0
        wish = instruction_for(self._task("", is_update=True, cuts_turn=True), self.policy)
        return plan.overhead_tokens + plan.cut.covered_tokens + kept_prompt + sizes.text(wish)

    def whole(self) -> Ask | None:
        """All in one transcript; None if it would not fit without losing its middle."""
        return self._if_it_fits(self._told(self.room.plan.span))

    def without_outputs(self) -> Ask | None:
        """All but the long outputs in one transcript; None if that does not fit either."""
        span = self._told(self.room.plan.span)
        return self._if_it_fits(replace(span, entries=without_outputs(span.entries, SHORT_OUTPUT_CHARS)))

    def roll(self, span: Span) -> Roll:
        """A span in chunks; what is too old for any of them is told by extracts."""
        span = self._told(span)
        reserve_bytes = bytes_within(self.room.summary_tokens + self.room.prefix_tokens, self.job.sizes.tokens_of)
        room_bytes = self._transcript_bytes(Span(())) - reserve_bytes
        chunks = chunks_of(without_outputs(span.entries, SHORT_OUTPUT_CHARS), max(1_000, room_bytes))
        if len(chunks) > MOST_CHUNKS:
            older = [entry for chunk in chunks[:-MOST_CHUNKS] for entry in chunk]
            chunks = chunks[-MOST_CHUNKS:]
            summary = truncated_summary(
                older, span.previous_summary, self.room.summary_tokens, self.job.sizes.tokens_of, self.job.focus
            )
            span = with_first_words(span, summary, "")
        return Roll(span, tuple(self._chunks(chunks)))

    def chunk(self, told: Span, chunk: Chunk, *, is_last: bool) -> Ask:
        """One chunk of a roll, with what is told so far as the previous summary."""
        return self._transcript(replace(told, entries=chunk.entries), cuts_turn=chunk.cuts_turn, is_last=is_last)

    def _chunks(self, chunks: Sequence[tuple[Entry, ...]]) -> Iterator[Chunk]:
        prompt_id = self.room.plan.cut.prompt_id
        # A prompt that is in none of them is older than all of them.
        is_inside = prompt_id is not None and not any(entry.id == prompt_id for chunk in chunks for entry in chunk)
        for entries in chunks:
            is_inside = is_inside or any(entry.id == prompt_id for entry in entries)
            yield Chunk(entries, is_inside)

    def _transcript(self, span: Span, *, cuts_turn: bool, is_last: bool = True) -> Ask:
        model = self.job.writer.model
        thinking = _thinking(model, "off")

        def make(complaint: str) -> Request:
            task = self._task(complaint, is_update=bool(span.previous_summary), cuts_turn=cuts_turn)
            request = transcript_request(span, model, max(1, self.window_tokens - thinking), task, self.policy)
            return replace(request, max_output_tokens=request.max_output_tokens + thinking)

        return Ask(make, len(span.entries), span, cuts_turn, is_last)

    def _if_it_fits(self, span: Span) -> Ask | None:
        if utf8_size(write_transcript(span.entries, UNLIMITED_BYTES)) > self._transcript_bytes(span):
            return None
        return self._transcript(span, cuts_turn=bool(self.room.plan.cut.prompt_id))

    def _transcript_bytes(self, span: Span) -> int:
        model = self.job.writer.model
        return transcript_bytes(span, model, self.window_tokens - _thinking(model, "off"), self.policy)

    def _told(self, span: Span) -> Span:
        """The span with a previous summary no longer than may be sent: the user may have made it any length."""
        most_tokens = self.window_tokens // 4
        tokens_of = _pessimistic
        if span.previous is None or tokens_of(utf8_size(span.previous_summary)) <= most_tokens:
            return span
        summary = shorten_summary(span.previous.summary, most_tokens, tokens_of)
        return replace(span, previous=span.previous.model_copy(update={"summary": summary}))

    def _task(self, complaint: str, *, is_update: bool, cuts_turn: bool) -> Task:
        return Task(
            summary_tokens=self.room.summary_tokens,
            is_update=is_update,
            cuts_turn=cuts_turn,
            asks_candidates=self.job.asks_candidates,
            focus=shorten(self.job.focus, LONGEST_FOCUS_CHARS),
            complaint=complaint,
        )

    def _cap(self, model: Model) -> int:
        most = self.policy.summary_output_tokens
        return min(model.max_output_tokens or most, most)


def _thinking(model: Model, level: ThinkingLevel) -> int:
    if level == "off" and model.thinking_levels and "off" not in model.thinking_levels:
        level = "medium"
    return THINKING_TOKENS[level]


def _pessimistic(size_bytes: int) -> int:
    return -(-size_bytes // LEAST_BYTES_PER_TOKEN)


def _as_sent(writer: Writer) -> Sequence[RequestMessage]:
    """The covered messages as the conversation sent them: words that only end them as a request are taken off.

    A request must end with the user, so one that is built of half a conversation may end with words that nobody said.
    """
    *earlier, last = writer.covered
    sent = writer.conversation.messages if writer.conversation else ()
    place = len(earlier)
    if not isinstance(last, UserTurn) or place >= len(sent):
        return writer.covered
    parts = list(last.parts)
    while parts and isinstance(parts[-1], Text) and parts[-1] not in sent[place].parts:
        parts.pop()
    return (*earlier, UserTurn(tuple(parts))) if parts else tuple(earlier)
