"""The product's own way as a policy: a real session on a temporary folder, fed event by event.

Nothing is copied: before each request the session makes room as it does in a turn, and the request it would send is
the list. Only the model is not there: the answers are those of the transcript, and summaries are a writer's.
"""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.survival.policies.base import Spent
from bench.survival.ruler import Ruler
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.events import CompactionFinished, CompactionPruned, Event
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text, ToolCall, ToolResult, UserTurn
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Provider

SECONDS_PER_STEP = 30.0
"""How long a step of a real agent takes, roughly; the cooldown goes by it."""
SEED = 7
OUTPUT_SHARE = 8
"""The longest answer is the window through this, so that the reserve is the product's own share."""
MakeProvider = Callable[[Spent, Ruler], Provider]


@dataclass
class Ours:
    """A session of the product at work on a transcript."""

    window_tokens: int
    ruler: Ruler
    make_provider: MakeProvider
    system: str = ""
    policy: CompactionPolicy = field(default_factory=CompactionPolicy)
    spent: Spent = field(default_factory=Spent)
    prunes: int = 0
    overhead_tokens: int = 0
    results: dict[str, str] = field(default_factory=dict[str, str])
    """The entry of each call's result."""

    def __post_init__(self) -> None:
        """Begin the session."""
        self._folder = tempfile.TemporaryDirectory()
        root = Path(self._folder.name)
        provider = self.make_provider(self.spent, self.ruler)
        given = Surroundings(
            model=Model("bench", "replay", self.window_tokens, self.window_tokens // OUTPUT_SHARE),
            provider_for=lambda _: provider,
            tools=tuple,
            root=root,
            cwd=root,
            brief=lambda: Briefing(self.system or "You are a coding agent."),
            compaction=self.policy,
        )
        self.session = AgentSession.begin(root / ".diligent" / "sessions", given)
        self._ids = random.Random(SEED)
        self._steps = 0
        self._request: Request | None = None
        self.session.memory.compactor.clock = lambda: self._steps * SECONDS_PER_STEP
        self.session.hub.subscribe(self._hear)

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """What the session would send, once it has made room."""
        starts_turn = False
        for part in heard.parts:
            match part:
                case ToolResult():
                    message = ToolResultMessage(
                        tool_call_id=part.call_id, tool_name=part.name, output=part.output, is_error=part.is_error
                    )
                    saved = await self.session.conversation.add_message(message, self._new_id())
                    self.results[part.call_id] = saved.id
                case Text():
                    starts_turn = True
                    await self.session.conversation.add_message(UserMessage(content=part.text), self._new_id())
                case _:
                    pass
        self._steps += 1
        await self.session.memory.room.make(starts_turn=starts_turn)
        self._request = self.session.next_request()
        self.overhead_tokens = self.ruler.overhead(self._request)
        return self._request.messages

    async def answered(self, said: AssistantTurn) -> None:
        """Save what the model said, with the count of a provider that counts like the benchmark."""
        if self._request is None:
            return
        usage = Usage(
            input_tokens=self.overhead_tokens + self.ruler.messages(self._request.messages),
            output_tokens=self.ruler.message(said),
        )
        model = self._request.model
        blocks = tuple(_blocks(said))
        message = AssistantMessage(content=blocks, provider=model.provider, model=model.name, usage=usage)
        await self.session.conversation.add_message(message, self._new_id())
        self.session.memory.requesting.learn(self._request, usage)
        self.session.memory.room.counted(usage)
        self.session.memory.room.step_finished()

    @property
    def compaction(self) -> CompactionEntry | None:
        """The active compaction."""
        cut = self.session.conversation.fold.cut
        return cut.compaction if cut else None

    async def close(self) -> None:
        """End the session and forget its file."""
        await self.session.close()
        self._folder.cleanup()

    def _new_id(self) -> str:
        """An id like any other, but the same in every run."""
        return f"{self._ids.getrandbits(32):08x}"

    def _hear(self, event: Event) -> None:
        match event:
            case CompactionFinished() if event.summarised:
                self.spent.compactions += 1
            case CompactionPruned():
                self.prunes += 1
            case _:
                pass


def _blocks(said: AssistantTurn) -> list[Block]:
    blocks: list[Block] = []
    for part in said.parts:
        match part:
            case Text():
                blocks.append(TextBlock(text=part.text))
            case ToolCall():
                blocks.append(ToolCallBlock(id=part.id, name=part.name, input=part.input))
            case _:
                pass
    return blocks
