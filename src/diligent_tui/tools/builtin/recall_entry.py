"""The tool `recall`: an earlier entry of this session, to the letter."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    ImageBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.domain.speech import speech_of
from diligent_tui.tools.arguments import known_only, optional_count, required_text
from diligent_tui.tools.base import Call, Outcome, Tool, Verdict, Workplace
from diligent_tui.tools.descriptions import description
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.permissions import ALLOWED

SENTENCES_BYTES = 512
Lookup = Callable[[str], Entry | None]
"""Gives the entry of an id in this session, or None."""


def recall_tool(lookup: Lookup) -> Tool:
    """The tool for the session that this lookup belongs to."""
    return RecallEntry(lookup)


def _spec() -> ToolSpec:
    return ToolSpec(
        name="recall",
        description=description("recall_entry"),
        input_schema={
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The id of the entry."},
                "offset": {"type": "integer", "minimum": 1, "description": "The first character, from 1."},
            },
            "required": ["id"],
            "additionalProperties": False,
        },
    )


@dataclass(frozen=True, slots=True)
class RecallEntry:
    """Shows one entry, a page at a time."""

    lookup: Lookup
    spec: ToolSpec = field(default_factory=_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """The id as it was given."""
        return str(arguments.get("id") or "")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free: the model has seen it before."""
        _arguments(arguments)
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """The page, after a line that says what it is; all pages together are the original."""
        given_id, offset = _arguments(arguments)
        entry = self.lookup(given_id)
        if entry is None:
            raise ToolError(f"This session has no entry {shown_name(given_id)}.")
        text = original_text(entry)
        if offset > max(1, len(text)):
            raise ToolError(f"{entry.id} has only {len(text):,} characters: `offset` {offset:,} is past its end.")
        page = _page(text, offset, call.workplace.output_limit_bytes)
        head = (
            f"[{entry.id}, {speech_of(entry).who}: {_extent(text, page, offset)}{_spill_note(entry, call.workplace)}]"
        )
        return Outcome(f"{head}\n{page}", images=original_images(entry) if offset == 1 else ())


def original_text(entry: Entry) -> str:
    """What an entry says, whole and unchanged; calls come with their arguments, and other entries as JSON."""
    if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
        return "\n".join(map(_block_text, entry.message.content))
    return speech_of(entry).words or entry.model_dump_json(by_alias=True, exclude_none=True)


def original_images(entry: Entry) -> tuple[ImageBlock, ...]:
    """The pictures of an entry."""
    match entry:
        case MessageEntry(message=UserMessage(content=tuple() as blocks)):
            return tuple(block for block in blocks if isinstance(block, ImageBlock))
        case MessageEntry(message=ToolResultMessage(output=tuple() as blocks)):
            return tuple(block for block in blocks if isinstance(block, ImageBlock))
        case _:
            return ()


def _arguments(arguments: JsonObject) -> tuple[str, int]:
    known_only(arguments, ("id", "offset"))
    return required_text(arguments, "id", "give the id of the entry").strip(), optional_count(arguments, "offset") or 1


def _block_text(block: Block) -> str:
    if isinstance(block, ToolCallBlock):
        return f"[call {block.name}] {json.dumps(block.input, ensure_ascii=False)}"
    return text_of((block,))


def _page(text: str, offset: int, limit_bytes: int) -> str:
    room_bytes = max(limit_bytes - SENTENCES_BYTES, limit_bytes // 2)
    part = text[offset - 1 : offset - 1 + room_bytes]
    if len(part.encode("utf-8", "replace")) <= room_bytes:
        return part
    return part[: len(part.encode("utf-8", "replace")[:room_bytes].decode("utf-8", "ignore"))]


def _extent(text: str, page: str, offset: int) -> str:
    last = offset - 1 + len(page)
    if len(page) == len(text):
        return f"{len(text):,} characters"
    more = f"; go on with offset {last + 1}" if last < len(text) else ""
    return f"characters {offset:,} to {last:,} of {len(text):,}{more}"


def _spill_note(entry: Entry, workplace: Workplace) -> str:
    if (
        not isinstance(entry, MessageEntry)
        or not isinstance(entry.message, ToolResultMessage)
        or not entry.message.spill
    ):
        return ""
    path = workplace.spill_folder / entry.message.spill
    shown = path.relative_to(workplace.root) if path.is_relative_to(workplace.root) else path
    return f"; the output was longer, all of it is in {shown_name(str(shown))}"
