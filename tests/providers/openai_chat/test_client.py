"""The provider of servers of one's own with the real SDK, against the loopback server."""

import asyncio
import json

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import TextBlock
from diligent_tui.domain.requests import Text, UserTurn
from diligent_tui.providers.openai_chat.client import OpenAIChatProvider
from diligent_tui.providers.registry import ProviderOptions, make_provider
from tests.providers.lineup import LINEUP, ask, hear, results_for, said_again
from tests.wire.scripts import Break, Refuse, Say, Script, call
from tests.wire.server import WireServer

CHAT = next(contender for contender in LINEUP if contender.name == "openai-compatible")
START = UserTurn((Text("Look around."),))


def made(server: WireServer, stall_seconds: float = 30, headers: dict[str, str] | None = None) -> OpenAIChatProvider:
    return OpenAIChatProvider(
        ProviderOptions(base_url=f"{server.url}/v1/", stall_seconds=stall_seconds, headers=headers or {})
    )


def test_the_registry_makes_it() -> None:
    assert isinstance(make_provider("openai-compatible"), OpenAIChatProvider)


async def test_no_account_at_openai_is_shown_to_another_server(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-secret-too")
    provider = made(server)
    assert (await hear(provider.stream(ask(CHAT)))).finished.blocks
    assert "secret" not in json.dumps(dict(server.requests[0].headers))
    assert server.requests[0].headers["authorization"] == "Bearer none"
    await provider.aclose()


async def test_a_key_in_the_headers_goes_before_ours(server: WireServer) -> None:
    provider = made(server, headers={"Authorization": "Bearer mine"})
    await hear(provider.stream(ask(CHAT)))
    assert server.requests[0].headers["authorization"] == "Bearer mine"
    await provider.aclose()


async def test_calls_go_back_in_the_words_of_their_maker(server: WireServer) -> None:
    provider = made(server)
    server.play(Script((call("call_1", "read", path="é.py"),)), Script((Say("Done."),)))
    first = await hear(provider.stream(ask(CHAT, START)))
    await hear(provider.stream(ask(CHAT, START, said_again(first.finished.blocks), results_for(first.finished.blocks))))
    assert '"arguments":"{\\"path\\": \\"\\\\u00e9.py\\"}"' in server.requests[1].raw.decode()
    assert server.requests[1].problems == ()
    await provider.aclose()


async def test_an_answer_that_is_not_streamed_is_taken(server: WireServer) -> None:
    message = {"role": "assistant", "content": "Hello.", "reasoning": "Hm."}
    whole = {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    }
    provider = made(server)
    server.play(Script(fault=Refuse(200, json.dumps(whole, indent=2).encode())))
    heard = await hear(provider.stream(ask(CHAT)))
    assert [block.type for block in heard.finished.blocks] == ["thinking", "text"]
    assert heard.finished.usage is not None
    await provider.aclose()


@pytest.mark.parametrize("ending", ["close", "reset", "stall"])
async def test_what_breaks_after_the_end_does_not_spoil_the_answer(server: WireServer, ending: str) -> None:
    provider = made(server, stall_seconds=0.2)
    script = Script((Say("Hello."),), piece_chars=100)
    needed = len(CHAT.format.events(script, {})) - CHAT.spare_events
    match ending:
        case "close":
            fault = Break("close", after_events=needed)
        case "reset":
            fault = Break("reset", after_events=needed)
        case _:
            fault = Break("stall", after_events=needed)
    server.play(Script(script.steps, fault=fault, piece_chars=100))
    heard = await hear(provider.stream(ask(CHAT)))
    assert [block.text for block in heard.finished.blocks if isinstance(block, TextBlock)] == ["Hello."]
    assert heard.finished.usage is None
    await provider.aclose()


REFUSALS: dict[str, tuple[int, JsonObject, str, str]] = {
    "Ollama, no such model": (
        404,
        {"error": {"message": 'model "qwen9" not found, try pulling it first', "type": "api_error"}},
        "model_unknown",
        "ollama pull",
    ),
    "Ollama, no tools": (
        400,
        {"error": {"message": "registry.ollama.ai/library/gemma:2b does not support tools", "type": "api_error"}},
        "bad_response",
        "tools",
    ),
    "vLLM, no tools": (
        400,
        {"message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'},
        "bad_response",
        "--enable-auto-tool-choice",
    ),
    "OpenRouter, no credit": (402, {"error": {"code": 402, "message": "Insufficient credits"}}, "provider", "credit"),
    "OpenRouter, no key": (401, {"error": {"code": 401, "message": "No auth credentials found"}}, "auth", "key"),
}


@pytest.mark.parametrize("name", REFUSALS)
async def test_refusals_come_with_advice_that_fits(server: WireServer, name: str) -> None:
    status, body, kind, advice = REFUSALS[name]
    provider = made(server)
    server.play(Script(fault=Refuse(status, json.dumps(body).encode())))
    error = (await hear(provider.stream(ask(CHAT)))).error
    assert error.kind == kind
    assert advice in error.advice
    await provider.aclose()


async def test_a_server_that_does_not_run_is_told_with_how_to_start_it(server: WireServer) -> None:
    lost = OpenAIChatProvider(ProviderOptions(base_url="http://127.0.0.1:9/v1"))
    error = (await hear(lost.stream(ask(CHAT)))).error
    assert "ollama serve" in error.advice
    assert " The server" not in error.message
    await lost.aclose()


async def test_the_window_is_asked_of_the_server_with_its_key(server: WireServer) -> None:
    server.pages["/v1/models"] = {"data": [{"id": "qwen3:8b", "max_model_len": 40_960}]}
    provider = made(server)
    window = await provider.window_of("qwen3:8b")
    assert window is not None
    assert (window.tokens, window.is_sure) == (40_960, True)
    assert await provider.window_of("another") is None
    await provider.aclose()


async def test_two_first_requests_make_one_client(server: WireServer) -> None:
    provider = made(server)
    heard = await asyncio.gather(*(hear(provider.stream(ask(CHAT))) for _ in range(2)))
    assert all(each.finished.blocks for each in heard)
    await provider.aclose()
    await provider.aclose()
