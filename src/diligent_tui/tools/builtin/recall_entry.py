"""The tool `recall`: an earlier entry of this session to the letter, or a search for one."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.errors import StorageError, ToolError
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
from diligent_tui.session.recall.hits import Hit, listing
from diligent_tui.session.recall.texts import plain_file_name
from diligent_tui.tools.arguments import known_only, optional_count, optional_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.recall_pages import Page, page_of_file, page_of_text
from diligent_tui.tools.specs import recall_entry_spec

SENTENCES_BYTES = 512
SUBJECT_CHARS = 60
Lookup = Callable[[str], Entry | None]
"""Gives the entry of an id in this session, or None."""
Search = Callable[[str], Awaitable[tuple[Hit, ...]]]
"""Gives the entries that answer a question, best first, in no more text than a model should be told."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """An entry from a character on, or a question."""

    entry_id: str
    offset: int
    query: str


@dataclass(frozen=True, slots=True)
class RecallEntry:
    """Shows one entry, a page at a time, or lists those that match."""

    lookup: Lookup
    search: Search | None = None
    spec: ToolSpec = field(default_factory=recall_entry_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """The id or the words as they were given."""
        return str(arguments.get("id") or arguments.get("query") or "")[:SUBJECT_CHARS]

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free: the model has seen it before."""
        _wish(arguments)
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """The page, after a line that says what it is; all pages together are the original."""
        wish = _wish(arguments)
        if wish.query:
            return await self._find(wish.query)
        entry = self.lookup(wish.entry_id)
        if entry is None:
            raise ToolError(f"This session has no entry {shown_name(wish.entry_id)}.")
        page, remark = await _page(entry, wish.offset, call.workplace)
        if wish.offset > max(1, page.whole_chars):
            raise ToolError(
                f"{entry.id} has only {page.whole_chars:,} characters: `offset` {wish.offset:,} is past its end."
            )
        head = f"[{entry.id}, {speech_of(entry).who}: {page.extent}{remark}]"
        return Outcome(f"{head}\n{page.text}", images=original_images(entry) if wish.offset == 1 else ())

    async def _find(self, query: str) -> Outcome:
        if self.search is None:
            raise ToolError("This session cannot be searched: give an `id`.")
        try:
            hits = await self.search(query)
        except StorageError as error:
            raise ToolError(f"{error.message} {error.advice}") from error
        if not hits:
            return Outcome("Nothing in this session matches. Try other words: names, paths, or what an error said.")
        return Outcome(listing(hits))


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


async def _page(entry: Entry, offset: int, workplace: Workplace) -> tuple[Page, str]:
    """The page asked for, from the file of a long output if it has one; and what to say of that."""
    limit_bytes = workplace.output_limit_bytes
    room_bytes = max(limit_bytes - SENTENCES_BYTES, limit_bytes // 2)
    remark = ""
    if name := _spill_of(entry):
        path = workplace.spill_folder / name
        if plain_file_name(name) and (page := await asyncio.to_thread(page_of_file, path, offset, room_bytes)):
            return page, f"; all of the output, as it is in {_shown(workplace, name)}"
        remark = "; the output was longer, but the file with all of it is gone"
    return page_of_text(original_text(entry), offset, room_bytes), remark


def _wish(arguments: JsonObject) -> _Wish:
    known_only(arguments, ("id", "offset", "query"))
    entry_id = (optional_text(arguments, "id") or "").strip()
    query = (optional_text(arguments, "query") or "").strip()
    offset = optional_count(arguments, "offset")
    if not entry_id and not query:
        raise ToolError("`id` is missing: give the id of the entry, or a `query` to search for.")
    if entry_id and query:
        raise ToolError("Give an `id` or a `query`, not both.")
    if query and offset:
        raise ToolError("`offset` goes with `id`: a search answers on one page.")
    return _Wish(entry_id, offset or 1, query)


def _block_text(block: Block) -> str:
    if isinstance(block, ToolCallBlock):
        return f"[call {block.name}] {json.dumps(block.input, ensure_ascii=False)}"
    return text_of((block,))


def _spill_of(entry: Entry) -> str:
    match entry:
        case MessageEntry(message=ToolResultMessage(spill=str() as name)):
            return name
        case _:
            return ""


def _shown(workplace: Workplace, name: str) -> str:
    path = workplace.spill_folder / name
    return shown_name(str(path.relative_to(workplace.root) if path.is_relative_to(workplace.root) else path))
