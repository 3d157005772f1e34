"""Puts calls together from the fragments of Chat Completions, which every server cuts in its own way.

Seen in the wild: calls without an index or an id, all calls at index 0, arguments in one lump or as an object, empty
fragments, an id or a name that comes again with every fragment.
"""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, ToolCallBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.providers.base import CallBegun, CallPiece, CallReady, Piece
from diligent_tui.providers.call_arguments import read_arguments, unfinished_call
from diligent_tui.providers.wire.values import is_count, is_object, is_sendable


@dataclass(slots=True)
class Call:
    """One call as far as it came; `id` is what it goes by here, `told_id` what the server said."""

    id: str
    told_id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    begun: bool = False

    @property
    def text(self) -> str:
        """The arguments as they were written."""
        return "".join(self.arguments)

    def has_object(self) -> bool:
        """Whether the arguments are whole already, so that more cannot belong to them."""
        return self.text.rstrip().endswith("}") and read_arguments(self.text) is not None


class Calls:
    """The calls of one answer, in order."""

    def __init__(self, new_id: Callable[[], str] | None = None) -> None:
        """Begin without calls; `new_id` names those that the server does not name."""
        self._new_id = new_id or (lambda: f"call_{uuid.uuid4().hex[:24]}")
        self._calls: list[Call] = []
        self._by_index: dict[int, Call] = {}

    def __len__(self) -> int:
        """How many there are so far."""
        return len(self._calls)

    def take(self, fragment: JsonObject) -> list[Piece]:
        """The pieces that a fragment brings."""
        function = fragment.get("function")
        function = function if is_object(function) else {}
        name, told_id, index = _text(function, "name"), _text(fragment, "id"), fragment.get("index")
        call = self._at(index if is_count(index) else None, told_id)
        if call is None or _begins_another(call, told_id, name):
            call = self._add(index if is_count(index) else None, told_id)
        call.name = call.name or name
        if words := _arguments(function.get("arguments")):
            call.arguments.append(words)
        if not call.name:
            return []
        if call.begun:
            return [CallPiece(call.id, words)] if words else []
        return _begin(call)

    def ready(self, *, is_cut: bool) -> list[Piece]:
        """The answer is over: the calls that are whole, and the beginning of any that was not told yet."""
        pieces: list[Piece] = []
        for call in self._calls:
            if not call.begun:
                pieces += _begin(call)
            if (given := _given(call, is_cut=is_cut)) is not None:
                pieces.append(CallReady(call.id, call.name, given))
        return pieces

    def blocks(self, *, is_cut: bool) -> list[Block]:
        """The calls as they are kept; where the answer was cut off, nothing said does not mean no arguments."""
        return [_block(call, _given(call, is_cut=is_cut)) for call in self._calls]

    def _at(self, index: int | None, told_id: str) -> Call | None:
        if index is not None:
            return self._by_index.get(index)
        named = (call for call in self._calls if told_id and call.told_id == told_id)
        return next(named, self._calls[-1] if self._calls else None)

    def _add(self, index: int | None, told_id: str) -> Call:
        is_taken = any(call.id == told_id for call in self._calls)
        call = Call(self._new_id() if is_taken or not told_id else told_id, told_id)
        self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        return call


def _begins_another(call: Call, told_id: str, name: str) -> bool:
    """Whether a fragment at a call's place begins the next call; only one that says a name can."""
    if not name or not call.name:
        return False
    return call.told_id != told_id if told_id else call.has_object()


def _begin(call: Call) -> list[Piece]:
    call.begun = True
    words = call.text
    return [CallBegun(call.id, call.name), *([CallPiece(call.id, words)] if words else [])]


def _given(call: Call, *, is_cut: bool) -> JsonObject | None:
    words = call.text
    if not words.strip():
        # Models say nothing at all where a tool takes nothing.
        return None if is_cut else {}
    return read_arguments(words)


def _block(call: Call, given: JsonObject | None) -> Block:
    if given is None:
        return unfinished_call(call.name, call.text)
    own: JsonObject = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.text},
    }
    return ToolCallBlock(
        id=mend_surrogates(call.id),
        name=mend_surrogates(call.name),
        input=given,
        raw=own if is_sendable(own) else None,
    )


def _arguments(value: object) -> str:
    """Arguments as text; some servers send them as the object that they are."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if is_object(value) else ""


def _text(value: JsonObject, key: str) -> str:
    text = value.get(key)
    return text if isinstance(text, str) else ""
