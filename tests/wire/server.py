"""A loopback server that speaks the makers' wire formats strictly and can play every fault at every byte."""

import asyncio
import json
import socket
import struct
import threading
from asyncio.trsock import TransportSocket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, assert_never

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.values import is_object
from tests.wire.format import Format
from tests.wire.formats import FORMATS
from tests.wire.scripts import Break, Ending, Hang, Heard, Insert, Refuse, Script, rehearsed

BYTES_PER_TOKEN = 4
LAST_CALLS = 10
MOST_BODY_BYTES = 64 * 1024 * 1024
EVENT_STREAM = (("content-type", "text/event-stream; charset=utf-8"), ("cache-control", "no-cache"))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came; `has_said` is set once the stalled answer is out, `has_left` once the client is gone."""

    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: JsonObject
    problems: tuple[str, ...]
    has_said: threading.Event = field(default_factory=threading.Event)
    has_left: threading.Event = field(default_factory=threading.Event)


class WireServer:
    """Answers scripts in the order they were given, then whatever `answer` makes of a request."""

    def __init__(
        self,
        formats: Sequence[Format] = FORMATS,
        window_tokens: int | None = None,
        answer: Callable[[Heard], Script] = rehearsed,
        port: int = 0,
    ) -> None:
        """Be ready to start; port 0 is any free one."""
        self.window_tokens = window_tokens
        self.requests: list[Recorded] = []
        self.connections = 0
        """How many were ever opened."""
        self.pages: dict[str, JsonObject] = {}
        """Other paths, and the JSON that they answer to any method."""
        self._formats = formats
        self._answer = answer
        self._port = port
        self._scripts: deque[Script] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._is_up = threading.Event()
        self._served: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._stop: asyncio.Event = asyncio.Event()

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end."""
        return f"http://127.0.0.1:{self._port}"

    def play(self, *scripts: Script) -> None:
        """Answer the next requests so."""
        self._scripts.extend(scripts)

    def reset(self) -> None:
        """Forget what was asked and what was to be answered."""
        self._scripts.clear()
        self.requests.clear()
        self.pages.clear()
        self.window_tokens = None

    def __enter__(self) -> Self:
        """Listen, on a thread of its own."""
        self._thread.start()
        self._is_up.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop all connections and be gone."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self._port, limit=2**20)
        self._port = int(server.sockets[0].getsockname()[1])
        self._is_up.set()
        await self._stop.wait()
        server.close()
        for task, writer in self._served.items():
            writer.transport.abort()
            task.cancel()
        await asyncio.gather(*self._served, return_exceptions=True)
        # A connection is closed, and one that just came in is opened, by calls that the loop still has to make.
        for _ in range(LAST_CALLS):
            await asyncio.sleep(0)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self._stop.is_set():
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._served[task] = writer
        task.add_done_callback(self._served.pop)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _Exchange(self, reader, writer).answer():
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()

    def script_for(self, recorded: Recorded, spoken: Format) -> Script:
        """What to answer: a refusal where the real server would refuse, else what was planned."""
        if "authorization" not in recorded.headers and "x-api-key" not in recorded.headers:
            return _refusal(spoken, 401, "authentication_error", "a key is required")
        if recorded.problems:
            return _refusal(spoken, 400, "invalid_request_error", "; ".join(recorded.problems))
        tokens = len(recorded.raw) // BYTES_PER_TOKEN
        if self.window_tokens is not None and tokens > self.window_tokens:
            return _refusal(spoken, 400, "invalid_request_error", spoken.overflow(tokens, self.window_tokens))
        return self._scripts.popleft() if self._scripts else self._answer(spoken.hear(recorded.body))

    def format_at(self, path: str) -> Format | None:
        """The format that is spoken at a path."""
        return next((known for known in self._formats if path.endswith(known.path)), None)


def _refusal(spoken: Format, status: int, kind: str, message: str) -> Script:
    return Script(fault=Refuse(status, json.dumps(spoken.error_body(kind, message)).encode()))


