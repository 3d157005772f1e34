"""Server-sent events out of bytes that arrive in any pieces."""

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

from diligent_tui.domain.errors import BadResponse
from diligent_tui.domain.json_objects import JsonObject, is_object

MOST_EVENT_BYTES = 64 * 1024 * 1024
"""Of one event; the largest honest one repeats a whole answer, which is a few megabytes at most."""

_BOM = b"\xef\xbb\xbf"


class ServerEvent(NamedTuple):
    """One event; its name is empty where the server gave none."""

    name: str
    data: bytes


class EventReader:
    """Takes bytes as they come and gives out each event once it is whole; a rest without its blank line is no event."""

    def __init__(self) -> None:
        """Start before the first byte."""
        self._open_line: list[bytes] = []
        self._open_bytes = 0
        self._after_return = False
        self._is_first_line = True
        self._name = b""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that this chunk completes."""
        if self._after_return or b"\r" in chunk:
            chunk = self._with_plain_breaks(chunk)
        self._open_bytes += len(chunk)
        if self._open_bytes > MOST_EVENT_BYTES:
            raise BadResponse(f"The server sent an event of more than {MOST_EVENT_BYTES:,} bytes.")
        if b"\n" not in chunk:
            self._open_line.append(chunk)
            return []
        lines = chunk.split(b"\n")
        if self._open_line:
            lines[0] = b"".join((*self._open_line, lines[0]))
        rest = lines.pop()
        self._open_line = [rest] if rest else []
        if self._is_first_line:
            self._is_first_line = False
            lines[0] = lines[0].removeprefix(_BOM)
        events = self._events(lines)
        if events:
            self._open_bytes = len(rest) + sum(map(len, self._data))
        return events

    def _events(self, lines: list[bytes]) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        for line in lines:
            if line.startswith(b"data: "):
                self._data.append(line[6:])
            elif not line:
                if self._data:
                    data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
                    events.append(ServerEvent(self._name.decode("utf-8", "replace"), data))
                    self._data = []
                self._name = b""
            elif line.startswith(b"event:"):
                self._name = line[6:].removeprefix(b" ")
            elif line.startswith(b"data:"):
                self._data.append(line[5:])
            elif line == b"data":
                self._data.append(b"")
        return events

    def _with_plain_breaks(self, chunk: bytes) -> bytes:
        """The chunk with every kind of line break as a newline; a pair may be cut in two by the chunks."""
        if self._after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        if chunk:
            self._after_return = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


async def server_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[ServerEvent]:
    """The events of a stream of bytes."""
    reader = EventReader()
    async for chunk in chunks:
        for event in reader.feed(chunk):
            yield event


def event_object(data: bytes) -> JsonObject:
    """The JSON object that an event carries; anything else is a bad response."""
    try:
        value: object = json.loads(data.decode())
    except (ValueError, RecursionError):
        value = None
    if not is_object(value):
        raise BadResponse("The server sent an event that makes no sense: its data is no JSON object.")
    return value
