"""The one door to the agent: front ends send wishes through it and hear facts from its hub."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interruption
from diligent_tui.agent.loop import Desk, TurnEnd
from diligent_tui.agent.measure import measure, request_bytes
from diligent_tui.agent.permissions import Decision, Questions
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.tool_calls import ToolRoom
from diligent_tui.agent.turns import Turns
from diligent_tui.agent.waiting import WaitingLine
from diligent_tui.domain.entries import (
    LabelEntry,
    LeafEntry,
    ModeChangeEntry,
    ModelChangeEntry,
    PinEntry,
    SessionHeader,
    SessionInfoEntry,
    SystemPromptEntry,
    UnpinEntry,
)
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.events import (
    ContextMeasured,
    Labelled,
    LeafMoved,
    ModeChanged,
    ModelChanged,
    Pinned,
    SessionRenamed,
    Unpinned,
)
from diligent_tui.domain.ids import new_session_id
from diligent_tui.domain.messages import UserMessage, text_of
from diligent_tui.domain.models import Model, ThinkingLevel
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import Request
from diligent_tui.domain.times import Clock, now, to_stamp
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Provider
from diligent_tui.providers.registry import assumed_window
from diligent_tui.session.store import SessionStore
from diligent_tui.tools.base import Tool, Workplace

OUTPUT_TOKENS_WHEN_UNKNOWN = 8_192
FIRST_PROMPT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a session is given by its front end: models, tools, place and bounds."""

    model: Model
    provider_for: Callable[[Model], Provider]
    tools: tuple[Tool, ...]
    root: Path
    cwd: Path
    system_prompt: Callable[[], str]
    thinking: ThinkingLevel = "off"
    mode: Mode = "ask"
    output_limit_bytes: int = 32_768
    policy: AgentPolicy = field(default_factory=AgentPolicy)
    estimator: Estimator = field(default_factory=Estimator)
    clock: Clock = now
    find_model: Callable[[str], Model] | None = None
    """Given where a resumed session should go on with its own model."""
    made_folder: Callable[[Path], None] = lambda _: None
    """Told of a `.diligent` folder that the session made."""


