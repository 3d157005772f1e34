"""Takes a model's answer off the stream: tells it, saves it piece by piece, and hands it over whole or cut off."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Literal, assert_never

from diligent_tui.domain.errors import ProviderError, StreamCut
from diligent_tui.domain.events import (
    Event,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolCallReady,
    ToolCallStarted,
)
from diligent_tui.domain.messages import Block, OtherBlock, StopReason, TextBlock, ThinkingBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.domain.usage import Usage
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

SavePiece = Callable[[Literal["text", "thinking"], str], None]


@dataclass(slots=True)
class Answer:
    """An answer as far as it came. Without `finished` it was cut off, by the user or by `error`."""

    finished: Finished | None = None
    error: ProviderError | None = None
    _parts: list[tuple[Literal["text", "thinking", "call"], list[str]]] = field(
        default_factory=list[tuple[Literal["text", "thinking", "call"], list[str]]]
    )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What is to be kept; a call of an answer that was cut off is kept as words that never run."""
        if self.finished:
            return self.finished.blocks
        return tuple(_block(kind, mend_surrogates("".join(words))) for kind, words in self._parts)

    @property
    def stop_reason(self) -> StopReason:
        """Why it ended."""
        if self.finished:
            return self.finished.stop_reason
        return "error" if self.error else "interrupted"

    @property
    def usage(self) -> Usage | None:
        """What it cost, if that was said."""
        return self.finished.usage if self.finished else None

    def grow(self, kind: Literal["text", "thinking", "call"], text: str, *, anew: bool = False) -> None:
        """Take a piece."""
        if anew or not self._parts or self._parts[-1][0] != kind:
            self._parts.append((kind, []))
        self._parts[-1][1].append(text)


async def take_answer(
    answer: Answer,
    pieces: AsyncIterator[Piece],
    message_id: str,
    publish: Callable[[Event], None],
    saver: "PieceSaver",
) -> None:
    """Read the stream to its end into `answer`, which is right at every moment, also when this is cancelled."""
    try:
        async for piece in pieces:
            match piece:
                case TextPiece():
                    answer.grow("text", piece.text)
                    saver.take("text", piece.text)
                    publish(TextDelta(message_id, piece.text))
                case ThinkingPiece():
                    answer.grow("thinking", piece.text)
                    saver.take("thinking", piece.text)
                    publish(ThinkingDelta(message_id, piece.text))
                case CallBegun():
                    answer.grow("call", f"{piece.name} ", anew=True)
                    publish(ToolCallStarted(message_id, piece.call_id, piece.name))
                case CallPiece():
                    answer.grow("call", piece.text)
                    publish(ToolCallDelta(piece.call_id, piece.text))
                case CallReady():
                    publish(ToolCallReady(piece.call_id, piece.name, piece.input))
                case Finished():
                    answer.finished = piece
                    return
                case Failed():
                    answer.error = piece.error
                    return
                case _:
                    assert_never(piece)
        answer.error = StreamCut("The provider ended the answer without saying that it was finished.")
    finally:
        saver.stop()


class PieceSaver:
    """Hands streamed words to the disk in lumps, a bounded time behind the screen."""

    def __init__(self, save: SavePiece, delay_seconds: float) -> None:
        """Begin with nothing to save."""
        self._save = save
        self._delay_seconds = delay_seconds
        self._held: list[tuple[Literal["text", "thinking"], str]] = []
        self._timer: asyncio.TimerHandle | None = None

    def take(self, kind: Literal["text", "thinking"], text: str) -> None:
        """Hold a piece until the next lump is due."""
        self._held.append((kind, text))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._delay_seconds, self._flush)

    def stop(self) -> None:
        """The stream has ended; the whole message will be saved instead."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._held.clear()

    def _flush(self) -> None:
        self._timer = None
        for kind in ("thinking", "text"):
            if words := "".join(text for held, text in self._held if held == kind):
                self._save(kind, mend_surrogates(words))
        self._held.clear()


def _block(kind: Literal["text", "thinking", "call"], words: str) -> Block:
    match kind:
        case "text":
            return TextBlock(text=words)
        case "thinking":
            return ThinkingBlock(thinking=words)
        case "call":
            return OtherBlock.model_validate({"type": "unfinished_call", "text": words})
