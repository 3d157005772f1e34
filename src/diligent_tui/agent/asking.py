"""Asks the provider in force, making it first if it has to be."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Failed, Piece, Provider

Provide = Callable[[], Awaitable[Provider]]


class Providers:
    """The providers of a session, each made when it is first needed and kept until the end."""

    def __init__(self, make: Callable[[Model], Provider]) -> None:
        """`make` may take its time: a user's own command may have to be asked for a key."""
        self._make = make
        self._made: dict[str, Provider] = {}
        self._making = asyncio.Lock()

    async def provide(self, model: Model) -> Provider:
        """The provider of a model; raises ProviderError if there is none."""
        async with self._making:
            if model.provider not in self._made:
                self._made[model.provider] = await asyncio.to_thread(self._make, model)
            return self._made[model.provider]

    async def aclose(self) -> None:
        """Free all connections."""
        for provider in self._made.values():
            await provider.aclose()
        self._made.clear()


async def ask(provide: Provide, request: Request) -> AsyncGenerator[Piece, None]:
    """The pieces of an answer; a provider that cannot be made is a failure like any other."""
    try:
        provider = await provide()
    except ProviderError as error:
        yield Failed(error)
        return
    pieces = provider.stream(request)
    try:
        async for piece in pieces:
            yield piece
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()
