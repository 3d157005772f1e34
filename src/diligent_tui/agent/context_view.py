"""A request as people look at it: each piece with its kind, its size and the entry it comes from."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from diligent_tui.agent.measure import split_system, tools_bytes
from diligent_tui.agent.requests import CONTINUE, PINNED_INTRO, trace_messages
from diligent_tui.compaction.sizes import IMAGE_TOKENS, KINDS, Kind, Sizes
from diligent_tui.compaction.views import ContextPart, ContextView
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.events import ContextMeasured
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Image,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserPart,
)
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.effective import CutTurn, Digested, Item, SummaryPair

SUBJECT_CHARS = 60
NEXT_PROMPT = ContextPart("turns", "your next prompt", "", 0)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is needed to name the pieces of the messages."""

    sizes: Sizes
    notes: Mapping[str, str]
    subjects: dict[str, str]


def context_view(
    request: Request,
    items: Sequence[Item],
    sizes: Sizes,
    measured: ContextMeasured,
    *,
    waits_for_prompt: bool = False,
) -> ContextView:
    """All of a request, in the order in which the model reads it; between turns its last words are still to come."""
    shown = _Shown(sizes, _notes(items), {})
    parts = [*_head(request, sizes), *_messages(request, items, shown)]
    if waits_for_prompt and parts[-1].text == CONTINUE:
        parts[-1] = NEXT_PROMPT
    return ContextView(
        model_id=request.model.id,
        parts=tuple(parts),
        breakdown=_by_kind(parts),
        tokens=measured.tokens,
        limit_tokens=measured.limit,
        limit_assumed=measured.limit_assumed,
        estimated=measured.estimated,
    )


def _by_kind(parts: Sequence[ContextPart]) -> tuple[tuple[Kind, int], ...]:
    """The sums of the parts themselves: whoever adds them up finds what is told of each kind."""
    sums = dict.fromkeys(KINDS, 0)
    for part in parts:
        sums[part.kind] += part.tokens
    return tuple(sums.items())


def _head(request: Request, sizes: Sizes) -> Iterator[ContextPart]:
    prompt, knowledge = split_system(request.system)
    yield ContextPart("system", "system prompt", prompt, sizes.text(prompt))
    if knowledge:
        yield ContextPart("knowledge", "project knowledge", knowledge, sizes.text(knowledge))
    for tool in request.tools:
        words = f"{tool.description}\n\n{json.dumps(tool.input_schema, ensure_ascii=False, indent=1)}"
        yield ContextPart("tools", tool.name, words, sizes.tokens_of(tools_bytes((tool,))))


def _messages(request: Request, items: Sequence[Item], shown: _Shown) -> Iterator[ContextPart]:
    summary_ids = {item.compaction_id for item in items if isinstance(item, SummaryPair)}
    for traced in trace_messages(items, shown.sizes.lookup, request.model):
        is_answer = isinstance(traced.message, AssistantTurn)
        for part, source in zip(traced.message.parts, traced.sources, strict=True):
            if source in summary_ids:
                yield from _summary_part(part, source, is_answer=is_answer, shown=shown)
            else:
                yield _part(part, source, is_answer=is_answer, shown=shown)


def _summary_part(
    part: UserPart | AssistantPart, source: str, *, is_answer: bool, shown: _Shown
) -> Iterator[ContextPart]:
    words = part.text if isinstance(part, Text) else ""
    compaction = shown.sizes.lookup(source)
    if not is_answer or not isinstance(compaction, CompactionEntry):
        question, intro, quotes = words.partition(PINNED_INTRO)
        yield ContextPart("summary", "question", question.strip(), shown.sizes.text(question), source)
        if pins := f"{intro}{quotes}":
            yield ContextPart("pins", "pins", pins, shown.sizes.text(pins), source)
        return
    yield ContextPart("summary", "summary", compaction.summary, shown.sizes.text(compaction.summary), source)
    if compaction.ledger.strip():
        yield ContextPart("ledgers", "ledger", compaction.ledger, shown.sizes.text(compaction.ledger), source)


def _part(part: UserPart | AssistantPart, source: str, *, is_answer: bool, shown: _Shown) -> ContextPart:
    note = shown.notes.get(source, "")
    sizes = shown.sizes
    match part:
        case Text():
            who = "assistant" if is_answer else _speaker(source, sizes)
            return ContextPart("turns", who, part.text, sizes.text(part.text), source, note)
        case Thinking():
            return ContextPart("turns", "thinking", part.text, sizes.text(part.text), source, note)
        case Image():
            return ContextPart("turns", "image", "", IMAGE_TOKENS, source, note)
        case ToolCall():
            subject = f"{part.name} {_subject(part.input)}".strip()
            shown.subjects[part.id] = subject
            words = json.dumps(part.input, ensure_ascii=False, indent=1)
            # As it is sent, not as it is laid out for people.
            size_bytes = utf8_size(part.name) + utf8_size(json.dumps(part.input))
            return ContextPart("turns", f"call {subject}", words, sizes.tokens_of(size_bytes), source, note)
        case ToolResult():
            title = shown.subjects.get(part.call_id, part.name)
            tokens = sizes.text(part.output) + len(part.images) * IMAGE_TOKENS
            return ContextPart("turns", f"result {title}", part.output, tokens, source, note)


def _speaker(entry_id: str, sizes: Sizes) -> str:
    who = speech_of(sizes.lookup(entry_id)).who if entry_id else "diligent"
    return "you" if who == "user" else who


def _subject(arguments: JsonObject) -> str:
    words = next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")
    line = words.strip().splitlines()[0] if words.strip() else ""
    return line if len(line) <= SUBJECT_CHARS else f"{line[: SUBJECT_CHARS - 1]}…"


def _notes(items: Sequence[Item]) -> dict[str, str]:
    notes: dict[str, str] = {}
    for item in items:
        match item:
            case Digested():
                notes[item.entry_id] = "digest"
            case CutTurn():
                notes[item.prompt_id] = "cut turn"
            case _:
                pass
    return notes
