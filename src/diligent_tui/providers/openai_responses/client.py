"""Asks OpenAI's models; the SDK carries, and we decode."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING

from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Piece
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.openai_responses.decoding import ResponsesDecoder
from diligent_tui.providers.openai_responses.errors import PROVIDER, refuses_thoughts
from diligent_tui.providers.registry import ProviderOptions
from diligent_tui.providers.thinking_provider import ThinkingProvider

if TYPE_CHECKING:
    from diligent_tui.providers.openai_sdk import Sdk

PATH = "/responses"


class OpenAIResponsesProvider(ThinkingProvider["Sdk"]):
    """Models of OpenAI."""

    def __init__(self, options: ProviderOptions) -> None:
        """Remember how to reach the server."""
        super().__init__(PROVIDER, partial(_connect, options), _ask, refuses_thoughts)


def _ask(sdk: "Sdk", request: Request) -> AsyncGenerator[Piece, None]:
    return sdk.answer(PATH, to_responses(request), ResponsesDecoder())


def _connect(options: ProviderOptions) -> "Sdk":
    from diligent_tui.providers.openai_sdk import connect

    return connect(PROVIDER, options)
