"""A model of a local server has the window that the server gives it: asked once, when the model is used."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest

from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.events import ContextMeasured, ContextOverflowed, TurnFailed
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.providers.openai_chat.windows import OLLAMA_DEFAULT_TOKENS
from diligent_tui.providers.registry import ASSUMED_WINDOW_TOKENS
from tests.providers.lineup import LINEUP, refusal
from tests.wire import anthropic, chat
from tests.wire.scripts import Hang, Say, Script
from tests.wire.server import WireServer
from tests.wire.sessions import WireStage, wire_stage

HELLO = Script((Say("Hello."),))
LOCAL = Model("openai-compatible", "qwen3:8b")
LISTED: dict[str, JsonObject] = {"/v1/models": {"data": [{"id": LOCAL.name, "max_model_len": 12_000}]}}
SHOWN: dict[str, JsonObject] = {"/api/show": {"model_info": {"qwen3.context_length": 40_960}}}


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with WireServer(answer=lambda _: HELLO) as running:
        yield running


@pytest.fixture
async def stage(tmp_path: Path, server: WireServer) -> AsyncGenerator[WireStage, None]:
    async with wire_stage(tmp_path, server, LOCAL) as made:
        yield made
    server.reset()


def gauge(stage: WireStage) -> tuple[int, bool]:
    measured = stage.heard(ContextMeasured)[-1]
    return measured.limit, measured.limit_assumed


async def test_the_server_is_asked_when_the_model_is_used_and_not_before(stage: WireStage) -> None:
    stage.server.pages.update(LISTED)
    await stage.session.warm_up()
    measured = stage.session.measure()
    assert (measured.limit, measured.limit_assumed) == (ASSUMED_WINDOW_TOKENS, True)
    await stage.ask("hello")
    assert gauge(stage) == (12_000, False)
    assert stage.heard(ContextMeasured)[0].limit == 12_000
    assert stage.session.model.window_tokens == 12_000


async def test_it_is_asked_once(stage: WireStage) -> None:
    stage.server.pages.update(LISTED)
    await stage.ask("hello")
    stage.server.pages["/v1/models"] = {"data": [{"id": LOCAL.name, "max_model_len": 99_000}]}
    await stage.ask("hello again")
    assert gauge(stage) == (12_000, False)


async def test_a_server_that_does_not_say_leaves_the_window_assumed(stage: WireStage) -> None:
    await stage.ask("hello")
    assert gauge(stage) == (ASSUMED_WINDOW_TOKENS, True)


async def test_a_server_that_was_away_is_asked_again_after_the_failure(stage: WireStage) -> None:
    stage.server.play(*[Script(fault=Hang("reset"))] * 5)
    await stage.session.prompt("hello")
    await stage.session.wait_idle()
    assert [event.problem.kind for event in stage.heard(TurnFailed)] == ["unavailable"]
    stage.server.pages.update(LISTED)
    stage.events.clear()
    await stage.ask("hello")
    assert gauge(stage) == (12_000, False)


async def test_a_window_that_the_server_may_not_keep_to_is_used_and_stays_assumed(stage: WireStage) -> None:
    stage.server.pages.update(SHOWN)
    await stage.ask("hello")
    assert gauge(stage) == (OLLAMA_DEFAULT_TOKENS, True)


async def test_the_answer_is_kept_within_a_part_of_a_small_window(stage: WireStage) -> None:
    stage.server.pages.update(LISTED)
    await stage.ask("hello")
    assert stage.requests_to(LOCAL.provider)[0].body["max_tokens"] == 3_000


async def test_what_the_user_says_of_a_window_is_asked_of_nobody(tmp_path: Path, server: WireServer) -> None:
    server.pages.update(LISTED)
    told = Model(LOCAL.provider, LOCAL.name, window_tokens=8_000)
    async with wire_stage(tmp_path, server, told) as stage:
        await stage.ask("hello")
        assert gauge(stage) == (8_000, False)
    server.reset()


async def test_a_window_is_kept_while_another_model_answers(stage: WireStage) -> None:
    stage.server.pages.update(LISTED)
    await stage.ask("hello")
    await stage.session.set_model(LINEUP[0].model)
    await stage.ask("hello")
    assert gauge(stage) == (200_000, True)
    await stage.session.set_model(LOCAL)
    assert stage.session.measure().limit == 12_000


async def test_an_overflow_that_names_the_limit_corrects_the_window(stage: WireStage) -> None:
    words = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."
    stage.server.play(Script(fault=refusal(chat.FORMAT, 400, "BadRequestError", words)))
    await stage.session.prompt("hello")
    await stage.session.wait_idle()
    assert [event.problem.kind for event in stage.heard(TurnFailed)] == [ContextOverflow.kind]
    assert stage.heard(ContextOverflowed)[0].limit == 8_192
    assert gauge(stage) == (8_192, False)


@pytest.mark.parametrize(("limit", "believed"), [(200_000, 200_000), (2_000_000, 1_000_000), (9, 1_000_000)])
async def test_only_a_sensible_limit_goes_before_what_is_known_of_a_model(
    tmp_path: Path, server: WireServer, limit: int, believed: int
) -> None:
    model = Model("anthropic", "claude-sonnet-5-5", window_tokens=1_000_000)
    words = f"prompt is too long: {limit + 1} tokens > {limit} maximum"
    async with wire_stage(tmp_path, server, model) as stage:
        server.play(Script(fault=refusal(anthropic.FORMAT, 400, "invalid_request_error", words)))
        await stage.session.prompt("hello")
        await stage.session.wait_idle()
        assert gauge(stage) == (believed, False)
    server.reset()
