"""OpenAI's SDK as both its formats use it: it signs and carries a request, and its response is read by us.

Importing this costs what the SDK's HTTP client costs, so a provider imports it in a thread.
"""

import json
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx2

from diligent_tui.domain.errors import AuthFailed, ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.base import Failed, Piece
from diligent_tui.providers.patience import Patient
from diligent_tui.providers.registry import ProviderOptions
from diligent_tui.providers.streaming import Decoder, Response, answer_pieces
from diligent_tui.providers.transport import ERRORS, Refused, explain, make_http_client, require_events
from diligent_tui.providers.vendors import vendor

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = "openai"
NO_KEY = "none"
"""The SDK insists on a key; servers that ask for none do not look at it."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """A client of one provider, all that it may raise, and what must never be shown."""

    provider: str
    client: "AsyncOpenAI" = field(repr=False)
    errors: tuple[type[Exception], ...]
    secrets: Sequence[str] = field(repr=False)
    stall_seconds: float
    patience: int
    """How many stalls the first byte is waited for."""

    @property
    def host(self) -> str:
        """Where the client sends to, as it is said to people."""
        url = self.client.base_url
        return f"{url.host}:{url.port}" if url.port else url.host

    async def answer(self, path: str, body: JsonObject, decoder: Decoder) -> AsyncGenerator[Piece, None]:
        """The pieces of an answer with the last one, which also tells of every failure; none is raised."""
        from openai import AsyncStream

        # Made here, so that a request's bytes depend on nothing but the request.
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        has_begun = False
        try:
            stream = await self.client.post(
                path, cast_to=object, content=content, stream=True, stream_cls=AsyncStream[object]
            )
            has_begun = True
            response = await self._readable(stream.response)
            pieces = answer_pieces(response, decoder, self.stall_seconds, self.errors)
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece
        except ProviderError as error:
            yield Failed(error)
        except self.errors as error:
            yield Failed(explain(self.provider, error, self.host, self.secrets, has_begun=has_begun))

    async def look_up(self, url: str, body: JsonObject | None, seconds: float) -> object:
        """The JSON that an address answers with; None where it does not."""
        try:
            if body is None:
                return await self.client.get(url, cast_to=object, options={"timeout": seconds})
            return await self.client.post(url, cast_to=object, body=body, options={"timeout": seconds})
        except (*self.errors, ValueError):
            return None

    async def aclose(self) -> None:
        """Free the connections."""
        await self.client.close()

    async def _readable(self, response: httpx2.Response) -> Response:
        """The response as a stream of events; other servers than OpenAI's may send the whole answer at once."""
        kind = response.headers.get("content-type", "")
        if self.provider != OPENAI and kind.lower().startswith("application/json"):
            return _WholeAnswer(response)
        await require_events(self.provider, response, self.secrets)
        return response if self.patience == 1 else Patient(response, self.stall_seconds, self.patience)


def connect(provider: str, options: ProviderOptions, patience: int = 1) -> Sdk:
    """Import the SDK and make its client, with no retries of its own; slow, so it belongs in a thread.

    Where the options are silent, the SDK reads its own variables for OpenAI's key, base URL, headers and proxies. What
    the environment says of an account at OpenAI is nobody else's business: another server gets none of it.
    """
    import openai

    errors = (*ERRORS, Refused, openai.OpenAIError, ssl.SSLError, OSError, UnicodeEncodeError)
    key = (options.api_key or "").strip()
    headers = dict(options.headers)
    if provider != OPENAI:
        key = key or NO_KEY
        headers = {"Authorization": f"Bearer {key}", **headers}
    try:
        client = openai.AsyncOpenAI(
            api_key=key or None,
            base_url=options.base_url,
            default_headers=headers,
            max_retries=0,
            http_client=make_http_client(
                openai.DefaultAsyncHttpxClient, patience * options.stall_seconds, options.connect_seconds
            ),
        )
    except (*errors, ValueError, ImportError) as error:
        raise _cannot_begin(provider, error) from error
    if provider != OPENAI:
        client.organization = client.project = None
    elif not client.api_key and not any(name.lower() == "authorization" for name in headers):
        raise _no_key(provider)
    secrets = (client.api_key, *options.headers.values())
    return Sdk(provider, client, errors, secrets, options.stall_seconds, patience)


def _cannot_begin(provider: str, error: Exception) -> ProviderError:
    """No key, or a proxy or certificate that the environment names but that cannot be used."""
    if "credentials" in str(error).lower():
        return _no_key(provider)
    found = explain(provider, error)
    if type(found) is ProviderError or isinstance(found, AuthFailed):
        return found
    return ProviderError(
        f"The connection to {vendor(provider).title} cannot be set up ({type(error).__name__}).",
        "Check the base URL, and the proxy and certificate variables.",
    )


def _no_key(provider: str) -> AuthFailed:
    maker = vendor(provider)
    return AuthFailed(f"There is no key for {maker.title}.", maker.key_advice)


class _WholeAnswer:
    """A body of JSON read as if it were one event of a stream, for servers that do not stream."""

    def __init__(self, response: Response) -> None:
        self._response = response

    async def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        yield b"data: "
        async with aclosing(self._response.aiter_bytes()) as chunks:
            async for chunk in chunks:
                # A line break in JSON is only space, but it would end the event.
                yield chunk.replace(b"\n", b" ").replace(b"\r", b" ")
        yield b"\n\ndata: [DONE]\n\n"

    async def aclose(self) -> None:
        await self._response.aclose()
