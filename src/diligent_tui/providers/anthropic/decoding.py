"""Turns the events of Anthropic's Messages into pieces.

An answer is whole only once the server has said so by `message_stop`. A call is told as ready when its block is done
and its arguments are a JSON object. One that came without a word may be a call of a tool that takes nothing, or have
been cut off before its first word: only the reason why the answer ended tells, so it waits for that.
"""

from collections.abc import Mapping

from diligent_tui.domain.errors import BadResponse, StreamCut
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import StopReason
from diligent_tui.providers.anthropic.blocks import GrowingBlock, said
from diligent_tui.providers.anthropic.errors import from_event
from diligent_tui.providers.anthropic.usage import merged_usage
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
from diligent_tui.providers.sse import ServerEvent, event_object
from diligent_tui.providers.wire.values import is_count, is_object

STOP_REASONS: Mapping[str, StopReason] = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "pause_turn": "pause_turn",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_window",
}
_CUT_OFF: tuple[StopReason, ...] = ("max_tokens", "context_window")


class AnthropicDecoder:
    """One answer as it arrives; see `providers.streaming.Decoder`."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.last: Finished | Failed | None = None
        self._blocks: dict[int, GrowingBlock] = {}
        self._stop_reason: StopReason | None = None
        self._usage_at_start: object = None
        self._usage_at_end: object = None

    def take(self, event: ServerEvent) -> list[Piece]:
        """The pieces that an event brings; kinds we do not know bring none."""
        data = event_object(event.data)
        match data.get("type"):
            case "content_block_delta":
                return self._grow(data)
            case "content_block_start":
                return self._begin(data)
            case "content_block_stop":
                return self._end(data)
            case "message_start":
                message = data.get("message")
                self._usage_at_start = message.get("usage") if is_object(message) else None
            case "message_delta":
                return self._tell_why(data)
            case "message_stop":
                return self._finish()
            case "error":
                self.last = Failed(from_event(data))
            case _:
                pass
        return []

    def cut(self) -> Finished | Failed:
        """The stream stopped before the answer's end."""
        return Failed(StreamCut("Anthropic ended the answer without saying that it was finished."))

    def _grow(self, data: JsonObject) -> list[Piece]:
        block = self._open_block(data)
        delta = data.get("delta")
        if not is_object(delta):
            return []
        match delta.get("type"):
            case "text_delta":
                text = said(delta, "text")
                block.text.append(text)
                return [TextPiece(text)] if text else []
            case "thinking_delta":
                text = said(delta, "thinking")
                block.text.append(text)
                return [ThinkingPiece(text)] if text else []
            case "input_json_delta":
                text = said(delta, "partial_json")
                block.text.append(text)
                return [CallPiece(block.call_id, text)] if text and block.call_id else []
            case "signature_delta":
                block.signature.append(said(delta, "signature"))
            case "citations_delta":
                block.citations.append(delta.get("citation"))
            case _:
                pass
        return []

    def _begin(self, data: JsonObject) -> list[Piece]:
        index, start = data.get("index"), data.get("content_block")
        if not is_count(index) or not is_object(start) or index in self._blocks:
            raise BadResponse("Anthropic sent the parts of its answer in an order that makes no sense.")
        block = self._blocks[index] = GrowingBlock(start)
        match block.kind:
            case "text" if text := said(start, "text"):
                block.text.append(text)
                return [TextPiece(text)]
            case "thinking":
                text = said(start, "thinking")
                block.text.append(text)
                block.signature.append(said(start, "signature"))
                return [ThinkingPiece(text)] if text else []
            case "tool_use":
                block.call_id = self._new_call_id(said(start, "id") or f"call_{index}", index)
                return [CallBegun(block.call_id, said(start, "name"))]
            case _:
                return []

    def _end(self, data: JsonObject) -> list[Piece]:
        block = self._open_block(data)
        block.is_done = True
        return _ready(block) if block.words else []

    def _tell_why(self, data: JsonObject) -> list[Piece]:
        self._usage_at_end = data.get("usage")
        delta = data.get("delta")
        reason = delta.get("stop_reason") if is_object(delta) else None
        if not isinstance(reason, str) or self._stop_reason:
            return []
        self._stop_reason = STOP_REASONS.get(reason, "end_turn")
        wordless = [block for block in self._blocks.values() if block.is_done and not block.words]
        if self._stop_reason in _CUT_OFF:
            for block in wordless:
                block.is_done = False
            return []
        return [piece for block in wordless for piece in _ready(block)]

    def _finish(self) -> list[Piece]:
        kept = [block.kept() for _, block in sorted(self._blocks.items())]
        blocks = tuple(block for block in kept if block is not None)
        calls = [block for block in blocks if block.type == "tool_call"]
        reason: StopReason = self._stop_reason or ("tool_use" if calls else "end_turn")
        usage = merged_usage(self._usage_at_start, self._usage_at_end)
        if reason == "tool_use" and not calls:
            self.last = Failed(BadResponse("The model called a tool with arguments that are no JSON object."))
        else:
            self.last = Finished(blocks, reason, usage)
        return []

    def _open_block(self, data: JsonObject) -> GrowingBlock:
        index = data.get("index")
        block = self._blocks.get(index) if isinstance(index, int) else None
        if block is None or block.is_done:
            raise BadResponse("Anthropic sent the parts of its answer in an order that makes no sense.")
        return block

    def _new_call_id(self, call_id: str, index: int) -> str:
        """The id itself, or another one where an earlier call of this answer has it already."""
        taken = {block.call_id for block in self._blocks.values()}
        return f"{call_id}_{index}" if call_id in taken else call_id


def _ready(block: GrowingBlock) -> list[Piece]:
    if block.kind != "tool_use" or (given := block.arguments()) is None:
        return []
    return [CallReady(block.call_id, said(block.start, "name"), given)]
