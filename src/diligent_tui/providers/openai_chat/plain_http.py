"""A question to a server on this machine, without an SDK: one small request, one small answer, never a long wait."""

import asyncio
import json
from urllib.parse import urlsplit

from diligent_tui.domain.json_objects import JsonObject

MOST_BYTES = 4 * 1024 * 1024
_HTTP_PORT = 80
_OK = b"200"


async def look_up(url: str, body: JsonObject | None = None, seconds: float = 1.0) -> object:
    """The JSON that a plain `http` address answers with; None where it does not, for whatever reason."""
    try:
        async with asyncio.timeout(seconds):
            return json.loads(await _exchange(url, body))
    except (OSError, ValueError, RecursionError, EOFError, TimeoutError):
        return None


async def _exchange(url: str, body: JsonObject | None) -> bytes:
    place = urlsplit(url)
    if place.scheme != "http" or not place.hostname:
        raise ValueError("no plain address")
    reader, writer = await asyncio.open_connection(place.hostname, place.port or _HTTP_PORT, limit=MOST_BYTES)
    try:
        writer.write(_request(place.netloc, place.path or "/", body))
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        if head[0].split(b" ")[1:2] != [_OK]:
            raise ValueError("not answered with success")
        pairs = (line.partition(b":") for line in head[1:])
        sizes = [int(value) for name, _, value in pairs if name.strip().lower() == b"content-length"]
        return await (reader.readexactly(min(sizes[0], MOST_BYTES)) if sizes else reader.read(MOST_BYTES))
    except asyncio.LimitOverrunError as error:
        raise ValueError("too long a head") from error
    finally:
        writer.transport.abort()
        # The socket is closed at the loop's next turn.
        await asyncio.sleep(0)


def _request(host: str, path: str, body: JsonObject | None) -> bytes:
    """An HTTP/1.0 request: its answer comes in one piece, which ends with the connection."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.0", f"Host: {host}", "Accept: application/json"]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join((*lines, "", "")).encode("ascii", "replace") + content
