"""Asks any server of Chat Completions: Ollama, LM Studio, vLLM, OpenRouter and others; the SDK carries, we decode."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Failed, Piece, ServerWindow
from diligent_tui.providers.late_connection import LateConnection
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.openai_chat.decoding import ChatDecoder
from diligent_tui.providers.openai_chat.errors import PROVIDER, advised
from diligent_tui.providers.openai_chat.windows import window_of
from diligent_tui.providers.patience import patience_for
from diligent_tui.providers.registry import ProviderOptions

if TYPE_CHECKING:
    from diligent_tui.providers.openai_sdk import Sdk

PATH = "/chat/completions"
DEFAULT_BASE_URL = "http://127.0.0.1:11434/v1"
"""Where Ollama listens, the most common of these servers."""


class OpenAIChatProvider:
    """Models of a server that speaks Chat Completions."""

    def __init__(self, options: ProviderOptions, name: str = PROVIDER) -> None:
        """Remember how to reach the server; nothing is imported or opened before the first request."""
        self._name = name
        self._base_url = (options.base_url or DEFAULT_BASE_URL).rstrip("/")
        known = replace(options, base_url=self._base_url)
        self._connection = LateConnection(partial(_connect, known, patience_for(self._base_url)))

    @property
    def name(self) -> str:
        """The provider's part of a model id."""
        return self._name

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Answer as `providers.base` promises."""
        try:
            sdk = await self._connection.ready()
        except ProviderError as error:
            yield Failed(error)
            return
        decoder = ChatDecoder(request)
        async with aclosing(sdk.answer(PATH, to_chat(request), decoder)) as pieces:
            async for piece in pieces:
                if not isinstance(piece, Failed):
                    yield piece
                elif decoder.last is None and decoder.is_whole:
                    # What broke after the answer's end is no fault of the answer.
                    yield decoder.cut()
                else:
                    yield Failed(advised(piece.error))

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """The window that the server gives a model, asked of the server; None where it does not say."""
        try:
            sdk = await self._connection.ready()
        except ProviderError:
            return None
        return await window_of(self._base_url, model_name, sdk.look_up)

    async def warm_up(self) -> None:
        """Import the SDK now, in a thread, so that the first request need not wait for it."""
        await self._connection.warm_up()

    async def aclose(self) -> None:
        """Free the connections."""
        await self._connection.aclose()


def _connect(options: ProviderOptions, patience: int) -> "Sdk":
    from diligent_tui.providers.openai_sdk import connect

    return connect(PROVIDER, options, patience)