class AgentSession:
    """One conversation that goes on. Verbs save first and then act; what happened comes back as events."""

    def __init__(self, store: SessionStore, given: Surroundings) -> None:
        """Use `begin` or `resume`."""
        self.hub = Hub()
        self.store = store
        self.estimator = given.estimator
        self.conversation = Conversation(store, given.clock)
        self._given = given
        self._model = self._model_to_go_on_with()
        self._thinking: ThinkingLevel = given.thinking
        self._mode: Mode = given.mode
        self._waiting = WaitingLine(self.conversation, self.hub)
        self._questions = Questions()
        self._providers: dict[str, Provider] = {}
        self._ground_is_laid = False
        self._turns = Turns(self._lay_out_desk(), self._waiting, self._lay_ground, self._end_turn)

    @classmethod
    def begin(cls, sessions: Path, given: Surroundings) -> "AgentSession":
        """A new session; its file appears with the first prompt."""
        moment = given.clock()
        header = SessionHeader(id=new_session_id(moment), timestamp=to_stamp(moment), cwd=str(given.cwd))
        return cls(SessionStore.create(sessions, header, given.made_folder), given)

    @classmethod
    async def resume(cls, path: Path, given: Surroundings) -> "AgentSession":
        """A session that is there; answers that a crash cut off are kept as interrupted ones."""
        return cls(await asyncio.to_thread(SessionStore.open, path), given)

    @property
    def id(self) -> str:
        """The session's id."""
        return self.store.content.header.id

    @property
    def model(self) -> Model:
        """The model that answers next."""
        return self._model

    @property
    def thinking(self) -> ThinkingLevel:
        """How hard it thinks."""
        return self._thinking

    @property
    def mode(self) -> Mode:
        """The permission mode in force."""
        return self._mode

    @property
    def waiting(self) -> WaitingLine:
        """Words that wait; for reading."""
        return self._waiting

    @property
    def is_running(self) -> bool:
        """True while a turn goes on."""
        return self._turns.is_running

    async def prompt(self, text: str) -> None:
        """Begin a turn with these words, or queue them behind the running one; returns once they are saved."""
        await self._turns.prompt(text)

    async def steer(self, text: str) -> None:
        """Say something to the running turn; it is told after the current tool."""
        await self._turns.steer(text)

    async def take_back(self, queued_id: str) -> str | None:
        """Take a waiting text back; None if it was sent already."""
        return await self._waiting.take_back(queued_id)

    def interrupt(self) -> None:
        """Stop the running turn; what it said and did so far is kept."""
        self._turns.interrupt()

    async def wait_idle(self) -> None:
        """Wait until no turn runs and nothing is about to."""
        await self._turns.wait_idle()

    def resolve_permission(self, call_id: str, *, allowed: bool, reason: str = "") -> bool:
        """Answer a question about a call; False if it is not open any more."""
        return self._questions.resolve(call_id, Decision(allowed, reason))

    async def set_model(self, model: Model, thinking: ThinkingLevel | None = None) -> None:
        """Let another model, or another thinking level, answer from the next request on."""
        self._model = model
        self._thinking = thinking or self._thinking
        self._ground_is_laid = False
        self.hub.publish(ModelChanged(model.id, self._thinking))

    async def set_mode(self, mode: Mode) -> None:
        """Put another permission mode in force."""
        self._mode = mode
        if self.store.tree.nodes:
            await self.conversation.add(ModeChangeEntry(mode=mode, changed_by="user"))
        self.hub.publish(ModeChanged(mode))

    async def move_to(self, entry_id: str | None) -> None:
        """Go on from another entry; None is before the first."""
        if self.is_running:
            raise UsageError("The agent is at work on this branch.", "Stop it with Esc, then move.")
        self._must_know(entry_id)
        await self.conversation.add(LeafEntry(target_id=entry_id))
        self.conversation.stand_at(entry_id)
        self._ground_is_laid = False
        self.hub.publish(LeafMoved(entry_id))

    async def label(self, entry_id: str, label: str) -> None:
        """Name an entry; an empty name takes the name away."""
        self._must_know(entry_id)
        await self.conversation.add(LabelEntry(target_id=entry_id, label=label))
        self.hub.publish(Labelled(entry_id, label))

    async def rename(self, name: str) -> None:
        """Name the session."""
        await self.conversation.add(SessionInfoEntry(name=name))
        self.hub.publish(SessionRenamed(name))

    async def pin(self, entry_id: str) -> None:
        """Keep an entry in the context."""
        self._must_know(entry_id)
        await self.conversation.add(PinEntry(target_id=entry_id))
        self.hub.publish(Pinned(entry_id))

    async def unpin(self, entry_id: str) -> None:
        """Let an entry leave the context again."""
        self._must_know(entry_id)
        await self.conversation.add(UnpinEntry(target_id=entry_id))
        self.hub.publish(Unpinned(entry_id))

    def next_request(self) -> Request:
        """The request that would be sent now."""
        model = self._model
        return Request(
            model=model,
            system=self.conversation.system_prompt() or self._given.system_prompt(),
            tools=tuple(tool.spec for tool in self._given.tools),
            messages=self.conversation.messages(model),
            max_output_tokens=model.max_output_tokens or OUTPUT_TOKENS_WHEN_UNKNOWN,
            thinking=self._thinking,
            cache_key=self.id,
        )

    def measure(self) -> ContextMeasured:
        """How full the context is now."""
        window = assumed_window(self._model)
        return measure(self.next_request(), window, self.estimator, self.conversation.path, self.store.entry)

    async def close(self) -> None:
        """Stop what runs, save what waits, let go of everything."""
        self.interrupt()
        await self.wait_idle()
        for provider in self._providers.values():
            await provider.aclose()
        await self.store.close()

    def _lay_out_desk(self) -> Desk:
        given = self._given
        return Desk(
            conversation=self.conversation,
            hub=self.hub,
            interruption=Interruption(),
            policy=given.policy,
            tool_room=ToolRoom(
                tools={tool.spec.name: tool for tool in given.tools},
                workplace=Workplace(given.root, given.cwd, given.output_limit_bytes, self.store.spill_folder),
                questions=self._questions,
                policy=given.policy,
                mode=lambda: self._mode,
                has_steering=lambda: self._waiting.has("steer"),
            ),
            provider=self._provider,
            request=self.next_request,
            counted=self._learn,
            measured=lambda: self.hub.publish(self.measure()),
            deliver_steering=self._waiting.deliver_steering,
        )

    def _provider(self) -> Provider:
        name = self._model.provider
        if name not in self._providers:
            self._providers[name] = self._given.provider_for(self._model)
        return self._providers[name]

    def _model_to_go_on_with(self) -> Model:
        change = self.conversation.model_change()
        if change is None or self._given.find_model is None:
            return self._given.model
        return self._given.find_model(f"{change.provider}/{change.model_id}")

    async def _lay_ground(self) -> None:
        if self._ground_is_laid:
            return
        wanted = self._given.system_prompt()
        if self.conversation.system_prompt() != wanted:
            await self.conversation.add(SystemPromptEntry(text=wanted))
        change, model = self.conversation.model_change(), self._model
        if change is None or (change.provider, change.model_id, change.thinking) != (
            model.provider,
            model.name,
            self._thinking,
        ):
            await self.conversation.add(
                ModelChangeEntry(provider=model.provider, model_id=model.name, thinking=self._thinking)
            )
        self._ground_is_laid = True

    def _learn(self, request: Request, usage: Usage) -> None:
        self.estimator = self.estimator.after(request.model.id, request_bytes(request), usage.prompt_tokens)

    async def _end_turn(self, end: TurnEnd) -> None:
        """Save the session's totals, so that a list of sessions needs no more than the end of each file."""
        before = self.store.content.totals
        cost_before = (before.cost if before else 0.0) or 0.0
        await self.conversation.add(
            SessionInfoEntry(
                name=self.store.content.name or None,
                compactions=sum(node.type == "compaction" for node in self.store.tree.nodes.values()),
                tokens=(before.tokens or 0 if before else 0) + end.totals.usage.context_tokens,
                cost=None if end.totals.cost is None else cost_before + end.totals.cost,
                first_prompt=self._first_prompt() if before is None else before.first_prompt,
            )
        )

    def _first_prompt(self) -> str:
        for node in self.conversation.path:
            if node.is_prompt:
                message = getattr(self.store.entry(node.id), "message", "")
                words = text_of(message.content) if isinstance(message, UserMessage) else str(message)
                return words[:FIRST_PROMPT_CHARS]
        return ""

    def _must_know(self, entry_id: str | None) -> None:
        if entry_id is not None and entry_id not in self.store.tree.nodes:
            raise UsageError(f"This session has no entry {entry_id}.", "Pick one from the tree.")
