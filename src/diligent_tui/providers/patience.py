"""Waits longer for the first byte of a server nearby: it may have to load a model and read a long prompt first."""

import asyncio
import ipaddress
from collections.abc import AsyncGenerator
from contextlib import aclosing
from urllib.parse import urlsplit

from diligent_tui.providers.streaming import Response

TIMES = 10
"""How many times as long as between two bytes the first one is waited for."""
_STILL_WAITING = b":\n"
"""A comment, which says nothing to a reader of events but shows the watch over stalls that all is well."""


def patience_for(base_url: str) -> int:
    """How many times as long to wait: a server on this machine or in this network computes on small hardware."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return 1
    try:
        is_near = ipaddress.ip_address(host).is_private
    except ValueError:
        is_near = host.endswith(".local") or "." not in host
    return TIMES if is_near else 1


class Patient:
    """A response whose first bytes may take a number of stalls."""

    def __init__(self, response: Response, stall_seconds: float, times: int) -> None:
        """Wait `times` stalls for the first bytes, then let the usual watch take over."""
        self._response = response
        self._stall_seconds = stall_seconds
        self._times = times

    async def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        """The same bytes, with comments before the first of them."""
        async with aclosing(self._response.aiter_bytes()) as chunks:
            first = asyncio.ensure_future(anext(chunks, b""))
            try:
                # Twice as often as the watch looks, so that it never sees a stall too early.
                for _ in range(2 * (self._times - 1)):
                    if (await asyncio.wait({first}, timeout=self._stall_seconds / 2))[0]:
                        break
                    yield _STILL_WAITING
                yield await first
            finally:
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)
            async for chunk in chunks:
                yield chunk

    async def aclose(self) -> None:
        """Close the response itself."""
        await self._response.aclose()
