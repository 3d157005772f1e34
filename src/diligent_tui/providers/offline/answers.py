"""An answer as it was decided, before it is streamed, and the pieces it is streamed in."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, StopReason, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import CallBegun, CallPiece, CallReady, Piece, TextPiece, ThinkingPiece

TOKEN_CHARS = 4
SIGNATURE = "rehearsal"


@dataclass(frozen=True, slots=True)
class Answer:
    """What to stream and how it ends: properly, with an error, without its last piece, or never."""

    blocks: tuple[Block, ...] = ()
    stop_reason: StopReason = "end_turn"
    ending: Literal["finished", "no_end", "stall"] | ProviderError = "finished"
    half_call: ToolCallBlock | None = None
    """A call that begins after the blocks and is never whole."""
    tokens_per_second: float | None = None
    """The pace of this answer, in place of the provider's own."""


def said(request: Request, text: str, thinking: str = "", calls: Sequence[ToolCallBlock] = ()) -> Answer:
    """An answer in the usual order: thinking if the request has it switched on, words, calls."""
    blocks: list[Block] = []
    if thinking and request.thinking != "off":
        blocks.append(ThinkingBlock(thinking=thinking, signature=SIGNATURE))
    if text:
        blocks.append(TextBlock(text=text))
    return Answer((*blocks, *calls), "tool_use" if calls else "end_turn")


def pieces_of(answer: Answer) -> Iterator[Piece]:
    """All pieces but the last; each that carries text is one token."""
    for block in answer.blocks:
        match block:
            case ThinkingBlock():
                yield from (ThinkingPiece(part) for part in _tokens(block.thinking))
            case TextBlock():
                yield from (TextPiece(part) for part in _tokens(block.text))
            case ToolCallBlock():
                yield CallBegun(block.id, block.name)
                yield from (CallPiece(block.id, part) for part in _tokens(_json(block.input)))
                yield CallReady(block.id, block.name, block.input)
            case _:
                raise TypeError(f"the rehearsal engine makes no {block.type} blocks")
    if answer.half_call:
        yield CallBegun(answer.half_call.id, answer.half_call.name)
        arguments = _json(answer.half_call.input)
        yield from (CallPiece(answer.half_call.id, part) for part in _tokens(arguments[: len(arguments) // 2]))


def _tokens(text: str) -> Iterator[str]:
    return (text[begin : begin + TOKEN_CHARS] for begin in range(0, len(text), TOKEN_CHARS))


def _json(arguments: JsonObject) -> str:
    return json.dumps(arguments, ensure_ascii=False)
