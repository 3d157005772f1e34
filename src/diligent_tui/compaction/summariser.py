"""Asks a model for a summary: what is sent, and what is accepted as an answer."""

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import BadResponse, StreamCut
from diligent_tui.domain.messages import StopReason, TextBlock, ToolCallBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece

SUMMARY_OUTPUT_TOKENS = 4_096
BRANCH_WORDS = 325
"""The middle of what the instructions for a branch ask for."""
LEAST_BYTES_PER_TOKEN = 2
"""Pessimistic on purpose: a request for a summary must not itself be too long."""
CUT_OFF: frozenset[StopReason] = frozenset({"max_tokens", "context_window", "pause_turn", "error", "interrupted"})


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary that may be used, and what it cost if that was said."""

    text: str
    usage: Usage | None


@cache
def instructions(name: str) -> str:
    """A prompt of ours by its name."""
    return resources.files("diligent_tui.compaction").joinpath(f"prompts/{name}.md").read_text(encoding="utf-8").strip()


def branch_request(entries: Iterable[Entry], model: Model, window_tokens: int, focus: str = "") -> Request:
    """The request for a summary of a branch that is being left."""
    room_tokens = max(1_000, window_tokens - SUMMARY_OUTPUT_TOKENS - 2_000)
    transcript = write_transcript(entries, room_tokens * LEAST_BYTES_PER_TOKEN)
    wish = f"\n\nThe user asks you to look above all at this: {focus.strip()}" if focus.strip() else ""
    words = f"<transcript>\n{transcript}\n</transcript>\n\nWrite the notes on this branch now.{wish}"
    return Request(
        model=model,
        system=instructions("branch"),
        tools=(),
        messages=(UserTurn((Text(words),)),),
        max_output_tokens=min(model.max_output_tokens or SUMMARY_OUTPUT_TOKENS, SUMMARY_OUTPUT_TOKENS),
        purpose="summary",
    )


async def summarise(pieces: AsyncIterator[Piece], tell: Callable[[str], None], advice: str) -> Summary:
    """Take a summary off a stream, telling its words as they come; raises ProviderError if it may not be used.

    `advice` is what to do where the model wrote nothing that can be used.
    """
    async for piece in pieces:
        match piece:
            case TextPiece():
                tell(piece.text)
            case Failed(error=StreamCut(message=message)):
                # Nothing of it is kept, which the usual advice would say.
                raise StreamCut(message, advice)
            case Failed():
                raise piece.error
            case Finished():
                return _accepted(piece, advice)
            case _:
                pass
    raise StreamCut("The provider ended the answer without saying that it was finished.", advice)


def _accepted(answer: Finished, advice: str) -> Summary:
    text = "".join(block.text for block in answer.blocks if isinstance(block, TextBlock)).strip()
    if answer.stop_reason in CUT_OFF:
        raise BadResponse("The answer was cut off before its end.", advice)
    if any(isinstance(block, ToolCallBlock) for block in answer.blocks) or not text:
        raise BadResponse("The model wrote nothing that can be used.", advice)
    return Summary(text, answer.usage)
