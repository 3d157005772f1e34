"""Holds an answer against its source: takes it apart, makes it fit where it nearly does, and names its faults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from diligent_tui.compaction.mentions import Mention
from diligent_tui.compaction.sources import source_of
from diligent_tui.compaction.strategies.base import Job
from diligent_tui.compaction.strategies.room import Room
from diligent_tui.compaction.strategies.shortening import shorten_done, shorten_summary
from diligent_tui.compaction.summary_requests import WrittenSummary, take_apart
from diligent_tui.compaction.truncation import prefix_within
from diligent_tui.compaction.validation import Answer, Fault, FaultKind, Source, faults_of, invented_in, may_stand
from diligent_tui.domain.plain_text import clean_line

SHORTENED_AT_MOST = 2.0
"""An answer longer than so many times its budget is no summary that got a little long."""
MOST_NAMED = 3

WHY: Mapping[FaultKind, str] = MappingProxyType(
    {
        "tool_call": "The model called a tool instead of writing a summary.",
        "cut_off": "The summary was cut off before its end.",
        "refused": "The model declined to write a summary.",
        "empty": "The model wrote nothing.",
        "too_short": "The summary is too short to be one.",
        "sections_missing": "The answer does not have the sections of a summary.",
        "nothing_said": "Almost nothing stands under the summary's headings.",
        "wrong_language": "The summary is not in the language of the conversation.",
        "done_again": "The summary lists finished work as next steps.",
        "not_smaller": "The summary is hardly shorter than what it replaces.",
        "too_long": "The summary is longer than there is room for.",
    }
)
_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n(?P<text>.*?)\n```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer, taken apart and made to fit, with what is wrong with it."""

    parts: WrittenSummary
    faults: tuple[Fault, ...]
    invented: tuple[Mention, ...] = ()

    @property
    def may_stand(self) -> bool:
        """Whether it may be kept if nothing better can be had."""
        return may_stand(self.faults)

    @property
    def why(self) -> str:
        """What is wrong with it, for people."""
        return " ".join(self._sentence(fault.kind) for fault in self.faults)

    def _sentence(self, kind: FaultKind) -> str:
        if kind != "invented":
            return WHY[kind]
        names = ", ".join(clean_line(mention.text, 80) for mention in self.invented[:MOST_NAMED])
        more = f" and {len(self.invented) - MOST_NAMED} more" if len(self.invented) > MOST_NAMED else ""
        return f"The summary names what the conversation does not: {names}{more}."


@dataclass(frozen=True, slots=True)
class Check:
    """All that answers to one job are held against."""

    job: Job
    room: Room
    source: Source

    def judge(self, answer: Answer, *, is_last: bool, is_part: bool = False) -> Judged:
        """What an answer is worth; `is_last` if it will not be asked for again, `is_part` of a roll's first rounds."""
        sizes = self.job.sizes
        parts = take_apart(_unfenced(answer.text))
        prefix = prefix_within(parts.turn_prefix, self.room.prefix_tokens, sizes.tokens_of)
        parts = replace(parts, summary=self._fitted(parts.summary, is_last=is_last or is_part), turn_prefix=prefix)
        summary_tokens = sizes.text(parts.summary)
        faults = faults_of(
            replace(answer, text=parts.summary),
            replace(self.source, replaced_tokens=10**12) if is_part else self.source,
            self.job.policy,
            summary_tokens=summary_tokens,
            result_tokens=summary_tokens + self.room.beside_tokens,
            most_tokens=self.room.summary_tokens,
        )
        strange = invented_in(f"{parts.summary}\n{prefix}", self.source)
        fatal = tuple(fault for fault in faults if fault.is_fatal)
        return Judged(parts, (*fatal, *_invented(strange)), strange)

    def _fitted(self, summary: str, *, is_last: bool) -> str:
        tokens, most = self.job.sizes.text(summary), self.room.summary_tokens
        smaller_than = min(most * SHORTENED_AT_MOST, self.room.replaced_tokens)
        if tokens <= most or tokens >= smaller_than:
            return summary
        shorten = shorten_summary if is_last else shorten_done
        return shorten(summary, most, self.job.sizes.tokens_of)


def check_for(job: Job, room: Room) -> Check:
    """The check of a job; slow for a long span, so it is called in a thread."""
    source = source_of(job.plan.span, job.plan.items, job.sizes.lookup, (job.focus, job.known_text, *job.knowledge))
    source = replace(
        source,
        user_text="\n".join(words.text for words in job.facts.words),
        done_items=job.facts.done,
        replaced_tokens=room.replaced_tokens,
    )
    return Check(job, room, source)


def _unfenced(text: str) -> str:
    """The text without a fence around all of it, which some models like to put there."""
    fenced = _FENCE.match(text.strip())
    return fenced["text"] if fenced else text


def _invented(strange: tuple[Mention, ...]) -> tuple[Fault, ...]:
    if not strange:
        return ()
    names = ", ".join(f"`{mention.text[:120]}`" for mention in strange[:8])
    return (Fault("invented", f"These stand nowhere above; correct or leave them out: {names}", is_fatal=False),)
