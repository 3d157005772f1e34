"""The way out when a server does not take its own reasoning back: the same request without any."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.requests import AssistantPart, AssistantTurn, Request, RequestMessage, Thinking
from diligent_tui.providers.base import Failed, Piece

Ask = Callable[[Request], AsyncGenerator[Piece, None]]


async def asked_again_without_thoughts(
    request: Request, connect: Callable[[], Awaitable[Ask]], refuses: Callable[[ProviderError], bool]
) -> AsyncGenerator[Piece, None]:
    """The pieces of an answer; where the reasoning in the request is refused, of one to the request without it."""
    try:
        ask = await connect()
    except ProviderError as error:
        yield Failed(error)
        return
    bare = without_thoughts(request)
    was_told = False
    async with aclosing(ask(request)) as pieces:
        async for piece in pieces:
            if bare and not was_told and isinstance(piece, Failed) and refuses(piece.error):
                break
            was_told = True
            yield piece
        else:
            return
    async with aclosing(ask(bare)) as pieces:
        async for piece in pieces:
            yield piece


def without_thoughts(request: Request) -> Request | None:
    """The request without reasoning of earlier answers; None if there is none to leave out."""
    if not any(isinstance(part, Thinking) for turn in request.messages for part in turn.parts):
        return None
    return replace(request, messages=tuple(_without(turn) for turn in request.messages))


def _without(turn: RequestMessage) -> RequestMessage:
    """The turn in our own words: a maker's own item may be refused without the reasoning that led to it."""
    if not isinstance(turn, AssistantTurn) or not any(isinstance(part, Thinking) for part in turn.parts):
        return turn
    parts: list[AssistantPart] = [replace(part, raw=None) for part in turn.parts if not isinstance(part, Thinking)]
    return AssistantTurn(tuple(parts))
