"""The provider of OpenAI's models with the real SDK, against the loopback server."""

import json
from dataclasses import replace

import pytest

from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Text, UserTurn
from diligent_tui.providers.openai_responses.client import OpenAIResponsesProvider
from diligent_tui.providers.registry import ProviderOptions, make_provider
from tests.providers.lineup import KEY, LINEUP, ask, hear, results_for, said_again
from tests.wire import responses
from tests.wire.scripts import Refuse, Say, Script, Think, call
from tests.wire.server import WireServer

OPENAI = next(contender for contender in LINEUP if contender.name == "openai")
START = UserTurn((Text("Look around."),))


def test_the_registry_makes_it() -> None:
    assert isinstance(make_provider("openai"), OpenAIResponsesProvider)


async def test_items_go_back_byte_for_byte(server: WireServer) -> None:
    provider = OpenAIResponsesProvider(ProviderOptions(api_key=KEY, base_url=f"{server.url}/v1"))
    script = Script((Think("A  thought."), Say("I look — twice."), call("call_1", "read", path="é.py", depth=1.0)))
    server.play(script, Script((Say("Done."),)))
    first = await hear(provider.stream(ask(OPENAI, START, thinking="high")))
    results = results_for(first.finished.blocks)
    await hear(provider.stream(ask(OPENAI, START, said_again(first.finished.blocks), results, thinking="high")))
    sent = server.requests[1].raw.decode()
    for item in responses.items(script, server.requests[0].body):
        assert json.dumps(item, ensure_ascii=False, separators=(",", ":")) in sent
    await provider.aclose()


async def test_thoughts_that_are_refused_are_left_out_once_with_the_items_they_led_to(server: WireServer) -> None:
    provider = OpenAIResponsesProvider(ProviderOptions(api_key=KEY, base_url=f"{server.url}/v1"))
    server.play(Script((Think("Hm."), Say("I look."), call("call_1", "read", path="a.py"))), Script((Say("Done."),)))
    first = await hear(provider.stream(ask(OPENAI, START, thinking="high")))
    results = results_for(first.finished.blocks)
    asked = ask(OPENAI, START, said_again(first.finished.blocks), results, thinking="high")
    other = Model("openai", "gpt-6-luna", thinking_levels=OPENAI.model.thinking_levels)
    heard = await hear(provider.stream(replace(asked, model=other)))
    assert heard.finished.stop_reason == "end_turn"
    assert [bool(request.problems) for request in server.requests] == [False, True, False]
    last = server.requests[2].raw
    # The real server refuses an item that it knows to have come with reasoning.
    assert not any(mark in last for mark in (b'encrypted_content":', b'"id":"fc_', b'"id":"msg_'))
    assert b"call_1" in last
    await provider.aclose()


REFUSED_THOUGHTS = {
    "of another account": (400, "The encrypted content gAAA1 could not be verified."),
    "without its item": (400, "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    "item without it": (400, "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item."),
    "not kept": (404, "Item with id 'rs_1' not found. Try again, or remove this item from your input."),
}


@pytest.mark.parametrize("name", REFUSED_THOUGHTS)
async def test_each_way_to_refuse_thoughts_is_known(server: WireServer, name: str) -> None:
    provider = OpenAIResponsesProvider(ProviderOptions(api_key=KEY, base_url=f"{server.url}/v1"))
    server.play(Script((Think("Hm."), Say("I look."))))
    first = await hear(provider.stream(ask(OPENAI, START, thinking="high")))
    status, words = REFUSED_THOUGHTS[name]
    body = json.dumps(responses.error_body("invalid_request_error", words)).encode()
    server.play(Script(fault=Refuse(status, body)), Script((Say("Done."),)))
    again = ask(OPENAI, START, said_again(first.finished.blocks), START, thinking="high")
    assert (await hear(provider.stream(again))).finished.stop_reason == "end_turn"
    assert len(server.requests) == 3
    await provider.aclose()


async def test_a_refusal_that_stays_is_told(server: WireServer) -> None:
    provider = OpenAIResponsesProvider(ProviderOptions(api_key=KEY, base_url=f"{server.url}/v1"))
    body = json.dumps(responses.error_body("invalid_request_error", "The encrypted content is bad.")).encode()
    server.play(Script(fault=Refuse(400, body)))
    assert (await hear(provider.stream(ask(OPENAI)))).error.kind == "provider"
    assert len(server.requests) == 1
    await provider.aclose()


async def test_where_the_options_are_silent_the_environment_speaks(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    provider = OpenAIResponsesProvider(ProviderOptions())
    heard = await hear(provider.stream(ask(OPENAI)))
    assert heard.finished.blocks
    assert server.requests[0].headers["authorization"] == "Bearer sk-from-the-environment"
    await provider.aclose()


async def test_nothing_is_kept_on_the_server_and_the_cache_has_a_key(server: WireServer) -> None:
    provider = OpenAIResponsesProvider(ProviderOptions(api_key=KEY, base_url=f"{server.url}/v1"))
    await hear(provider.stream(ask(OPENAI)))
    await hear(provider.stream(ask(OPENAI, thinking="low")))
    plain, thinking = (request.body for request in server.requests)
    assert (plain["store"], plain["prompt_cache_key"]) == (False, "session")
    assert (plain["reasoning"], thinking["reasoning"]) == ({"effort": "none"}, {"effort": "low", "summary": "auto"})
    assert thinking["include"] == ["reasoning.encrypted_content"]
    await provider.aclose()


async def test_warming_up_without_a_key_says_nothing_and_the_request_does(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-only")
    provider = OpenAIResponsesProvider(ProviderOptions(base_url=f"{server.url}/v1"))
    await provider.warm_up()
    heard = await hear(provider.stream(ask(OPENAI)))
    assert heard.error.kind == "auth"
    assert server.requests == []
