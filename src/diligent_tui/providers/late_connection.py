"""A connection that is made when it is first needed, in a thread, since to import an SDK takes long."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from diligent_tui.domain.errors import ProviderError


class Closable(Protocol):
    """What holds sockets open."""

    async def aclose(self) -> None:
        """Free them."""
        ...


Connection = TypeVar("Connection", bound=Closable)


class LateConnection(Generic[Connection]):
    """Makes one connection, however many ask for it at once."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        """Remember how to connect; nothing is imported or opened yet."""
        self._connect = connect
        self._made: Connection | None = None
        self._making = asyncio.Lock()

    async def ready(self) -> Connection:
        """The connection, made now if there is none; ProviderError if it cannot be."""
        async with self._making:
            if self._made is None:
                self._made = await asyncio.to_thread(self._connect)
            return self._made

    async def warm_up(self) -> None:
        """Import the SDK now, so that the first request need not wait for it."""
        try:
            await self.ready()
        except ProviderError:
            # The first request tells of it, where somebody reads it.
            return

    async def aclose(self) -> None:
        """Free the connection; the next one who asks gets a new one."""
        if self._made is not None:
            await self._made.aclose()
            self._made = None
