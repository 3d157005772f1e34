"""Turns the events of OpenAI's Responses into pieces.

The items of an answer are taken from their `done` events, for what is announced earlier may be incomplete. An answer
is whole only once the server has said so by `response.completed` or `response.incomplete`.
"""

from collections.abc import Callable, Mapping

from diligent_tui.domain.errors import BadResponse, StreamCut
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, StopReason, ToolCallBlock
from diligent_tui.providers.base import (
    CallBegun,
    CallPiece,
    CallReady,
    Failed,
    Finished,
    Piece,
    TextPiece,
    ThinkingPiece,
)
from diligent_tui.providers.openai_responses.errors import from_event, reported
from diligent_tui.providers.openai_responses.items import (
    BETWEEN_THOUGHTS,
    arguments_of,
    block_of,
    refuses,
    text_in,
    thoughts_of,
    words_of,
)
from diligent_tui.providers.openai_responses.usage import usage_of
from diligent_tui.providers.sse import ServerEvent, event_object
from diligent_tui.providers.wire.values import is_array, is_count, is_object

_CUT_REASONS: Mapping[str, StopReason] = {"max_output_tokens": "max_tokens", "content_filter": "content_filter"}


class ResponsesDecoder:
    """One answer as it arrives; see `providers.streaming.Decoder`."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.last: Finished | Failed | None = None
        self._done: dict[int, JsonObject] = {}
        self._call_ids: dict[int, str] = {}
        self._heard: set[int] = set()
        self._handlers: Mapping[str, Callable[[JsonObject], list[Piece]]] = {
            "response.output_text.delta": self._words,
            "response.refusal.delta": self._words,
            "response.reasoning_summary_text.delta": self._thoughts,
            "response.reasoning_text.delta": self._thoughts,
            "response.reasoning_summary_part.added": self._next_thought,
            "response.function_call_arguments.delta": self._arguments,
            "response.output_item.added": self._item_added,
            "response.output_item.done": self._item_done,
            "response.completed": self._finished,
            "response.incomplete": self._incomplete,
            "response.failed": self._failed,
            "response.cancelled": self._cancelled,
            "error": self._error,
        }

    def take(self, event: ServerEvent) -> list[Piece]:
        """The pieces that an event brings; kinds we do not know bring none."""
        data = event_object(event.data)
        kind = data.get("type")
        handler = self._handlers.get(kind if isinstance(kind, str) else event.name)
        return handler(data) if handler else []

    def cut(self) -> Finished | Failed:
        """The stream stopped before the answer's end."""
        return Failed(StreamCut("OpenAI ended the answer without saying that it was finished."))

    def _words(self, data: JsonObject) -> list[Piece]:
        self._heard.add(_index(data))
        text = data.get("delta")
        return [TextPiece(text)] if isinstance(text, str) and text else []

    def _thoughts(self, data: JsonObject) -> list[Piece]:
        self._heard.add(_index(data))
        text = data.get("delta")
        return [ThinkingPiece(text)] if isinstance(text, str) and text else []

    def _next_thought(self, data: JsonObject) -> list[Piece]:
        return [ThinkingPiece(BETWEEN_THOUGHTS)] if _index(data) in self._heard else []

    def _arguments(self, data: JsonObject) -> list[Piece]:
        index, text = _index(data), text_in(data, "delta")
        call_id = self._call_ids.get(index)
        if call_id is None or not text:
            return []
        self._heard.add(index)
        return [CallPiece(call_id, text)]

    def _item_added(self, data: JsonObject) -> list[Piece]:
        item = data.get("item")
        return self._begin_call(_index(data), item) if is_object(item) else []

    def _item_done(self, data: JsonObject) -> list[Piece]:
        item = data.get("item")
        if not is_object(item):
            return []
        index = _index(data) if is_count(data.get("output_index")) else len(self._done)
        return self._keep(index, item)

    def _keep(self, index: int, item: JsonObject) -> list[Piece]:
        """Take an item that is done, and tell what of it was not streamed."""
        if index in self._done:
            return []
        self._done[index] = item
        is_new = index not in self._heard
        pieces: list[Piece] = []
        match item.get("type"):
            case "message" if is_new and (words := words_of(item)):
                pieces.append(TextPiece(words))
            case "reasoning" if is_new and (thoughts := thoughts_of(item)):
                pieces.append(ThinkingPiece(thoughts))
            case "function_call":
                pieces += self._begin_call(index, item)
                call_id = self._call_ids[index]
                if is_new and (arguments := text_in(item, "arguments")):
                    pieces.append(CallPiece(call_id, arguments))
                if (given := arguments_of(item)) is not None:
                    pieces.append(CallReady(call_id, text_in(item, "name"), given))
            case _:
                pass
        return pieces

    def _begin_call(self, index: int, item: JsonObject) -> list[Piece]:
        if item.get("type") != "function_call" or index in self._call_ids:
            return []
        call_id = text_in(item, "call_id") or text_in(item, "id") or f"call_{index}"
        if call_id in self._call_ids.values():
            call_id = f"{call_id}_{index}"
        self._call_ids[index] = call_id
        return [CallBegun(call_id, text_in(item, "name"))]

    def _finished(self, data: JsonObject) -> list[Piece]:
        response = _response(data)
        pieces = self._late_items(response)
        blocks = self._blocks()
        if self._call_ids and not any(isinstance(block, ToolCallBlock) for block in blocks):
            self.last = Failed(BadResponse("The model called a tool with arguments that are no JSON object."))
        elif any(refuses(item) for item in self._done.values()):
            self.last = Finished(blocks, "refusal", usage_of(response.get("usage")))
        else:
            self.last = Finished(blocks, "tool_use" if self._call_ids else "end_turn", usage_of(response.get("usage")))
        return pieces

    def _incomplete(self, data: JsonObject) -> list[Piece]:
        response = _response(data)
        details = response.get("incomplete_details")
        told = text_in(details, "reason") if is_object(details) else ""
        pieces = self._late_items(response)
        if reason := _CUT_REASONS.get(told):
            self.last = Finished(self._blocks(), reason, usage_of(response.get("usage")))
        else:
            self.last = Failed(StreamCut(f"OpenAI ended the answer early: {reported(told) or 'it did not say why'}."))
        return pieces

    def _late_items(self, response: JsonObject) -> list[Piece]:
        """Items that were never said to be done, but are in the whole answer; some gateways send only that."""
        output = response.get("output")
        items = output if is_array(output) else []
        return [piece for index, item in enumerate(items) if is_object(item) for piece in self._keep(index, item)]

    def _blocks(self) -> tuple[Block, ...]:
        """The blocks in the answer's order, with calls that never became whole as words."""
        blocks = [block_of(self._done[index], self._call_ids.get(index, "")) for index in sorted(self._done)]
        return tuple(block for block in blocks if block is not None)

    def _failed(self, data: JsonObject) -> list[Piece]:
        self.last = Failed(from_event(_response(data).get("error")))
        return []

    def _cancelled(self, _: JsonObject) -> list[Piece]:
        self.last = Failed(StreamCut("OpenAI cancelled the answer."))
        return []

    def _error(self, data: JsonObject) -> list[Piece]:
        """The event comes in two shapes: with the error inside it, or being the error itself."""
        inner = data.get("error")
        self.last = Failed(from_event(inner if is_object(inner) else data))
        return []


def _response(data: JsonObject) -> JsonObject:
    response = data.get("response")
    return response if is_object(response) else {}


def _index(data: JsonObject) -> int:
    index = data.get("output_index")
    return index if is_count(index) else 0
