"""Sessions whose models speak over the loopback server with their real SDKs, or rehearse offline."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.events import Event, TurnFailed, TurnFinished
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.providers.base import Provider
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import ProviderOptions, find
from diligent_tui.providers.retry import Backoff
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from tests.providers.lineup import KEY, LINEUP
from tests.wire.scripts import Script
from tests.wire.server import Recorded, WireServer

OFFLINE = find("offline")
MODELS: dict[str, Model] = {**{each.name: each.model for each in LINEUP}, "offline": OFFLINE}
PATHS = {each.name: each.format.path for each in LINEUP}
WAIT_SECONDS = 20

AnyEvent = TypeVar("AnyEvent", bound=Event)


class Listing:
    """A tool that both the scripts and the offline model know how to call."""

    read_only = True
    spec = ToolSpec(
        "ls", "Lists a folder.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    )

    def subject(self, arguments: JsonObject) -> str:
        return str(arguments.get("path"))

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        return Verdict("allow")

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        return Outcome(f"a.py\nb é.py in {arguments.get('path')}")


@dataclass
class WireStage:
    """A session being watched, and the server that its models are at."""

    session: AgentSession
    server: WireServer
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.session.hub.subscribe(self.events.append)

    async def ask(self, prompt: str, *scripts: Script) -> None:
        """One turn that comes to its own end."""
        self.server.play(*scripts)
        await self.session.prompt(prompt)
        await asyncio.wait_for(self.session.wait_idle(), WAIT_SECONDS)
        assert not self.heard(TurnFailed), self.heard(TurnFailed)
        assert self.heard(TurnFinished)[-1].reason == "done"

    async def abort(self, prompt: str, at: type[Event], *scripts: Script) -> None:
        """One turn that is interrupted as soon as something of a kind is heard."""
        seen = asyncio.Event()
        stop = self.session.hub.subscribe(lambda event: seen.set() if isinstance(event, at) else None)
        self.server.play(*scripts)
        await self.session.prompt(prompt)
        await asyncio.wait_for(seen.wait(), WAIT_SECONDS)
        stop()
        self.session.interrupt()
        await asyncio.wait_for(self.session.wait_idle(), WAIT_SECONDS)
        assert self.heard(TurnFinished)[-1].reason == "interrupted"

    def heard(self, event_class: type[AnyEvent]) -> list[AnyEvent]:
        return [event for event in self.events if isinstance(event, event_class)]

    def requests_to(self, provider: str) -> list[Recorded]:
        """What was sent to one provider so far, oldest first."""
        return [sent for sent in self.server.requests if sent.path.endswith(PATHS[provider])]


def provider_at(server: WireServer) -> Callable[[Model], Provider]:
    """Makes the providers of a session at the server."""

    def make(model: Model) -> Provider:
        contender = next((each for each in LINEUP if each.name == model.provider), None)
        if contender is None:
            return OfflineProvider()
        return contender.make(ProviderOptions(api_key=KEY, base_url=server.url + contender.base_path))

    return make


@asynccontextmanager
async def wire_stage(
    folder: Path, server: WireServer, model: Model, brief: Callable[[], Briefing] = lambda: Briefing("Be good.")
) -> AsyncGenerator[WireStage, None]:
    """A session in a folder of its own, closed at the end."""
    given = Surroundings(
        model=model,
        provider_for=provider_at(server),
        tools=lambda: (Listing(),),
        root=folder,
        cwd=folder,
        brief=brief,
        mode="full",
        policy=AgentPolicy(partial_delay_seconds=0.01, backoff=Backoff(first_delay_seconds=0.001)),
    )
    stage = WireStage(AgentSession.begin(folder / ".diligent" / "sessions", given), server)
    try:
        yield stage
    finally:
        await stage.session.close()


def as_sent(value: object) -> bytes:
    """A value in the bytes in which our requests carry it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