class _Exchange:
    """One request and its answer."""

    def __init__(self, server: WireServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._has_said = threading.Event()
        self._has_left = threading.Event()

    async def answer(self) -> bool:
        """Serve one request; True if the connection can serve another."""
        path, headers, raw = await self._read()
        if (page := self._server.pages.get(path)) is not None:
            return await self._refuse(Refuse(200, json.dumps(page).encode()))
        spoken = self._server.format_at(path)
        if spoken is None:
            return await self._refuse(Refuse(404, b'{"error":{"type":"not_found_error","message":"no such path"}}'))
        body = _object(raw)
        problems = spoken.check(body) if body is not None else ["the body is no JSON object"]
        if body is not None and body.get("stream") is not True:
            problems = [*problems, "stream: only streaming is played here"]
        recorded = Recorded(path, headers, raw, body or {}, tuple(problems), self._has_said, self._has_left)
        self._server.requests.append(recorded)
        try:
            return await self._play(self._server.script_for(recorded, spoken), spoken, recorded.body)
        except ConnectionError:
            self._has_left.set()
            raise

    async def _read(self) -> tuple[str, dict[str, str], bytes]:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin1").split("\r\n")
        _, path, _ = head[0].split(" ", 2)
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        raw = await self._reader.readexactly(min(int(headers.get("content-length", "0")), MOST_BODY_BYTES))
        return path.partition("?")[0], headers, raw

    async def _play(self, script: Script, spoken: Format, body: JsonObject) -> bool:
        match script.fault:
            case Hang(ending):
                return await self._end(ending)
            case Refuse():
                return await self._refuse(script.fault)
            case Break() | Insert() | None:
                pass
            case _:
                assert_never(script.fault)
        self._head(200, (*EVENT_STREAM, ("transfer-encoding", "chunked")))
        chunks, ending = _planned([part.replace(b"\n", script.newline) for part in spoken.events(script, body)], script)
        for chunk in chunks:
            self._writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            await self._writer.drain()
            if script.pause_seconds:
                await asyncio.sleep(script.pause_seconds)
        return await self._end(ending)

    async def _end(self, ending: Ending) -> bool:
        await self._writer.drain()
        match ending:
            case "clean":
                self._writer.write(b"0\r\n\r\n")
                await self._writer.drain()
                return True
            case "stall":
                await self._until_left()
            case "reset":
                self._reset()
            case "close":
                self._writer.close()
                await self._writer.wait_closed()
            case _:
                assert_never(ending)
        return False

    async def _until_left(self) -> None:
        self._has_said.set()
        while await self._reader.read(65536):
            pass
        self._has_left.set()

    def _reset(self) -> None:
        """Leave so that the other side gets a reset instead of an end."""
        connection: object = self._writer.get_extra_info("socket")
        assert isinstance(connection, TransportSocket)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def _refuse(self, refusal: Refuse) -> bool:
        if refusal.endless:
            self._head(refusal.status, refusal.headers)
            while not self._reader.at_eof():
                self._writer.write(refusal.body)
                await self._writer.drain()
            self._has_left.set()
            return False
        self._head(refusal.status, (*refusal.headers, ("content-length", str(len(refusal.body)))))
        self._writer.write(refusal.body)
        await self._writer.drain()
        return True

    def _head(self, status: int, headers: Sequence[tuple[str, str]]) -> None:
        lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers), "", ""]
        self._writer.write("\r\n".join(lines).encode("latin1"))


def _planned(parts: list[bytes], script: Script) -> tuple[list[bytes], Ending]:
    """The chunks to send, and how to end."""
    ending: Ending = "clean"
    match script.fault:
        case Insert(data, at_event, how):
            ending = how or "clean"
            parts = [*parts[:at_event], data, *(parts[at_event:] if how is None else ())]
        case Break(how, after_bytes, after_events):
            ending = how
            if after_events is not None:
                parts = parts[:after_events]
            if after_bytes is not None:
                parts = [b"".join(parts)[:after_bytes]]
        case _:
            pass
    if script.chunk_bytes:
        whole = b"".join(parts)
        parts = [whole[at : at + script.chunk_bytes] for at in range(0, len(whole), script.chunk_bytes)]
    return [part for part in parts if part], ending


def _object(raw: bytes) -> JsonObject | None:
    try:
        value: object = json.loads(raw)
    except ValueError:
        return None
    return value if is_object(value) else None
