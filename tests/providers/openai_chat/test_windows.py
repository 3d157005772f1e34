"""Where each server tells a model's window, and which servers are found on this machine."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.openai_chat.local_servers import LocalServer, find_local_servers
from diligent_tui.providers.openai_chat.plain_http import look_up
from diligent_tui.providers.openai_chat.windows import OLLAMA_DEFAULT_TOKENS, ServerWindow, window_of
from tests.wire.server import WireServer

SHOWN: JsonObject = {"model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40_960}}

Pages = Mapping[str, JsonObject]

SERVERS: dict[str, tuple[Pages, int | None, bool]] = {
    "vLLM": ({"/v1/models": {"data": [{"id": "m", "max_model_len": 32_768}]}}, 32_768, True),
    "OpenRouter": ({"/v1/models": {"data": [{"id": "n"}, {"id": "m", "context_length": 200_000}]}}, 200_000, True),
    "Groq": ({"/v1/models": {"data": [{"id": "m", "context_window": 131_072}]}}, 131_072, True),
    "Ollama, loaded": (
        {"/api/ps": {"models": [{"name": "m:latest", "context_length": 16_384}]}, "/api/show": SHOWN},
        16_384,
        True,
    ),
    "Ollama, told by the model": (
        {"/api/ps": {"models": []}, "/api/show": {**SHOWN, "parameters": 'stop "x"\nnum_ctx    8192\n'}},
        8_192,
        True,
    ),
    "Ollama, not told": ({"/api/ps": {"models": []}, "/api/show": SHOWN}, OLLAMA_DEFAULT_TOKENS, False),
    "Ollama, a small model": ({"/api/show": {"model_info": {"gemma.context_length": 2_048}}}, 2_048, False),
    "LM Studio, loaded": (
        {"/api/v0/models": {"data": [{"id": "m", "max_context_length": 40_960, "loaded_context_length": 8_192}]}},
        8_192,
        True,
    ),
    "LM Studio, not loaded": (
        {"/api/v0/models": {"data": [{"id": "m", "state": "not-loaded", "max_context_length": 40_960}]}},
        40_960,
        False,
    ),
    "llama.cpp": ({"/props": {"default_generation_settings": {"n_ctx": 12_288}}}, 12_288, True),
    "a server that says nothing": ({"/v1/models": {"data": [{"id": "m"}]}}, None, False),
    "nonsense": (
        {
            "/v1/models": {"data": [{"id": "m", "max_model_len": -1, "context_length": "many"}, 7]},
            "/api/ps": {"models": "none"},
            "/api/show": {"model_info": [], "parameters": 7},
            "/api/v0/models": {"data": {"m": 1}},
            "/props": {"default_generation_settings": None},
        },
        None,
        False,
    ),
}


@pytest.mark.parametrize("name", SERVERS)
async def test_the_window_is_found_where_the_server_tells_it(server: WireServer, name: str) -> None:
    pages, tokens, is_sure = SERVERS[name]
    server.pages.update(pages)
    window = await window_of(f"{server.url}/v1", "m")
    assert (window.tokens if window else None, bool(window and window.is_sure)) == (tokens, is_sure)


async def test_a_window_of_ollama_that_is_too_small_comes_with_advice(server: WireServer) -> None:
    server.pages.update({"/api/ps": {"models": []}, "/api/show": SHOWN})
    window = await window_of(f"{server.url}/v1/", "m")
    assert isinstance(window, ServerWindow)
    assert window.most_tokens == 40_960
    assert "OLLAMA_CONTEXT_LENGTH" in window.advice
    server.pages["/api/ps"] = {"models": [{"model": "m", "context_length": 32_000}]}
    window = await window_of(f"{server.url}/v1/", "m")
    assert window is not None
    assert window.advice == ""


async def test_no_server_has_no_window() -> None:
    assert await window_of("http://127.0.0.1:9/v1", "m") is None


@pytest.mark.parametrize("url", ["https://127.0.0.1/", "no address", "http://", "http://[::1", "http://127.0.0.1:9/"])
async def test_an_address_that_does_not_answer_is_none(url: str) -> None:
    assert await look_up(url) is None


async def answered(reply: bytes, *, waits: bool = False) -> object:
    """What is made of a reply that a server sends to any request, at once."""

    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        with suppress(ConnectionError):
            if waits:
                await reader.read()
            writer.close()
            await writer.wait_closed()
        over.set()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening:
        port = int(listening.sockets[0].getsockname()[1])
        answer = await look_up(f"http://127.0.0.1:{port}/", seconds=0.05 if waits else 5)
        await over.wait()
        return answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (b'HTTP/1.0 200 OK\r\n\r\n{"a": 1}', {"a": 1}),
        (b'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a": 1}', {"a": 1}),
        (b'HTTP/1.1 404 No\r\n\r\n{"a": 1}', None),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}", None),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000, None),
        (b"SSH-2.0-OpenSSH\r\n", None),
        (b"\r\n\r\n", None),
        (b"", None),
    ],
)
async def test_whatever_listens_there_does_no_harm(reply: bytes, answer: object) -> None:
    assert await answered(reply) == answer


async def test_a_server_that_is_silent_is_left() -> None:
    assert await answered(b"HTTP/1.1 200 OK\r\n", waits=True) is None


async def test_servers_that_answer_with_a_list_are_found(server: WireServer) -> None:
    names = ["qwen3:8b", "evil\x1b[2J", 7, "x" * 500]
    server.pages["/v1/models"] = {"object": "list", "data": [{"id": name} for name in names]}
    server.pages["/v2/models"] = {"object": "list", "data": None}
    server.pages["/v3/models"] = {"hello": "I am something else"}
    places = [("Ollama", "v1"), ("Empty", "v2"), ("Other", "v3"), ("Missing", "v4")]
    found = await find_local_servers(
        (*((title, f"{server.url}/{path}") for title, path in places), ("Gone", "http://127.0.0.1:9/v1"))
    )
    assert found == (
        LocalServer("Ollama", f"{server.url}/v1", ("qwen3:8b",)),
        LocalServer("Empty", f"{server.url}/v2", ()),
    )
