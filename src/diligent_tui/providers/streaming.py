"""Reads an answer off the wire: stalls end it, every exit frees the connection, the last piece is always there."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Protocol

from diligent_tui.domain.errors import ProviderError, StreamCut
from diligent_tui.providers.base import Failed, Finished, Piece
from diligent_tui.providers.sse import EventReader, ServerEvent

LINGER_SECONDS = 0.2
"""How long the end of the body is waited for after the answer's end: only then can the connection be used again."""


class Decoder(Protocol):
    """A state machine for one answer in one wire format; raises ProviderError for what makes no sense."""

    def take(self, event: ServerEvent) -> Sequence[Piece]:
        """The pieces that an event brings; never the last one."""
        ...

    @property
    def last(self) -> Finished | Failed | None:
        """The last piece, once the answer has come to its end; what follows on the wire is not looked at."""
        ...

    def cut(self) -> Finished | Failed:
        """The last piece where the bytes ended before `last` was there."""
        ...


class Response(Protocol):
    """An HTTP response whose body is still to be read."""

    def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        """The body, in pieces."""
        ...

    async def aclose(self) -> None:
        """Give the connection back, or close it if the body is not read to its end."""
        ...


async def answer_pieces(
    response: Response, decoder: Decoder, stall_seconds: float, errors: tuple[type[Exception], ...] = ()
) -> AsyncGenerator[Piece, None]:
    """The whole answer with its last piece; the connection is free before that one is told.

    Raises `errors`, which are what the transport raises, but only until the answer has come to its end.
    """
    reader = EventReader()
    try:
        async with aclosing(guarded(response.aiter_bytes(), stall_seconds)) as chunks:
            async for chunk in chunks:
                for event in reader.feed(chunk):
                    for piece in decoder.take(event):
                        yield piece
                    if decoder.last:
                        break
                if decoder.last:
                    await _read_to_the_end(chunks, errors)
                    break
        last = decoder.last or decoder.cut()
    except ProviderError as error:
        last = Failed(error)
    finally:
        await response.aclose()
    yield last


async def guarded(chunks: AsyncIterator[bytes], stall_seconds: float) -> AsyncGenerator[bytes, None]:
    """The same bytes; raises StreamCut when none came for so long. Whatever ends this closes the chunks too."""
    watch = _Watch(stall_seconds)
    try:
        while True:
            watch.begin()
            try:
                chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            except asyncio.CancelledError:
                if watch.is_cause():
                    raise StreamCut(f"Nothing came from the provider for {stall_seconds:g} s.") from None
                raise
            finally:
                watch.pause()
            yield chunk
    finally:
        watch.stop()
        if isinstance(chunks, AsyncGenerator):
            await chunks.aclose()


class _Watch:
    """One timer for a whole stream: a chunk only notes the time, and the timer looks at it when it is due."""

    def __init__(self, stall_seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._stall_seconds = stall_seconds
        self._since: float | None = None
        self._task: asyncio.Task[object] | None = None
        self._has_fired = False
        self._timer = self._loop.call_later(stall_seconds, self._look)

    def begin(self) -> None:
        self._task = asyncio.current_task()
        self._since = self._loop.time()

    def pause(self) -> None:
        self._since = None

    def stop(self) -> None:
        self._timer.cancel()

    def is_cause(self) -> bool:
        """Whether a cancellation was this watch's and nobody else's; if so, it is taken back."""
        return self._has_fired and self._task is not None and self._task.uncancel() == 0

    def _look(self) -> None:
        now = self._loop.time()
        due = (now if self._since is None else self._since) + self._stall_seconds
        if now < due:
            self._timer = self._loop.call_at(due, self._look)
        elif self._task is not None:
            self._has_fired = True
            self._task.cancel()


async def _read_to_the_end(chunks: AsyncIterator[bytes], errors: tuple[type[Exception], ...]) -> None:
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            async for _ in chunks:
                pass
    except (TimeoutError, ProviderError, *errors):
        pass
