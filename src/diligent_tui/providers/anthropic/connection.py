"""Anthropic's SDK as we use it: it signs and carries a request, and its response is read by us.

Importing this costs what the SDK's HTTP client costs, so the provider imports it in a thread.
"""

import json
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from diligent_tui.domain.errors import AuthFailed, ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.anthropic.decoding import AnthropicDecoder
from diligent_tui.providers.anthropic.errors import PROVIDER
from diligent_tui.providers.base import Failed, Piece
from diligent_tui.providers.registry import ProviderOptions
from diligent_tui.providers.streaming import answer_pieces
from diligent_tui.providers.transport import ERRORS, Refused, explain, make_http_client, require_events
from diligent_tui.providers.vendors import vendor

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

PATH = "/v1/messages"
_KEY_HEADERS = ("authorization", "x-api-key")


@dataclass(frozen=True, slots=True)
class Connection:
    """A client, all that it may raise, and what must never be shown."""

    client: "AsyncAnthropic" = field(repr=False)
    errors: tuple[type[Exception], ...]
    secrets: Sequence[str] = field(repr=False)
    stall_seconds: float

    @property
    def host(self) -> str:
        """Where the client sends to, as it is said to people."""
        url = self.client.base_url
        return f"{url.host}:{url.port}" if url.port else url.host

    async def answer(self, body: JsonObject) -> AsyncGenerator[Piece, None]:
        """The pieces of an answer with the last one, which also tells of every failure; none is raised."""
        from anthropic import AsyncStream, CredentialsError

        # Made here, so that a request's bytes depend on nothing but the request.
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        has_begun = False
        try:
            stream = await self.client.post(
                PATH,
                cast_to=object,
                content=content,
                options={"timeout": self.client.timeout},
                stream=True,
                stream_cls=AsyncStream[object],
            )
            has_begun = True
            await require_events(PROVIDER, stream.response, self.secrets)
            decoder = AnthropicDecoder()
            pieces = answer_pieces(stream.response, decoder, self.stall_seconds, self.errors)
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece
        except ProviderError as error:
            yield Failed(error)
        except CredentialsError:
            yield Failed(_bad_sign_in())
        except self.errors as error:
            yield Failed(explain(PROVIDER, error, self.host, self.secrets, has_begun=has_begun))

    async def aclose(self) -> None:
        """Free the connections."""
        await self.client.close()


def connect(options: ProviderOptions) -> Connection:
    """Import the SDK and make its client, with no retries of its own; slow, so it belongs in a thread.

    Where the options are silent, the SDK reads its own variables for key, base URL, headers and proxies.
    """
    import anthropic

    errors = (*ERRORS, Refused, anthropic.AnthropicError, ssl.SSLError, OSError, UnicodeEncodeError)
    try:
        client = anthropic.AsyncAnthropic(
            api_key=(options.api_key or "").strip() or None,
            base_url=options.base_url,
            default_headers=options.headers,
            max_retries=0,
            open_telemetry=False,
            http_client=make_http_client(
                anthropic.DefaultAsyncHttpxClient, options.stall_seconds, options.connect_seconds
            ),
        )
    except anthropic.CredentialsError as error:
        raise _bad_sign_in() from error
    except (*errors, ValueError, ImportError) as error:
        raise _cannot_begin(error) from error
    static_keys = [key for key in (client.api_key, client.auth_token) if key]
    has_key_header = any(name.lower() in _KEY_HEADERS for name in client.default_headers)
    if not static_keys and client.credentials is None and not has_key_header:
        raise AuthFailed("There is no key for Anthropic.", vendor(PROVIDER).key_advice)
    return Connection(client, errors, (*static_keys, *options.headers.values()), options.stall_seconds)


def _bad_sign_in() -> AuthFailed:
    return AuthFailed("The saved sign-in for Anthropic cannot be used.", vendor(PROVIDER).key_advice)


def _cannot_begin(error: Exception) -> ProviderError:
    """An address, proxy or certificate that is named somewhere but cannot be used."""
    found = explain(PROVIDER, error)
    if type(found) is ProviderError or isinstance(found, AuthFailed):
        return found
    return ProviderError(
        f"The connection to Anthropic cannot be set up ({type(error).__name__}).",
        "Check the base URL, and the proxy and certificate variables of the environment.",
    )
