import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from diligent_tui.domain.json_objects import JsonObject
from tests.wire.format import Format
from tests.wire.formats import FORMATS
from tests.wire.scripts import Break, Hang, Heard, Say, Script, rehearsed
from tests.wire.server import WireServer

BODIES: dict[str, JsonObject] = {
    "anthropic": {"model": "m", "max_tokens": 9, "stream": True, "messages": [{"role": "user", "content": "Hello."}]},
    "openai": {
        "model": "m",
        "stream": True,
        "store": False,
        "input": [{"type": "message", "role": "user", "content": "Hello."}],
    },
    "openai-compatible": {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Hello."}]},
}
KEY = {"authorization": "Bearer x"}
ANY_FORMAT = pytest.mark.parametrize("spoken", FORMATS, ids=[known.name for known in FORMATS])


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


def post(
    server: WireServer, spoken: Format, body: JsonObject | bytes, headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    connection = HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", spoken.path, raw, KEY if headers is None else headers)
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


@ANY_FORMAT
def test_a_body_that_the_real_server_takes_is_answered(server: WireServer, spoken: Format) -> None:
    server.play(Script((Say("Good day."),), piece_chars=100))
    status, answer = post(server, spoken, BODIES[spoken.name])
    assert status == 200
    assert b"Good day." in answer


@ANY_FORMAT
def test_what_the_real_server_refuses_is_refused(server: WireServer, spoken: Format) -> None:
    good = BODIES[spoken.name]
    refused: list[tuple[JsonObject | bytes, dict[str, str] | None, int]] = [
        (good, {}, 401),
        (b"{", None, 400),
        (b"[]", None, 400),
        ({**good, "stream": False}, None, 400),
        ({**good, "unheard_of": 1}, None, 400),
        ({key: value for key, value in good.items() if key not in ("messages", "input")}, None, 400),
    ]
    for body, headers, expected in refused:
        status, answer = post(server, spoken, body, headers)
        assert status == expected, (body, answer)
        assert b"error" in answer


@ANY_FORMAT
def test_a_request_over_the_window_is_refused(server: WireServer, spoken: Format) -> None:
    server.window_tokens = 5
    status, answer = post(server, spoken, BODIES[spoken.name])
    server.reset()
    assert status == 400
    assert b"5" in answer


def test_a_break_comes_at_its_byte_and_in_its_way(server: WireServer) -> None:
    spoken = FORMATS[0]
    server.play(Script((Say("Hello."),), fault=Break("clean", after_bytes=17)))
    assert post(server, spoken, BODIES[spoken.name]) == (200, b"event: message_st")
    server.play(Script(fault=Hang("reset")))
    with pytest.raises(ConnectionResetError):
        post(server, spoken, BODIES[spoken.name])


def test_a_stall_ends_when_the_client_leaves(server: WireServer) -> None:
    server.reset()
    server.play(Script((Say("Hello."),), fault=Break("stall", after_events=1)))
    spoken, raw = FORMATS[0], json.dumps(BODIES["anthropic"]).encode()
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        head = f"POST {spoken.path} HTTP/1.1\r\nauthorization: x\r\ncontent-length: {len(raw)}\r\n\r\n"
        line.sendall(head.encode() + raw)
        assert b"200" in line.recv(100)
        assert server.requests[0].has_said.wait(10)
        assert not server.requests[0].has_left.is_set()
    assert server.requests[0].has_left.wait(10)


def test_a_server_that_is_stopped_leaves_no_thread() -> None:
    before = threading.active_count()
    with WireServer() as running:
        assert threading.active_count() == before + 1
        post(running, FORMATS[0], BODIES["anthropic"])
    assert threading.active_count() == before


def test_the_little_talk_uses_a_tool_and_tells_of_its_result() -> None:
    first = rehearsed(Heard("Look.", (), ("ls", "bash")))
    assert first.stop_reason == "tool_use"
    second = rehearsed(Heard("", ("a.py",), ("ls", "bash")))
    assert "a.py" in str(second.steps)
    assert rehearsed(Heard("Look.", (), ())).stop_reason == "end_turn"
