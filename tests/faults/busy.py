"""A session that is kept busy with everything a user can do, and says what was acknowledged as it is acknowledged."""

import asyncio
import random
import zlib
from collections.abc import Callable
from itertools import count
from pathlib import Path

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.events import Event, MessageSaved, QueueChanged, TextDelta
from diligent_tui.domain.records import JsonObject
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.tools.toolbox import builtin_tools

Acknowledge = Callable[[JsonObject], None]

PROMPTS = (
    "read a.txt and b.txt",
    "read a.txt then list .",
    "run echo hi, then read b.txt",
    "hello",
    "[[t=60 r=0 id=x]]",
    "[[t=400 r=0 id=y]]",
    "[[t=200 r=4000 id=z]]",
    "think about it [[t=100 r=4000 id=z]]",
    "what did I ask? 🦊",
)


def surroundings(project: Path) -> Surroundings:
    """The offline model with every tool at hand, in a folder with something to read."""
    for name in ("a", "b"):
        (project / f"{name}.txt").write_text(f"{name}\n" * 20)
    return Surroundings(
        model=REHEARSAL,
        provider_for=lambda _: OfflineProvider(),
        tools=builtin_tools,
        root=project,
        cwd=project,
        brief=lambda: Briefing("Be good."),
        mode="full",
        policy=AgentPolicy(partial_delay_seconds=0.002),
    )


def mark_of(text: str) -> int:
    """A number that tells whether a text came back as it was."""
    return zlib.crc32(text.encode("utf-8", "replace"))


async def be_busy(project: Path, session_path: Path | None, seed: int, acknowledge: Acknowledge) -> None:
    """Work until killed."""
    given = surroundings(project)
    session = (
        await AgentSession.resume(session_path, given)
        if session_path
        else AgentSession.begin(project / ".diligent" / "sessions", given)
    )

    pieces = count(1)

    def listen(event: Event) -> None:
        match event:
            case TextDelta() if next(pieces) % 32 == 0:
                acknowledge({"heard": event.message_id})
            case MessageSaved():
                acknowledge({"message": event.entry_id, "role": event.role, "mark": mark_of(event.text)})
            case QueueChanged():
                for item in event.items:
                    acknowledge({"queued": item.id, "mark": mark_of(item.text)})
            case _:
                pass

    session.hub.subscribe(listen)
    dice = random.Random(seed)
    number = 0
    while True:
        number += 1
        await session.prompt(dice.choice(PROMPTS))
        await _meddle(session, dice, number, acknowledge)
        await session.wait_idle()
        await _look_back(session, dice, number, acknowledge)


async def _meddle(session: AgentSession, dice: random.Random, number: int, acknowledge: Acknowledge) -> None:
    """What a user does while a turn runs."""
    for _ in range(dice.randrange(30)):
        await asyncio.sleep(0)
    match dice.randrange(5):
        case 0:
            await session.prompt(f"queued {number}")
        case 1:
            await session.steer(f"steered {number}")
        case 2:
            session.interrupt()
        case 3:
            await session.rename(f"name {number}")
            acknowledge({"name": f"name {number}"})
        case _:
            pass


async def _look_back(session: AgentSession, dice: random.Random, number: int, acknowledge: Acknowledge) -> None:
    """What a user does between turns."""
    target = dice.choice(list(session.store.tree.nodes))
    match dice.randrange(5):
        case 0:
            await session.label(target, f"label {number}")
            acknowledge({"label": f"label {number}", "target": target})
        case 1:
            await session.memory.pin(target)
            acknowledge({"pin": target})
        case 2:
            await session.move_to(target)
            acknowledge({"leaf": target})
        case 3:
            await session.rename(f"name {number}")
            acknowledge({"name": f"name {number}"})
        case _:
            pass
