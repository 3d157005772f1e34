"""A session on the offline model in a folder of its own, and an ear on its hub."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.events import Event
from diligent_tui.domain.messages import Message
from diligent_tui.domain.modes import Mode
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.providers.retry import Backoff
from diligent_tui.tools.toolbox import builtin_tools

AnyEvent = TypeVar("AnyEvent", bound=Event)


@dataclass
class Stage:
    """A session being watched."""

    session: AgentSession
    given: Surroundings
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.session.hub.subscribe(self.events.append)

    async def ask(self, text: str) -> None:
        await self.session.prompt(text)
        await self.session.wait_idle()

    def heard(self, event_class: type[AnyEvent]) -> list[AnyEvent]:
        return [event for event in self.events if isinstance(event, event_class)]

    def messages(self) -> list[Message]:
        entries = (self.session.store.entry(node.id) for node in self.session.conversation.path)
        return [entry.message for entry in entries if isinstance(entry, MessageEntry)]

    async def reopen(self) -> "Stage":
        await self.session.close()
        return Stage(await AgentSession.resume(self.session.store.path, self.given), self.given)


class MakeStage(Protocol):
    """Makes a session that is closed after the test."""

    def __call__(self, policy: AgentPolicy | None = None, mode: Mode = "full") -> Stage: ...


@pytest.fixture
async def make_stage(tmp_path: Path) -> AsyncIterator[MakeStage]:
    stages: list[Stage] = []

    def make(policy: AgentPolicy | None = None, mode: Mode = "full") -> Stage:
        given = Surroundings(
            model=REHEARSAL,
            provider_for=lambda _: OfflineProvider(),
            tools=builtin_tools,
            root=tmp_path,
            cwd=tmp_path,
            brief=lambda: Briefing("Be good."),
            mode=mode,
            policy=policy or AgentPolicy(partial_delay_seconds=0.01, backoff=Backoff(first_delay_seconds=0.001)),
        )
        stage = Stage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given)
        stages.append(stage)
        return stage

    yield make
    for stage in stages:
        await stage.session.close()


@pytest.fixture
def stage(make_stage: MakeStage) -> Stage:
    return make_stage()
