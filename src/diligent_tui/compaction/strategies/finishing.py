"""Turns words into a compaction that can be saved: entry, coverage report, and the proof that it frees enough."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diligent_tui.compaction.facts import Facts
from diligent_tui.compaction.mentions import Mention
from diligent_tui.compaction.planning import compaction_entry, shrinks
from diligent_tui.compaction.sources import report_on
from diligent_tui.compaction.span import Span
from diligent_tui.compaction.strategies.base import Job, NotWorthIt, Written
from diligent_tui.compaction.strategies.room import Room
from diligent_tui.compaction.strategies.shortening import shorten_summary
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.compaction.transcript import shorten
from diligent_tui.compaction.truncation import truncated_prefix, truncated_summary
from diligent_tui.domain.entries import CompactionEntry, Entry

MODEL_WROTE = "summarize"
NO_MODEL_WROTE = "truncate"
LONGEST_FOCUS_CHARS = 2_000
LONGEST_PATH_CHARS = 1_024
"""No file system has longer ones; a model may write them all the same."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is to stand for the span, and who wrote it."""

    summary: str
    turn_prefix: str
    strategy: str
    candidates: tuple[Candidate, ...] = ()
    invented: tuple[Mention, ...] = ()


def finish(job: Job, room: Room, words: Words, complaints: Sequence[str] = ()) -> Written:
    """The compaction with these words; raises NotWorthIt if it frees too little. Slow for a long span."""
    entry = compaction_entry(
        room.plan,
        _with_real_paths(job.facts),
        job.sizes,
        job.policy,
        words.summary,
        words.turn_prefix,
        strategy=words.strategy,
        reason=job.reason,
        focus=shorten(job.focus, LONGEST_FOCUS_CHARS),
        anchor_id=job.anchor_id,
    )
    if not shrinks(room.plan, entry, job.policy):
        raise NotWorthIt(f"The compaction would free hardly anything of {room.replaced_tokens:,} tokens.")
    coverage = report_on(entry, room.plan.span, job.knowledge, words.invented)
    entry = entry.model_copy(update={"coverage": coverage.counts()})
    return Written(entry, coverage, words.candidates, complaints=tuple(complaints))


def _with_real_paths(facts: Facts) -> Facts:
    changed = tuple(path for path in facts.changed if len(path) <= LONGEST_PATH_CHARS)
    return replace(facts, changed=changed, read=tuple(path for path in facts.read if len(path) <= LONGEST_PATH_CHARS))


def words_without_model(job: Job, room: Room, rest: Span | None = None) -> Words:
    """Extracts in place of a summary; `rest` is what is still untold, after a summary that tells the beginning."""
    span = rest or room.plan.span
    tokens_of = job.sizes.tokens_of
    summary = truncated_summary(span.entries, span.previous_summary, room.summary_tokens, tokens_of, job.focus)
    return Words(
        shorten_summary(summary, room.summary_tokens, tokens_of),
        prefix_without_model(job, room),
        NO_MODEL_WROTE,
    )


def prefix_without_model(job: Job, room: Room) -> str:
    """What the cut turn did before the cut, in extracts; empty if no turn is cut."""
    cut, span = room.plan.cut, room.plan.span
    if not cut.prompt_id:
        return ""
    entries = turn_entries(span.entries, cut.prompt_id)
    # A turn that was cut before begins the span, and what was told of its beginning is told on.
    is_cut_again = bool(span.entries) and span.entries[0].id == cut.prompt_id
    earlier_tokens = room.prefix_tokens // 2 if is_cut_again and span.prefix_summary else 0
    newer = truncated_prefix(entries, room.prefix_tokens - earlier_tokens, job.sizes.tokens_of)
    earlier = shorten_summary(span.prefix_summary, earlier_tokens, job.sizes.tokens_of) if earlier_tokens else ""
    return "\n".join(part for part in (earlier, newer) if part)


def turn_entries(entries: Sequence[Entry], prompt_id: str) -> tuple[Entry, ...]:
    """The entries behind a prompt; all of them if the prompt was left out."""
    place = next((place for place, entry in enumerate(entries) if entry.id == prompt_id), -1)
    return tuple(entries[place + 1 :])


def with_first_words(span: Span, summary: str, turn_prefix: str) -> Span:
    """A span after which a summary tells what came so far."""
    previous = span.previous or CompactionEntry(summary="", first_kept_entry_id="")
    told = previous.model_copy(update={"summary": summary})
    return replace(span, previous=told, prefix_summary=turn_prefix)
