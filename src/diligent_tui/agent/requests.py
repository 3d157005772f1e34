"""From the effective sequence to the next request; pure, and valid whatever the history holds.

Real histories have calls without results, results without calls, answers cut off, two answers in a row and names no
server would take. Nothing of that is mended in the log; it is mended here, the same way each time, so that what was
sent once is sent again byte for byte.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    SteeringEntry,
)
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Image,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserPart,
    UserTurn,
)
from diligent_tui.domain.speech import speech_of
from diligent_tui.providers.registry import assumed_window
from diligent_tui.session.effective import CutTurn, Digested, Item, Lookup, SummaryPair, Verbatim

SUMMARY_QUESTION = "What has happened in this conversation so far? It was compacted; answer from your notes."
PINNED_INTRO = "I pinned these earlier entries; they are quoted as they were:"
PREFIX_INTRO = "What you have done on this so far, from your notes:"
CONTINUE = "Your answer ended before it was finished. Go on exactly where it stopped, without repeating it."
INTERRUPTED_RESULT = "This call was interrupted; it may have run in part or not at all."
NO_OUTPUT = "(no output)"
NO_IMAGES = "[an image stood here; this model cannot see images]"

OUTPUT_TOKENS_WHEN_UNKNOWN = 8_192
MOST_OUTPUT_TOKENS = 32_000

_SAFE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def output_tokens(model: Model) -> int:
    """How long the next answer may be: long enough for any file, short enough to leave the window to the talk."""
    known = model.max_output_tokens or OUTPUT_TOKENS_WHEN_UNKNOWN
    window, is_assumed = assumed_window(model)
    # A server of a small model refuses a request whose prompt and answer together could pass the window.
    most = MOST_OUTPUT_TOKENS if is_assumed else min(MOST_OUTPUT_TOKENS, window // 4)
    return min(known, most, max(OUTPUT_TOKENS_WHEN_UNKNOWN, window // 8))


def build_messages(items: Sequence[Item], lookup: Lookup, model: Model) -> tuple[RequestMessage, ...]:
    """The messages that show this effective sequence to this model."""
    return tuple(traced.message for traced in trace_messages(items, lookup, model))


@dataclass(frozen=True, slots=True)
class TracedMessage:
    """A message, and for each of its parts the entry that it comes from; empty for what only we said."""

    message: RequestMessage
    sources: tuple[str, ...]


def trace_messages(items: Sequence[Item], lookup: Lookup, model: Model) -> tuple[TracedMessage, ...]:
    """The messages of a request with where each part of them comes from, for those who show it."""
    talk = _Talk(model)
    for item in items:
        match item:
            case SummaryPair():
                talk.show_summary(item, lookup)
            case CutTurn():
                talk.hear(item.prompt_id, *_user_parts(lookup(item.prompt_id), model))
                if item.prefix_summary.strip():
                    talk.hear(item.prompt_id, Text(f"{PREFIX_INTRO}\n\n{item.prefix_summary}"))
            case Verbatim():
                talk.show(lookup(item.entry_id))
            case Digested():
                talk.show(lookup(item.entry_id), item.digest)
            case _:
                assert_never(item)
    return talk.finish()


@dataclass(slots=True)
class _OpenCall:
    """A call of the last answer, and its result once it is found."""

    original_id: str
    call: ToolCall
    result: ToolResult | None = None
    result_id: str = ""


@dataclass(slots=True)
class _Talk:
    """The request as it grows: finished turns, the last answer's calls, and what the user side said since."""

    model: Model
    turns: list[TracedMessage] = field(default_factory=list[TracedMessage])
    calls: list[_OpenCall] = field(default_factory=list[_OpenCall])
    heard: list[tuple[UserPart, str]] = field(default_factory=list[tuple[UserPart, str]])
    taken_ids: set[str] = field(default_factory=set[str])

    def show_summary(self, item: SummaryPair, lookup: Lookup) -> None:
        compaction = lookup(item.compaction_id)
        if not isinstance(compaction, CompactionEntry):
            return
        question = SUMMARY_QUESTION
        if item.pinned_ids:
            quotes = "\n\n".join(_quote(lookup(pinned_id)) for pinned_id in item.pinned_ids)
            question = f"{question}\n\n{PINNED_INTRO}\n\n{quotes}"
        self.hear(compaction.id, Text(question))
        answer = "\n\n".join(part for part in (compaction.summary, compaction.ledger) if part.strip())
        self.answer(compaction.id, (Text(answer or "(no notes)"),), ())

    def show(self, entry: Entry, digest: str | None = None) -> None:
        if not isinstance(entry, MessageEntry):
            self.hear(entry.id, *_user_parts(entry, self.model))
            return
        message = entry.message
        match message:
            case UserMessage():
                self.hear(entry.id, *_user_parts(entry, self.model))
            case AssistantMessage():
                self.answer(entry.id, *self._assistant_parts(message))
            case ToolResultMessage():
                self.take_result(entry.id, message, digest)
            case _:
                assert_never(message)

    def hear(self, source: str, *parts: UserPart) -> None:
        self.heard.extend((part, source) for part in parts)

    def answer(self, source: str, parts: tuple[AssistantPart, ...], calls: Sequence[_OpenCall]) -> None:
        if not parts:
            return
        self._close_user_turn()
        self.turns.append(TracedMessage(AssistantTurn(parts), (source,) * len(parts)))
        self.calls = list(calls)

    def take_result(self, source: str, message: ToolResultMessage, digest: str | None) -> None:
        words, images = _result_parts(message, self.model)
        output = digest if digest is not None else words
        for open_call in self.calls:
            if open_call.original_id == message.tool_call_id and open_call.result is None:
                open_call.result = ToolResult(
                    open_call.call.id,
                    open_call.call.name,
                    output if output.strip() else NO_OUTPUT,
                    message.is_error,
                    () if digest is not None else images,
                )
                open_call.result_id = source
                return
        self.hear(source, Text(f"[result of an earlier call to {_safe_name(message.tool_name)}]\n{output}"))

    def finish(self) -> tuple[TracedMessage, ...]:
        self._close_user_turn()
        return tuple(self.turns)

    def _close_user_turn(self) -> None:
        results: list[tuple[UserPart, str]] = [
            (
                open_call.result
                or ToolResult(open_call.call.id, open_call.call.name, INTERRUPTED_RESULT, is_error=True),
                open_call.result_id,
            )
            for open_call in self.calls
        ]
        told = [*results, *self.heard] or [(Text(CONTINUE), "")]
        turn = UserTurn(tuple(part for part, _ in told))
        self.turns.append(TracedMessage(turn, tuple(source for _, source in told)))
        self.calls, self.heard = [], []

    def _assistant_parts(self, message: AssistantMessage) -> tuple[tuple[AssistantPart, ...], list[_OpenCall]]:
        parts: list[AssistantPart] = []
        calls: list[_OpenCall] = []
        is_own = (message.provider, message.model) == (self.model.provider, self.model.name)
        for block in message.content:
            match block:
                case TextBlock() if block.text.strip():
                    parts.append(Text(block.text, block.raw if is_own else None))
                case ThinkingBlock() if is_own and (block.signature or block.raw):
                    parts.append(Thinking(block.thinking, block.signature, block.raw))
                case ToolCallBlock():
                    call = self._call(block, is_own=is_own)
                    parts.append(call)
                    calls.append(_OpenCall(block.id, call))
                case _:
                    pass
        if all(isinstance(part, Thinking) for part in parts):
            return (), []
        return tuple(parts), calls

    def _call(self, block: ToolCallBlock, *, is_own: bool) -> ToolCall:
        wire_id = _safe_name(block.id)
        while wire_id in self.taken_ids:
            wire_id = _safe_name(f"{block.id} {len(self.taken_ids)}")
        self.taken_ids.add(wire_id)
        name = _safe_name(block.name)
        unchanged = wire_id == block.id and name == block.name
        return ToolCall(wire_id, name, block.input, block.raw if is_own and unchanged else None)


