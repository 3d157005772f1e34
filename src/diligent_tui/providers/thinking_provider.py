"""A vendor's models behind an SDK that is loaded late, whose reasoning goes back to it as long as it takes it."""

from collections.abc import AsyncGenerator, Callable
from typing import Generic, TypeVar

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Piece, ServerWindow
from diligent_tui.providers.late_connection import Closable, LateConnection
from diligent_tui.providers.thoughts import Ask, asked_again_without_thoughts

ConnectionT = TypeVar("ConnectionT", bound=Closable)


class ThinkingProvider(Generic[ConnectionT]):
    """Keeps what `providers.base` promises; how to connect and how to ask is the vendor's."""

    def __init__(
        self,
        name: str,
        connect: Callable[[], ConnectionT],
        ask: Callable[[ConnectionT, Request], AsyncGenerator[Piece, None]],
        refuses_thoughts: Callable[[ProviderError], bool],
    ) -> None:
        """Remember how to reach the server; nothing is imported or opened before the first request."""
        self._name = name
        self._connection = LateConnection(connect)
        self._ask = ask
        self._refuses_thoughts = refuses_thoughts

    @property
    def name(self) -> str:
        """The provider's part of a model id."""
        return self._name

    def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Answer as `providers.base` promises."""
        return asked_again_without_thoughts(request, self._ready_to_ask, self._refuses_thoughts)

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """Not told by these servers: what our table does not know, an overflow tells."""
        return None

    async def warm_up(self) -> None:
        """Import the SDK now, in a thread, so that the first request need not wait for it."""
        await self._connection.warm_up()

    async def aclose(self) -> None:
        """Free the connections."""
        await self._connection.aclose()

    async def _ready_to_ask(self) -> Ask:
        connection = await self._connection.ready()
        return lambda request: self._ask(connection, request)
