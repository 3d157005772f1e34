"""Every phase in which a user may stop the agent: how it is reached, and how to know that it is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diligent_tui.agent.branching import BranchSummaryWish
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.events import (
    Event,
    PermissionRequested,
    RetryScheduled,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
    TurnFailed,
    TurnFinished,
)
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import CallBegun, CallPiece, Finished, Piece, ThinkingPiece
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.tools.process_group import MARK
from diligent_tui.tools.toolbox import builtin_tools

Hold = Literal["silent", "thinking", "calling", "summary", ""]
LONGEST_SECONDS = 20
LOOK_AGAIN_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Phase:
    """A prompt that leads there, and the event by which one knows."""

    prompt: str
    reached: type[Event]
    hold: Hold = ""
    mode: Mode = "full"


PHASES = {
    "waiting for the first word": Phase("hello", StepStarted, "silent"),
    "thinking": Phase("hello", ThinkingDelta, "thinking"),
    "streaming": Phase("[[t=40000 r=4000 id=ab]]", TextDelta),
    "writing a call": Phase("hello", ToolCallDelta, "calling"),
    "asking for permission": Phase("run touch made", PermissionRequested, mode="ask"),
    "running a quiet command": Phase("run echo begun; sleep 1e9", ToolOutput),
    "running a flood": Phase("run yes", ToolOutput),
    "running fifty children": Phase("run for i in $(seq 50); do sleep 1e9 & done; echo begun; wait", ToolOutput),
    "running what will not end": Phase("run trap '' TERM; echo begun; while :; do sleep 0.1; done", ToolOutput),
    "waiting to try again": Phase("[[fault=rate_limited after=60]]", RetryScheduled),
}
"""Each phase of a turn; a summary of a branch is stopped in its own way."""


class HoldingProvider(OfflineProvider):
    """Answers the first request up to a point and then says no more; later ones are answered as ever."""

    def __init__(self, hold: Hold) -> None:
        super().__init__()
        self._hold: Hold = hold
        self.is_held = asyncio.Event()

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        hold, self._hold = self._hold, "summary" if self._hold == "summary" and request.purpose != "summary" else ""
        match hold:
            case "silent":
                await self._wait()
            case "thinking":
                yield ThinkingPiece("Let me see")
                await self._wait()
            case "calling":
                yield CallBegun("call_1", "bash")
                yield CallPiece("call_1", '{"comm')
                await self._wait()
            case "summary" if request.purpose == "summary":
                async for piece in super().stream(request):
                    if isinstance(piece, Finished):
                        await self._wait()
                    yield piece
            case _:
                async for piece in super().stream(request):
                    yield piece

    async def _wait(self) -> None:
        self.is_held.set()
        await asyncio.Event().wait()


def surroundings(folder: Path, provider: OfflineProvider, mode: Mode) -> Surroundings:
    """What a session in a folder needs."""
    return Surroundings(
        model=REHEARSAL,
        provider_for=lambda _: provider,
        tools=builtin_tools,
        root=folder,
        cwd=folder,
        brief=lambda: Briefing("Be good."),
        mode=mode,
        policy=AgentPolicy(),
    )


class Stopped:
    """A session that was brought into a phase, to be stopped there."""

    def __init__(self, folder: Path, phase: Phase) -> None:
        self.folder = folder
        self.phase = phase
        self._provider = HoldingProvider(phase.hold)
        given = surroundings(folder, self._provider, phase.mode)
        self.session = AgentSession.begin(folder / ".diligent" / "sessions", given)
        self.events: list[Event] = []
        self.session.hub.subscribe(self.events.append)

    async def reach(self) -> None:
        """Send the prompt and wait until the phase is there."""
        reached = asyncio.Event()
        kind = self.phase.reached
        stop = self.session.hub.subscribe(lambda event: reached.set() if isinstance(event, kind) else None)
        await self.session.prompt(self.phase.prompt)
        await asyncio.wait_for(reached.wait(), LONGEST_SECONDS)
        if self.phase.hold:
            await asyncio.wait_for(self._provider.is_held.wait(), LONGEST_SECONDS)
        stop()

    @property
    def last_end(self) -> str:
        """How the newest turn ended."""
        ends = [event for event in self.events if isinstance(event, TurnFinished | TurnFailed)]
        return ends[-1].reason if ends and isinstance(ends[-1], TurnFinished) else "failed"

    async def next_prompt_works(self) -> bool:
        """Ask something else and see whether it is answered."""
        await self.session.set_mode("full")
        await self.session.prompt("run echo still here")
        await asyncio.wait_for(self.session.wait_idle(), LONGEST_SECONDS)
        return self.last_end == "done"


async def reach_summary(folder: Path) -> tuple[AgentSession, Callable[[], "asyncio.Task[bool]"]]:
    """A session that can leave a branch with a summary whose end never comes."""
    provider = HoldingProvider("summary")
    session = AgentSession.begin(folder / ".diligent" / "sessions", surroundings(folder, provider, "full"))
    for prompt in ("hello", "run echo hi"):
        await session.prompt(prompt)
        await asyncio.wait_for(session.wait_idle(), LONGEST_SECONDS)
    target = session.conversation.path[0].id

    def leave() -> "asyncio.Task[bool]":
        return asyncio.create_task(session.move_to(target, BranchSummaryWish()))

    return session, leave


async def until_none_survives(folder: Path) -> None:
    """Wait until no process of a command is left in a folder."""
    while survivors(folder):
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


def survivors(folder: Path) -> list[int]:
    """Living processes that commands started in a folder."""
    return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and _is_of(each, folder)]


def _is_of(process: Path, folder: Path) -> bool:
    try:
        return str((process / "cwd").readlink()) == str(folder) and (
            f"{MARK}=".encode() in (process / "environ").read_bytes()
        )
    except OSError:
        return False