def _user_parts(entry: Entry, model: Model) -> tuple[UserPart, ...]:
    match entry:
        case MessageEntry(message=UserMessage(content=content)):
            blocks: tuple[Block, ...] = (TextBlock(text=content),) if isinstance(content, str) else content
            return tuple(part for block in blocks for part in _user_part(block, model))
        case SteeringEntry():
            words = entry.message
        case BranchSummaryEntry():
            words = f"[summary of another branch of this conversation]\n{entry.summary}"
        case KnowledgeNoteEntry():
            words = entry.text
        case _:
            words = ""
    return (Text(words),) if words.strip() else ()


def _user_part(block: Block, model: Model) -> tuple[UserPart, ...]:
    match block:
        case TextBlock() if block.text.strip():
            return (Text(block.text),)
        case ImageBlock():
            return (Image(block.source) if model.sees_images else Text(NO_IMAGES),)
        case _:
            return ()


def _result_parts(message: ToolResultMessage, model: Model) -> tuple[str, tuple[Image, ...]]:
    if isinstance(message.output, str):
        return message.output, ()
    words = "\n".join(block.text for block in message.output if isinstance(block, TextBlock))
    images = tuple(Image(block.source) for block in message.output if isinstance(block, ImageBlock))
    if images and not model.sees_images:
        return f"{words}\n{NO_IMAGES}".strip(), ()
    return words, images


def _quote(entry: Entry) -> str:
    """A pinned entry as text, with its id, so that it can be recalled."""
    speech = speech_of(entry)
    return f"[{entry.id}, {speech.who}]\n{speech.words}"


def _safe_name(name: str) -> str:
    """The name itself if every server takes it, else one made from it that is."""
    if _SAFE_NAME.fullmatch(name):
        return name
    kept = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:48]
    return f"{kept}_{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"
