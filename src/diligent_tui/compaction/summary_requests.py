"""The requests by which a summary is asked for, and the sections taken out of the answer again.

Two ways: on the conversation's own cached prefix, or as a transcript for any other model. On the cached prefix system
prompt, tools, thinking and earlier messages stay byte for byte as the conversation sent them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from diligent_tui.compaction.policy import CompactionPolicy, summary_words
from diligent_tui.compaction.sections import CANDIDATES, TURN_SO_FAR, take_section
from diligent_tui.compaction.span import Span
from diligent_tui.compaction.summariser import LEAST_BYTES_PER_TOKEN, SUMMARY_OUTPUT_TOKENS, instructions
from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeType
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, RequestMessage, Text, UserTurn

FRAME_TOKENS = 3_000
"""Instructions, previous summary's frame and what a provider adds; left free beside the transcript."""
MOST_CANDIDATES = 5
LONGEST_CANDIDATE_CHARS = 500

_CANDIDATE = re.compile(
    r"\s*(?:[-*•]|\d{1,2}[.)])\s*[(\[*`]*(?P<type>[a-zA-Z]+)[)\]*`]*\s*[:–-]?\s+(?P<text>\S.*)", re.DOTALL
)
_SOURCE_IDS = re.compile(r"\s*\[(?P<ids>[0-9a-f]{8}(?:[,\s]+[0-9a-f]{8})*)\]\s*\.?\Z")


@dataclass(frozen=True, slots=True)
class Task:
    """What a summary is asked to be."""

    summary_tokens: int
    is_update: bool = False
    cuts_turn: bool = False
    asks_candidates: bool = True
    focus: str = ""
    complaint: str = ""
    """What was wrong with the first try."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that a summary proposes to keep across sessions, and the entries it names as its source."""

    type: KnowledgeType
    content: str
    entry_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """An answer taken apart: the summary itself, what it says of a cut turn, and what it proposes to know."""

    summary: str
    turn_prefix: str = ""
    candidates: tuple[Candidate, ...] = ()


def instruction_for(task: Task, policy: CompactionPolicy) -> str:
    """The words that ask for a summary."""
    fewest, most = summary_words(policy, task.summary_tokens)
    parts = [instructions("update" if task.is_update else "summary"), f"Write {fewest:,} to {most:,} words."]
    if task.focus.strip():
        parts.append(f"The user asks you to look above all at this: {task.focus.strip()}")
    if task.cuts_turn:
        parts.append(instructions("turn_prefix"))
    if task.asks_candidates:
        parts.append(instructions("candidates"))
    if task.complaint:
        parts.append(task.complaint)
    return "\n\n".join(parts)


def cached_request(
    conversation: Request,
    covered: Sequence[RequestMessage],
    task: Task,
    policy: CompactionPolicy,
    thinking_tokens: int = 0,
) -> Request:
    """Ask the conversation's own model: its request up to the cut, and the instruction at the tail.

    `covered` are the messages of the items before the cut, built like any request's, so that they are a prefix of what
    was sent before.
    """
    wish = Text(instruction_for(task, policy))
    *earlier, last = covered or (UserTurn(()),)
    messages = (
        (*earlier, replace(last, parts=(*last.parts, wish)))
        if isinstance(last, UserTurn)
        else (*earlier, last, UserTurn((wish,)))
    )
    return replace(
        conversation,
        messages=messages,
        max_output_tokens=_output_tokens(conversation.model, policy) + thinking_tokens,
        purpose="summary",
    )


def transcript_request(span: Span, model: Model, window_tokens: int, task: Task, policy: CompactionPolicy) -> Request:
    """Ask any model: the span as one text, the previous summary apart from it."""
    previous = f"<previous-summary>\n{span.previous_summary}\n</previous-summary>\n\n" if span.previous_summary else ""
    transcript = write_transcript(span.entries, transcript_bytes(span, model, window_tokens, policy))
    words = f"{previous}<transcript>\n{transcript}\n</transcript>\n\n{instruction_for(task, policy)}"
    return Request(
        model=model,
        system=instructions("writer"),
        tools=(),
        messages=(UserTurn((Text(words),)),),
        max_output_tokens=_output_tokens(model, policy),
        purpose="summary",
    )


def transcript_bytes(span: Span, model: Model, window_tokens: int, policy: CompactionPolicy) -> int:
    """How long a transcript may be beside instructions, previous summary and answer."""
    taken_bytes = len(span.previous_summary.encode("utf-8", "replace"))
    room_tokens = window_tokens - _output_tokens(model, policy) - min(FRAME_TOKENS, window_tokens // 4)
    return max(1_000, room_tokens * LEAST_BYTES_PER_TOKEN - taken_bytes)


def take_apart(answer: str) -> WrittenSummary:
    """The parts of an answer; sections that were not asked for are taken out all the same."""
    summary, candidates = candidates_in(answer)
    summary, prefix = take_section(summary, TURN_SO_FAR)
    return WrittenSummary(summary, "\n".join(prefix).strip(), candidates)


def candidates_in(answer: str) -> tuple[str, tuple[Candidate, ...]]:
    """A summary without its last section, and the knowledge that this proposes."""
    summary, lines = take_section(answer, CANDIDATES)
    found = [candidate for line in lines if (candidate := _candidate(line))]
    return summary, tuple(dict.fromkeys(found))[:MOST_CANDIDATES]


def _candidate(line: str) -> Candidate | None:
    said = _CANDIDATE.fullmatch(line.strip())
    if not said:
        return None
    source = _SOURCE_IDS.search(said["text"])
    content = said["text"][: source.start() if source else None].strip()
    ids = tuple(re.split(r"[,\s]+", source["ids"])) if source else ()
    for known in KNOWLEDGE_TYPES:
        if said["type"].lower() == known and 0 < len(content) <= LONGEST_CANDIDATE_CHARS:
            return Candidate(known, content, ids)
    return None


def _output_tokens(model: Model, policy: CompactionPolicy) -> int:
    most = min(policy.summary_output_tokens, SUMMARY_OUTPUT_TOKENS)
    return min(model.max_output_tokens or most, most)
