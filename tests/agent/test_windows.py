"""A server that does not answer a question about its window holds nobody up for long."""

import asyncio
from dataclasses import replace
from pathlib import Path

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.windows import Windows
from diligent_tui.domain.errors import AuthFailed
from diligent_tui.domain.events import TurnFinished
from diligent_tui.domain.models import Model
from diligent_tui.providers.base import Provider, ServerWindow
from diligent_tui.providers.offline.provider import OfflineProvider
from tests.agent.conftest import Stage

UNKNOWN = Model("offline", "rehearsal")


class Hesitant(OfflineProvider):
    """Never answers when it is asked for a window."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked = asyncio.Event()

    async def window_of(self, model_name: str) -> ServerWindow | None:
        self.is_asked.set()
        await asyncio.Event().wait()
        return None


async def test_a_question_that_hangs_is_stopped_with_the_turn(stage: Stage, tmp_path: Path) -> None:
    provider = Hesitant()

    def provide(_: Model) -> Hesitant:
        return provider

    given = replace(stage.given, model=UNKNOWN, provider_for=provide)
    held = Stage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given)
    await held.session.prompt("hello")
    await provider.is_asked.wait()
    held.session.interrupt()
    await asyncio.wait_for(held.session.wait_idle(), 20)
    assert [event.reason for event in held.heard(TurnFinished)] == ["interrupted"]
    await held.session.close()


async def test_a_provider_that_cannot_be_made_leaves_the_window_assumed() -> None:
    async def provide() -> Provider:
        raise AuthFailed("There is no key.")

    windows = Windows()
    assert not await windows.ask(UNKNOWN, provide)
    assert windows.of(UNKNOWN)[1]
    assert windows.fitted(UNKNOWN) is UNKNOWN
