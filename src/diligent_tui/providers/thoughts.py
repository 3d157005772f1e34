"""The way out when a server does not take its own reasoning back: the same request without any."""

from dataclasses import replace

from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Thinking


def without_thoughts(request: Request) -> Request | None:
    """The request without reasoning of earlier answers; None if there is none to leave out."""
    if not any(isinstance(part, Thinking) for turn in request.messages for part in turn.parts):
        return None
    return replace(request, messages=tuple(_without(turn) for turn in request.messages))


def _without(turn: RequestMessage) -> RequestMessage:
    if not isinstance(turn, AssistantTurn):
        return turn
    return AssistantTurn(tuple(part for part in turn.parts if not isinstance(part, Thinking)))
