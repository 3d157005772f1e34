"""Asks Anthropic's models; the SDK carries, and we decode."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING

from diligent_tui.domain.requests import Request
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.anthropic.errors import PROVIDER, refuses_thoughts
from diligent_tui.providers.base import Piece, ServerWindow
from diligent_tui.providers.late_connection import LateConnection
from diligent_tui.providers.registry import ProviderOptions
from diligent_tui.providers.thoughts import Ask, asked_again_without_thoughts

if TYPE_CHECKING:
    from diligent_tui.providers.anthropic.connection import Connection


class AnthropicProvider:
    """Models of Anthropic."""

    def __init__(self, options: ProviderOptions) -> None:
        """Remember how to reach the server; nothing is imported or opened before the first request."""
        self._connection = LateConnection(partial(_connect, options))

    @property
    def name(self) -> str:
        """The provider's part of a model id."""
        return PROVIDER

    def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Answer as `providers.base` promises."""
        return asked_again_without_thoughts(request, self._ready_to_ask, refuses_thoughts)

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """Not asked: what our table does not know, an overflow tells."""
        return None

    async def warm_up(self) -> None:
        """Import the SDK now, in a thread, so that the first request need not wait for it."""
        await self._connection.warm_up()

    async def aclose(self) -> None:
        """Free the connections."""
        await self._connection.aclose()

    async def _ready_to_ask(self) -> Ask:
        connection = await self._connection.ready()
        return lambda request: connection.answer({**to_anthropic(request), "stream": True})


def _connect(options: ProviderOptions) -> "Connection":
    from diligent_tui.providers.anthropic.connection import connect

    return connect(options)
