"""The HTTP client that both SDKs ride on: its limits, and what its failures mean.

Importing this costs what the client costs, so it is imported together with an SDK, in a thread.
"""

import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import aclosing

import httpx2

from diligent_tui.domain.errors import AuthFailed, BadResponse, ProviderError, StreamCut, Unavailable
from diligent_tui.providers.faults import MOST_BODY_BYTES, from_status, no_stream
from diligent_tui.providers.vendors import vendor

ERRORS: tuple[type[Exception], ...] = (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL)
"""All that reading a response may raise."""
STALL_MARGIN = 1.1
"""Our own watch over a stream is to speak first; the client's, which is so much slower, covers the time before it."""


class Refused(Exception):
    """A server answered with something else than success; only the head of its words is read."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Keep what the answer was."""
        super().__init__(status)
        self.status = status
        self.headers = headers
        self.body = body


def make_http_client(
    kind: type[httpx2.AsyncClient], stall_seconds: float, connect_seconds: float
) -> httpx2.AsyncClient:
    """A client of the SDK's own kind that never follows a redirect and never reads an endless refusal."""
    timeout = httpx2.Timeout(STALL_MARGIN * stall_seconds, connect=connect_seconds, pool=connect_seconds)
    return kind(timeout=timeout, follow_redirects=False, event_hooks={"response": [_refuse]})


def explain(
    provider: str, error: BaseException, host: str = "", secrets: Sequence[str] = (), *, has_begun: bool = False
) -> ProviderError:
    """What a failure of the transport means, also one that an SDK has wrapped; its own words may hold a key."""
    maker = vendor(provider)
    causes = list(_causes(error))
    at = f" at {host}" if host else ""
    for cause in causes:
        match cause:
            case ProviderError():
                return cause
            case Refused():
                return from_status(provider, cause.status, cause.body, cause.headers, secrets)
            case ssl.SSLError():
                return Unavailable(
                    f"The connection to {maker.title}{at} is not safe: its certificate cannot be verified.",
                    "Check the base URL, the clock, and whether a proxy stands between (SSL_CERT_FILE names its own).",
                )
            case socket.gaierror():
                return Unavailable(f"{maker.title} cannot be reached: no address is known{at and f' for {host}'}.")
            case ConnectionRefusedError():
                advice = "Check the base URL, and whether the server runs."
                return Unavailable(f"{maker.title} cannot be reached: nobody answers{at}.", advice)
            case httpx2.ProxyError():
                return Unavailable(f"The proxy did not let us through to {maker.title}.", "Check the proxy settings.")
            case httpx2.ConnectTimeout() | httpx2.PoolTimeout():
                return Unavailable(f"{maker.title} cannot be reached: no connection{at} in time.")
            case httpx2.ReadTimeout() if has_begun:
                return StreamCut(f"Nothing came from {maker.title} for too long.")
            case httpx2.ReadTimeout() | httpx2.WriteTimeout():
                return Unavailable(f"{maker.title} took the connection{at} but did not answer in time.")
            case httpx2.LocalProtocolError() | UnicodeEncodeError():
                return AuthFailed("The key or a header holds signs that cannot be sent.", maker.key_advice)
            case httpx2.InvalidURL() | httpx2.UnsupportedProtocol():
                return ProviderError(
                    f"The base URL for {maker.title} is no web address.", "Write it as https://host/path."
                )
            case httpx2.DecodingError():
                return BadResponse(f"{maker.title} sent bytes that cannot be unpacked.")
            case _:
                pass
    if has_begun:
        return StreamCut(f"The connection to {maker.title} was lost in the middle of the answer.")
    return Unavailable(f"The connection to {maker.title}{at} was lost before an answer began.")


async def require_events(provider: str, response: httpx2.Response, secrets: Sequence[str] = ()) -> None:
    """Refuse a success that is no stream: a page, or an error that calls itself a success; the response is closed."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/json"):
        try:
            raise no_stream(provider, await _head_of(response), secrets)
        finally:
            await response.aclose()


async def _refuse(response: httpx2.Response) -> None:
    if not response.is_success:
        raise Refused(response.status_code, dict(response.headers), await _head_of(response))


async def _head_of(response: httpx2.Response) -> bytes:
    body = b""
    try:
        async with aclosing(response.aiter_bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) >= MOST_BODY_BYTES:
                    break
    except httpx2.HTTPError:
        pass
    return body[:MOST_BODY_BYTES]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, the nearest first; a chain that loops ends."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
