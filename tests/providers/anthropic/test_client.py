import subprocess
import sys

import pytest

from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Request, Text, Thinking, UserTurn
from diligent_tui.providers.anthropic.client import AnthropicProvider
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.registry import ProviderOptions
from tests.providers.lineup import KEY, LINEUP, ask, hear
from tests.wire.scripts import Refuse, Say, Script
from tests.wire.server import WireServer

ANTHROPIC = LINEUP[0]
HELLO = Script((Say("Hello."),))


async def answer(options: ProviderOptions, request: Request | None = None) -> str:
    """How one answer ended: its stop reason, or the kind of its error."""
    provider = AnthropicProvider(options)
    heard = await hear(provider.stream(request or ask(ANTHROPIC)))
    await provider.aclose()
    return getattr(heard.last, "stop_reason", "") or heard.error.kind


def test_the_provider_is_made_without_its_sdk() -> None:
    code = (
        "import sys; from diligent_tui.providers.registry import make_provider; make_provider('anthropic');"
        "print([name for name in ('anthropic', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_key_and_address_come_from_the_environment(server: WireServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "env-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-team: north")
    server.play(HELLO)
    assert await answer(ProviderOptions()) == "end_turn"
    headers = server.requests[0].headers
    assert (headers["authorization"], headers["x-team"]) == ("Bearer env-key", "north")
    assert "anthropic-version" in headers


async def test_what_the_options_say_goes_before_the_environment(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "env-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    server.play(HELLO)
    assert await answer(ProviderOptions(api_key=f" {KEY}\n", base_url=server.url)) == "end_turn"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_key_in_the_settings_headers_is_enough(server: WireServer) -> None:
    server.play(HELLO)
    assert await answer(ProviderOptions(base_url=server.url, headers={"X-Api-Key": "k"})) == "end_turn"


@pytest.mark.parametrize(
    ("variable", "value", "kind"),
    [
        ("HTTP_PROXY", "nonsense://x", "provider"),
        ("ALL_PROXY", "socks5://127.0.0.1:9", "provider"),
        ("ANTHROPIC_PROFILE", "no-such-profile", "auth"),
    ],
)
async def test_an_environment_that_cannot_be_used_is_told(
    server: WireServer, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, kind: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert await answer(ProviderOptions(base_url="http://example.invalid")) == kind


async def test_an_old_model_brings_no_warning(server: WireServer) -> None:
    server.play(HELLO)
    request = Request(Model("anthropic", "claude-haiku-3-5-20241022"), "", (), ask(ANTHROPIC).messages, 100)
    assert await answer(ProviderOptions(api_key=KEY, base_url=server.url), request) == "end_turn"


async def test_the_body_is_the_converted_request_and_nothing_else(server: WireServer) -> None:
    server.play(HELLO)
    request = ask(ANTHROPIC, thinking="high")
    await answer(ProviderOptions(api_key=KEY, base_url=server.url), request)
    assert server.requests[0].body == {**to_anthropic(request), "stream": True}


async def test_answers_after_each_other_share_a_connection(server: WireServer) -> None:
    server.play(HELLO, HELLO, HELLO)
    provider = AnthropicProvider(ProviderOptions(api_key=KEY, base_url=server.url))
    before = server.connections
    for _ in range(3):
        await hear(provider.stream(ask(ANTHROPIC)))
    await provider.aclose()
    assert server.connections == before + 1


async def test_a_provider_can_be_warmed_up_and_used_and_closed_twice(server: WireServer) -> None:
    provider = AnthropicProvider(ProviderOptions(api_key=KEY, base_url=server.url))
    await provider.warm_up()
    server.play(HELLO)
    assert (await hear(provider.stream(ask(ANTHROPIC)))).finished.stop_reason == "end_turn"
    await provider.aclose()
    await provider.aclose()


async def test_warming_up_without_a_key_is_told_only_when_asked(server: WireServer) -> None:
    provider = AnthropicProvider(ProviderOptions(base_url=server.url))
    await provider.warm_up()
    assert (await hear(provider.stream(ask(ANTHROPIC)))).error.kind == "auth"


async def test_a_redirect_takes_neither_key_nor_prompt_along(server: WireServer) -> None:
    with WireServer() as stranger:
        server.play(Script(fault=Refuse(307, b"", (("location", f"{stranger.url}/v1/messages"),))))
        assert await answer(ProviderOptions(api_key=KEY, base_url=server.url)) == "bad_response"
        assert stranger.connections == 0


async def test_thoughts_that_are_refused_are_left_out_once(server: WireServer) -> None:
    go = UserTurn((Text("Go."),))
    forged = AssistantTurn((Thinking("Hm.", "forged"), Text("I look.")))
    server.play(HELLO)
    request = ask(ANTHROPIC, go, forged, go, thinking="high")
    assert await answer(ProviderOptions(api_key=KEY, base_url=server.url), request) == "end_turn"
    assert [b'"thinking":"Hm."' in recorded.raw for recorded in server.requests] == [True, False]
    assert server.requests[1].problems == ()


async def test_a_refusal_that_stays_is_told(server: WireServer) -> None:
    refusal = Script(fault=Refuse(400, b'{"error": {"message": "Invalid `signature` in `thinking` block"}}'))
    server.play(refusal, refusal, refusal)
    assert await answer(ProviderOptions(api_key=KEY, base_url=server.url)) == "provider"
    assert len(server.requests) == 1
