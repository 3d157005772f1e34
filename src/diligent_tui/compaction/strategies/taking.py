"""Takes an answer off a stream, whatever comes: words are told as they arrive, calls are noticed and never run."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from diligent_tui.compaction.validation import Answer
from diligent_tui.domain.errors import StreamCut
from diligent_tui.domain.messages import TextBlock, ToolCallBlock
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import CallBegun, CallReady, Failed, Finished, Piece, TextPiece

MOST_ANSWER_CHARS = 120_000
"""Several times what any cap allows; a server that ignores the cap is not listened to for ever."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer and what it cost, if that was said."""

    answer: Answer
    usage: Usage | None = None


async def take(pieces: AsyncGenerator[Piece, None], tell: Callable[[str], None]) -> Taken:
    """Read a stream to its end; raises the ProviderError that it ends with."""
    heard_chars = 0
    has_call = False
    async with aclosing(pieces):
        async for piece in pieces:
            match piece:
                case TextPiece():
                    heard_chars += len(piece.text)
                    tell(piece.text)
                    if heard_chars > MOST_ANSWER_CHARS:
                        return Taken(Answer("", "max_tokens", has_call))
                case CallBegun() | CallReady():
                    has_call = True
                case Failed():
                    raise piece.error
                case Finished():
                    return Taken(_whole(piece, has_call=has_call), piece.usage)
                case _:
                    pass
    raise StreamCut("The provider ended the summary without saying that it was finished.")


def _whole(answer: Finished, *, has_call: bool) -> Answer:
    text = "".join(block.text for block in answer.blocks if isinstance(block, TextBlock)).strip()
    called = has_call or any(isinstance(block, ToolCallBlock) for block in answer.blocks)
    return Answer(text, answer.stop_reason, called)
