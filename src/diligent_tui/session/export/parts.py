"""What an entry says, as clean parts that every export shows in its own way."""

import json
from dataclasses import dataclass, field
from typing import Literal, assert_never

from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    KnowledgeNoteEntry,
    LabelEntry,
    LeafEntry,
    MessageEntry,
    ModeChangeEntry,
    ModelChangeEntry,
    OtherEntry,
    PartialEntry,
    PinEntry,
    PruneEntry,
    QueuedEntry,
    SessionInfoEntry,
    SteeringEntry,
    SystemPromptEntry,
    UnpinEntry,
    UnqueuedEntry,
    encode_entry,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import (
    AssistantMessage,
    ImageBlock,
    OtherBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.session.export.masking import Mask

MOST_OUTPUT_CHARS = 60_000
SUBJECT_CHARS = 100
HEADLINE_CHARS = 90
LINE_HEAD_CHARS = 4_000

PartKind = Literal["prompt", "answer", "thinking", "call", "result", "memory", "note"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the conversation, cleaned and masked; `title` is one line, `text` may be long or empty."""

    kind: PartKind
    title: str
    text: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """An entry in one short line, with the sign that stands before it."""

    sign: str
    words: str
    kind: PartKind
    is_error: bool = False


@dataclass(slots=True)
class Teller:
    """Tells entries in the order of the file: a result is named after the call that it answers."""

    mask: Mask
    _subjects: dict[str, str] = field(default_factory=dict[str, str])

    def parts(self, entry: Entry) -> list[Part]:
        """All that the entry says."""
        match entry:
            case MessageEntry(message=UserMessage() as message):
                return [Part("prompt", "You", self._text(text_of(message.content)))]
            case MessageEntry(message=AssistantMessage() as message):
                return self._answer(message)
            case MessageEntry(message=ToolResultMessage() as message):
                return [self._result(message)]
            case SteeringEntry():
                return [Part("prompt", "You", self._text(entry.message))]
            case CompactionEntry():
                return [Part("memory", _compaction_title(entry), self._text(entry.summary))]
            case BranchSummaryEntry():
                return [Part("memory", "Summary of a branch that was left", self._text(entry.summary))]
            case _:
                return [self._note(entry)]

    def headline(self, entry: Entry) -> Headline:
        """The entry in one line."""
        parts = self.parts(entry)
        if not parts:
            return Headline("·", "an empty answer", "answer")
        first = next((part for part in parts if part.kind == "answer"), parts[0])
        sign = {"prompt": "›", "answer": "·", "thinking": "…", "call": "→", "memory": "⟳", "note": "◦"}.get(
            first.kind, "✗" if first.is_error else "✓"
        )
        is_titled = first.kind in ("call", "result", "memory", "note")
        words = first.title if is_titled else first.text.strip().partition("\n")[0] or first.title
        return Headline(sign, clean_line(words, HEADLINE_CHARS) or "–", first.kind, first.is_error)

    def _answer(self, message: AssistantMessage) -> list[Part]:
        parts: list[Part] = []
        for block in message.content:
            match block:
                case TextBlock():
                    if block.text.strip():
                        parts.append(Part("answer", "Answer", self._text(block.text)))
                case ThinkingBlock():
                    if block.thinking.strip():
                        parts.append(Part("thinking", "Thinking", self._text(block.thinking)))
                case ToolCallBlock():
                    subject = self._line(_subject(block.input))
                    self._subjects[block.id] = subject
                    title = f"{self._line(block.name)}  {subject}".rstrip()
                    parts.append(Part("call", title, self._json(block.input)))
                case ImageBlock():
                    parts.append(Part("note", "an image"))
                case OtherBlock():
                    parts.append(Part("note", f"a part of an unknown kind: {self._line(block.type)}"))
                case _:
                    assert_never(block)
        if ending := ENDINGS.get(message.stop_reason or ""):
            parts.append(Part("note", ending, is_error=True))
        return parts

    def _result(self, message: ToolResultMessage) -> Part:
        subject = self._subjects.get(message.tool_call_id, "")
        title = f"{self._line(message.tool_name) or 'tool'}  {subject}".rstrip()
        text = self._text(text_of(message.output))
        if len(text) > MOST_OUTPUT_CHARS:
            half = MOST_OUTPUT_CHARS // 2
            text = f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out here …]\n{text[-half:]}"
        return Part("result", title, text, message.is_error)

    def _note(self, entry: Entry) -> Part:
        match entry:
            case ModelChangeEntry():
                thinking = f" · thinking {entry.thinking}" if entry.thinking else ""
                return Part("note", self._line(f"model {entry.provider}/{entry.model_id}{thinking}"))
            case ModeChangeEntry():
                return Part("note", self._line(f"mode {entry.mode}"))
            case SystemPromptEntry():
                return Part("note", "system prompt", self._text(entry.text))
            case KnowledgeNoteEntry():
                return Part("note", "told to the model", self._text(entry.text))
            case CompactionRevertEntry():
                return Part("note", "a compaction was undone or redone")
            case PruneEntry():
                count = len(entry.items)
                return Part("note", f"{count} tool output{'' if count == 1 else 's'} shown to the model as digests")
            case PinEntry():
                return Part("note", f"pinned {self._line(entry.target_id)}")
            case UnpinEntry():
                return Part("note", f"unpinned {self._line(entry.target_id)}")
            case OtherEntry():
                return Part("note", self._line(f"an entry of unknown type {entry.type}"), self._json(_known(entry)))
            case LabelEntry() | LeafEntry() | PartialEntry() | QueuedEntry() | UnqueuedEntry() | SessionInfoEntry():
                return Part("note", entry.type.replace("_", " "))
            case MessageEntry() | SteeringEntry() | CompactionEntry() | BranchSummaryEntry():
                return Part("note", entry.type)
            case _:
                assert_never(entry)

    def _text(self, text: str) -> str:
        return self.mask.text(clean(text))

    def _line(self, text: str) -> str:
        # Hidden first and cut then: half a key is still half a key.
        return clean_line(self.mask.text(clean(text[:LINE_HEAD_CHARS])), SUBJECT_CHARS)

    def _json(self, value: JsonObject) -> str:
        try:
            text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        except (ValueError, RecursionError):
            return "(too deep to be shown)"
        for value_to_hide, name in self.mask.values:
            text = text.replace(json.dumps(value_to_hide, ensure_ascii=False)[1:-1], name)
        return self._text(text)


def _subject(arguments: JsonObject) -> str:
    return next((value for value in arguments.values() if isinstance(value, str)), "")


def _compaction_title(entry: CompactionEntry) -> str:
    after = f" → {entry.tokens_after:,}" if entry.tokens_after is not None else ""
    return f"Compacted {entry.tokens_before:,}{after} tokens"


def _known(entry: OtherEntry) -> JsonObject:
    return {name: value for name, value in encode_entry(entry).items() if name not in ("type", "id", "parentId")}
