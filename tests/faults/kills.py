"""Kills a busy session at random moments, and looks at what is left: for the suite, and for the benchmark of the store.

What was acknowledged must be there, the file must open, and the next prompt must work. What does not hold is named, and
the next kill follows.
"""

import json
import os
import random
import select
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.entries import LabelEntry, LeafEntry, MessageEntry, PinEntry, QueuedEntry, SessionInfoEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import TurnFinished
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage, text_of
from diligent_tui.domain.records import JsonObject
from diligent_tui.domain.requests import Request
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from diligent_tui.session.store import SessionStore
from diligent_tui.storage.jsonl import parse_line
from tests.faults.busy import mark_of, surroundings

TOP = Path(__file__).parents[2]
MOST_ACKNOWLEDGEMENTS = 14
SPINS_SECONDS = (0.002, 0.004, 0.03)
"""The longest wait from the last acknowledgement to the kill: into the next write, or into the next streamed answer."""
KILLS_PER_SESSION = 4
KILLS_PER_TOOL = 10
"""Every so often the next prompt runs a command; the others are answered in words, which is quicker."""
LONGEST_SILENCE_SECONDS = 60
"""Only a hang takes so long; it is a failure, not a measure."""


@dataclass
class Server:
    """The fork server, and the lines that came from its children."""

    process: "subprocess.Popen[bytes]"
    buffer: bytes = b""

    def order(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def hear(self) -> JsonObject:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([descriptor], [], [], LONGEST_SILENCE_SECONDS)
            assert ready, "the session hangs"
            heard = os.read(descriptor, 65536)
            assert heard, "the fork server is gone"
            self.buffer += heard
        line, self.buffer = self.buffer.split(b"\n", 1)
        value = parse_line(line)
        assert value is not None
        return value

    def kill_after(self, order: JsonObject, most: int, spin_seconds: float) -> list[JsonObject]:
        """Run a busy session, kill it that much after so many acknowledgements; returns all that it acknowledged."""
        self.order(json.dumps(order))
        pid = self.hear()["pid"]
        assert isinstance(pid, int)
        acknowledged = [self.hear() for _ in range(most)]
        assert not any("ended" in each for each in acknowledged)
        begun = time.perf_counter()
        while time.perf_counter() - begun < spin_seconds:
            pass
        os.kill(pid, signal.SIGKILL)
        self.order("reap")
        while "ended" not in (heard := self.hear()):
            acknowledged.append(heard)
        assert heard["ended"] == -signal.SIGKILL
        return acknowledged


@contextmanager
def serving() -> Generator[Server]:
    command = [sys.executable, "-m", "tests.faults.fork_server"]
    with subprocess.Popen(command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        yield Server(process)


@dataclass
class Victim:
    """One session and what it acknowledged over all its lives."""

    project: Path
    acknowledged: list[JsonObject] = field(default_factory=list[JsonObject])
    kills: int = 0

    @property
    def path(self) -> Path | None:
        return next(iter((self.project / ".diligent" / "sessions").glob("*.jsonl")), None)


@dataclass
class Toll:
    """What was seen over many kills, and what did not hold."""

    seen: Counter[str] = field(default_factory=Counter[str])
    lost: list[str] = field(default_factory=list[str])
    unopened: list[str] = field(default_factory=list[str])
    stuck: list[str] = field(default_factory=list[str])

    @property
    def flaws(self) -> list[str]:
        """Everything that did not hold."""
        return [*self.lost, *self.unopened, *self.stuck]


async def kill_many(folder: Path, kills: int, seed: int) -> Toll:
    """Kill that often, and look at what is left each time."""
    dice = random.Random(seed)
    toll = Toll()
    victim = Victim(folder / "none")
    with serving() as server:
        for number in range(kills):
            if number % KILLS_PER_SESSION == 0:
                victim = Victim(folder / f"{number}")
                victim.project.mkdir()
            order: JsonObject = {
                "project": str(victim.project),
                "session": str(victim.path) if victim.path else None,
                "seed": dice.randrange(1 << 30),
            }
            most = dice.randrange(MOST_ACKNOWLEDGEMENTS)
            acknowledged = server.kill_after(order, most, dice.random() * dice.choice(SPINS_SECONDS))
            victim.acknowledged += acknowledged
            victim.kills += 1
            toll.seen.update({"kills": 1, "acknowledged": len(acknowledged)})
            await look_at(victim, toll)
            await go_on(victim, toll, "run echo still here" if number % KILLS_PER_TOOL == 0 else "[[t=3 r=0 id=next]]")
    return toll


async def look_at(victim: Victim, toll: Toll) -> None:
    """Everything that must hold after a kill."""
    path = victim.path
    if path is None:
        toll.seen["no file"] += 1
        toll.lost += map(str, victim.acknowledged)
        return
    try:
        store = SessionStore.open(path, for_writing=False)
    except StorageError as error:
        toll.unopened.append(f"{path}: {error}")
        return
    damage = store.content.damage
    toll.seen.update({"torn": damage.lines, "cut off": len(store.content.unsaved)})
    toll.lost += [f"{path}: {each}" for each in victim.acknowledged if not is_kept(each, store)]
    strange = {
        "more damage than kills": damage.lines > victim.kills,
        "orphans": damage.orphans > 0,
        "an id twice": damage.repeated > 0 or max(Counter(ids_in(path)).values(), default=1) > 1,
        "no header": damage.header_is_missing and bool(victim.acknowledged),
        "open to others": stat.S_IMODE(path.stat().st_mode) != 0o600,
    }
    toll.unopened += [f"{path}: {name}" for name, holds in strange.items() if holds]
    await store.close()


def ids_in(path: Path) -> Iterable[str]:
    for line in path.read_bytes().split(b"\n"):
        value = parse_line(line)
        if value is not None and isinstance(entry_id := value.get("id"), str):
            yield entry_id


def is_kept(acknowledgement: JsonObject, store: SessionStore) -> bool:
    """Whether what was acknowledged is in the file, word for word."""
    match acknowledgement:
        case {"message": str(entry_id), "mark": int(mark)}:
            entry = store.entry(entry_id) if entry_id in store.tree.nodes else None
            return isinstance(entry, MessageEntry) and mark_of(words_of(entry)) == mark
        case {"queued": str(entry_id), "mark": int(mark)}:
            entry = store.entry(entry_id) if entry_id in store.tree.nodes else None
            return isinstance(entry, QueuedEntry) and mark_of(entry.text) == mark
        case {"label": str(label), "target": str(target)}:
            return any(
                isinstance(entry, LabelEntry) and (entry.label, entry.target_id) == (label, target)
                for entry in store.entries()
            )
        case {"name": str(name)}:
            return any(isinstance(entry, SessionInfoEntry) and entry.name == name for entry in store.entries())
        case {"pin": str(target)}:
            return any(isinstance(entry, PinEntry) and entry.target_id == target for entry in store.entries())
        case {"heard": str()}:
            # Words on their way promise nothing; they are told so that kills fall among them.
            return True
        case {"leaf": str(target)}:
            return any(isinstance(entry, LeafEntry) and entry.target_id == target for entry in store.entries())
        case _:
            raise AssertionError(f"an acknowledgement of no known kind: {acknowledgement}")


def words_of(entry: MessageEntry) -> str:
    match entry.message:
        case UserMessage():
            return text_of(entry.message.content)
        case AssistantMessage():
            return entry.message.text
        case ToolResultMessage():
            return text_of(entry.message.output)


def flaws_of(request: Request) -> list[str]:
    return [
        *check_request(request),
        *check_anthropic(to_anthropic(request)),
        *check_responses(to_responses(request)),
        *check_chat(to_chat(request)),
    ]


async def go_on(victim: Victim, toll: Toll, prompt: str) -> None:
    """Say something to what is left, as a user would."""
    given = surroundings(victim.project)
    path = victim.path
    session = (
        await AgentSession.resume(path, given)
        if path
        else AgentSession.begin(victim.project / ".diligent" / "sessions", given)
    )
    if session.conversation.path:
        toll.stuck += [f"{path}: {flaw}" for flaw in flaws_of(session.next_request())]
    ends: list[str] = []
    session.hub.subscribe(lambda event: ends.append(event.reason) if isinstance(event, TurnFinished) else None)
    await session.prompt(prompt)
    await session.wait_idle()
    await session.close()
    # What waited when the kill came may follow as turns of its own.
    messages = [node for node in session.conversation.path if node.type == "message"]
    said = [words_of(entry) for node in messages if isinstance(entry := session.store.entry(node.id), MessageEntry)]
    if set(ends) == {"done"} and prompt in said and messages[-1].role == "assistant":
        toll.seen["went on"] += 1
    else:
        toll.stuck.append(f"{path}: the turns ended with {ends}")
