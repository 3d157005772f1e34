"""The contract between the agent and any provider.

`stream` never raises for what a provider may do: a failure is the last piece. A stream has exactly one last piece,
`Finished` or `Failed`; one that stops without it was cut, and the agent treats it so. Cancelling the task that
reads the stream is a normal ending and must free what the stream holds.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, StopReason
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Words arrived."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """Reasoning arrived."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegun:
    """The model begins a tool call."""

    call_id: str
    name: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """More of a call's arguments, as raw JSON text."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CallReady:
    """A call's arguments are whole and are a JSON object."""

    call_id: str
    name: str
    input: JsonObject


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is whole: its blocks as they are to be kept, and what it cost if that was said."""

    blocks: tuple[Block, ...]
    stop_reason: StopReason
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer failed; the pieces before it are all there will be."""

    error: ProviderError


Piece = TextPiece | ThinkingPiece | CallBegun | CallPiece | CallReady | Finished | Failed


@dataclass(frozen=True, slots=True)
class ServerWindow:
    """A window as a server tells it; not `is_sure` if the server may have loaded the model with another one."""

    tokens: int
    told_by: str
    is_sure: bool = True
    most_tokens: int | None = None
    """What the model itself could do."""
    advice: str = ""


class Provider(Protocol):
    """One vendor's models."""

    @property
    def name(self) -> str:
        """The provider's part of a model id."""
        ...

    def stream(self, request: Request) -> AsyncIterator[Piece]:
        """Ask the model; see the contract above."""
        ...

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """The window of a model, asked of the server; None where it does not say."""
        ...

    async def warm_up(self) -> None:
        """Load what the first request needs; a failure is told by that request."""
        ...

    async def aclose(self) -> None:
        """Free connections; the provider is not used again."""
        ...
