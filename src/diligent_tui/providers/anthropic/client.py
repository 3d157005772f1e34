"""Asks Anthropic's models; the SDK carries, and we decode."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING

from diligent_tui.domain.requests import Request
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.anthropic.errors import PROVIDER, refuses_thoughts
from diligent_tui.providers.base import Piece
from diligent_tui.providers.registry import ProviderOptions
from diligent_tui.providers.thinking_provider import ThinkingProvider

if TYPE_CHECKING:
    from diligent_tui.providers.anthropic.connection import Connection


class AnthropicProvider(ThinkingProvider["Connection"]):
    """Models of Anthropic."""

    def __init__(self, options: ProviderOptions) -> None:
        """Remember how to reach the server."""
        super().__init__(PROVIDER, partial(_connect, options), _ask, refuses_thoughts)


def _ask(connection: "Connection", request: Request) -> AsyncGenerator[Piece, None]:
    return connection.answer({**to_anthropic(request), "stream": True})


def _connect(options: ProviderOptions) -> "Connection":
    from diligent_tui.providers.anthropic.connection import connect

    return connect(options)
