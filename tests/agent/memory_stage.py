"""A session whose provider can be held back, be down, refuse for length, or write a given summary."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from diligent_tui.agent.memory import Memory
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.requests import CONTINUE
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.errors import ContextOverflow, Unavailable
from diligent_tui.domain.events import Event
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.domain.messages import TextBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, RequestMessage, Text, ToolResult
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece
from diligent_tui.providers.offline.counting import measure
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.providers.retry import Backoff
from diligent_tui.tools.toolbox import builtin_tools
from tests.agent.conftest import Stage

FILES = 30
"""Of twice that length, for a turn that reads many: three calls alike in a row would be stopped."""
LINES = 250
"""Of the file that the turns read: some 4,700 tokens."""


@dataclass
class Player(OfflineProvider):
    """The offline model, and what a test wants of it instead; every request is kept."""

    requests: list[Request] = field(default_factory=list[Request])
    summaries: list[str] = field(default_factory=list[str])
    """What to answer to the next requests for a summary."""
    summaries_fail: bool = False
    refusals: int = 0
    """So many turns to come are refused for their length."""
    holds_summaries: bool = False
    is_held: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        super().__init__()

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        self.requests.append(request)
        if request.purpose == "summary":
            if self.holds_summaries:
                yield TextPiece("## Goal\n")
                self.is_held.set()
                await self.let_go.wait()
            if self.summaries_fail:
                yield Failed(Unavailable("The provider cannot be reached."))
                return
            if self.summaries:
                text = self.summaries.pop(0)
                yield TextPiece(text)
                yield Finished((TextBlock(text=text),), "end_turn", None)
                return
        elif self.refusals:
            self.refusals -= 1
            yield Failed(ContextOverflow("prompt is too long"))
            return
        async for piece in super().stream(request):
            yield piece

    @property
    def turns(self) -> list[Request]:
        """The requests that were no summaries."""
        return [request for request in self.requests if request.purpose == "turn"]


@dataclass
class MemoryStage(Stage):
    """A watched session on a player."""

    player: Player = field(default_factory=Player)

    @property
    def memory(self) -> Memory:
        return self.session.memory

    @property
    def active(self) -> CompactionEntry:
        cut = self.session.conversation.fold.cut
        assert cut is not None
        return cut.compaction

    async def fill(self, turns: int) -> None:
        """Turns that read the long file once."""
        for number in range(turns):
            await self.ask(f"read long.txt and look at line {number}")

    def compaction_names(self) -> list[str]:
        names = (type(event).__name__ for event in self.events)
        return [name for name in names if name.startswith("Compaction") and "Delta" not in name]

    def said(self) -> str:
        """All that the next request says."""
        return words_in(self.session.next_request().messages).removesuffix(CONTINUE)


def reads(count: int) -> str:
    """A prompt that reads so many different files."""
    return " then ".join(f"read long_{number}.txt" for number in range(count))


def words_in(messages: Sequence[RequestMessage]) -> str:
    """The words of a request's messages."""
    return "\n".join(
        part.text if isinstance(part, Text) else part.output
        for message in messages
        for part in message.parts
        if isinstance(part, Text | ToolResult)
    )


def tokens_in(request: Request) -> int:
    """As the offline model counts."""
    return measure(request).tokens


def given_in(
    folder: Path, player: Player, compaction: CompactionPolicy | None = None, model: Model = REHEARSAL
) -> Surroundings:
    """What a session needs; the long file is there."""
    lines = (f"line {number} names src/part_{number}.py and a value of {number * 7}" for number in range(LINES))
    text = "\n".join(lines)
    (folder / "long.txt").write_text(text)
    for number in range(FILES):
        (folder / f"long_{number}.txt").write_text(f"{text}\n{text}")
    return Surroundings(
        model=model,
        provider_for=lambda _: player,
        tools=builtin_tools,
        root=folder,
        cwd=folder,
        brief=lambda: Briefing("Be good."),
        mode="full",
        policy=AgentPolicy(partial_delay_seconds=0.01, backoff=Backoff(first_delay_seconds=0.001)),
        compaction=compaction or CompactionPolicy(),
        # Its tools would take a tenth of the small window.
        knowledge=KnowledgePolicy(enabled=False),
        find_model=lambda name: replace(REHEARSAL, name=name.rpartition("/")[2]),
    )


def stage_in(folder: Path, compaction: CompactionPolicy | None = None, model: Model = REHEARSAL) -> MemoryStage:
    """A new session in a folder."""
    player = Player()
    given = given_in(folder, player, compaction, model)
    session = AgentSession.begin(folder / ".diligent" / "sessions", given)
    return MemoryStage(session, given, [], player)


def positions(events: Sequence[Event], kind: type[Event]) -> list[int]:
    """Where events of a kind stand."""
    return [place for place, event in enumerate(events) if isinstance(event, kind)]
