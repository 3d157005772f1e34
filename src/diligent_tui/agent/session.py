"""The one door to the agent: front ends send wishes through it and hear facts from its hub."""

import asyncio
import contextlib
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from diligent_tui import agent
from diligent_tui.agent.permissions import Decision, Scope
from diligent_tui.agent.session_parts import SessionParts
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.waiting import WaitingLine
from diligent_tui.domain.entries import (
    KnowledgeNoteEntry,
    LabelEntry,
    ModeChangeEntry,
    SessionHeader,
    SessionInfoEntry,
)
from diligent_tui.domain.errors import ProviderError, UsageError
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.events import (
    ContextMeasured,
    Labelled,
    LeafMoved,
    ModeChanged,
    ModelChanged,
    SandboxProbed,
    SessionForked,
    SessionRenamed,
)
from diligent_tui.domain.ids import new_session_id
from diligent_tui.domain.models import Model
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import Request
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.domain.times import to_stamp
from diligent_tui.session.store import SessionStore

if TYPE_CHECKING:
    from diligent_tui.agent.branching import BranchSummaryWish
    from diligent_tui.agent.comparison import Comparison


class AgentSession(SessionParts):
    """One conversation that goes on. Verbs save first and then act; what happened comes back as events."""

    @classmethod
    def begin(cls, sessions: Path, given: Surroundings) -> "AgentSession":
        """A new session; its file appears with the first prompt."""
        moment = given.clock()
        header = SessionHeader(id=new_session_id(moment), timestamp=to_stamp(moment), cwd=str(given.cwd))
        return cls(SessionStore.create(sessions, header, given.made_folder), given)

    @classmethod
    async def resume(cls, path: Path, given: Surroundings, *, read_only: bool = False) -> "AgentSession":
        """A session that is there; answers that a crash cut off are kept as interrupted ones."""
        return cls(await asyncio.to_thread(SessionStore.open, path, for_writing=not read_only), given)

    @classmethod
    async def resume_in_fork(cls, path: Path, given: Surroundings) -> "AgentSession":
        """All of a session that must stay as it is, in a new one that goes on."""
        source = await cls.resume(path, given, read_only=True)
        try:
            fork = await source.fork()
        finally:
            await source.close()
        return await cls.resume(fork, given)

    @property
    def id(self) -> str:
        """The session's id."""
        return self.store.content.header.id

    @property
    def model(self) -> Model:
        """The model that answers next, with its window if the server told it."""
        return self._standing.fitted_model

    @property
    def estimator(self) -> Estimator:
        """What is known of the models' tokens, for the next run."""
        return self._standing.estimator

    @property
    def thinking(self) -> ThinkingLevel:
        """How hard it thinks."""
        return self._standing.thinking

    @property
    def mode(self) -> Mode:
        """The permission mode in force."""
        return self._standing.mode

    @property
    def branch(self) -> str:
        """The label that stands nearest above the leaf."""
        labels = self.store.content.labels
        return next((labels[node.id] for node in reversed(self.conversation.path) if node.id in labels), "")

    @property
    def waiting(self) -> WaitingLine:
        """Words that wait; for reading."""
        return self._waiting

    @property
    def is_running(self) -> bool:
        """True while a turn goes on."""
        return self._turns.is_running

    @property
    def is_on_errand(self) -> bool:
        """True while the model is asked for something beside the talk."""
        return self._errands.is_running

    async def prompt(self, text: str, before_id: str | None = None) -> None:
        """Begin a turn with these words, or queue them behind the running one; returns once they are saved.

        Queued, they stand in front of the waiting text `before_id`, or are the last.
        """
        await self._turns.prompt(text, before_id)

    async def steer(self, text: str) -> None:
        """Say something to the running turn; it is told after the current tool."""
        await self._turns.steer(text)

    async def take_back(self, queued_id: str) -> str | None:
        """Take a waiting text back; None if it was sent already."""
        return await self._waiting.take_back(queued_id)

    def interrupt(self) -> None:
        """Stop the running turn, and whatever the model is asked beside it; what was said and done so far is kept."""
        self._errands.stop()
        self._saver.give_up()
        self._turns.interrupt()

    @property
    def is_stuck(self) -> bool:
        """True while a turn stands still because something of it could not be saved."""
        return self._saver.is_waiting

    def save_again(self) -> None:
        """Try once more to save what could not be saved."""
        self._saver.try_again()

    async def wait_idle(self) -> None:
        """Wait until no turn runs and nothing is about to."""
        await self._turns.wait_idle()

    def resolve_permission(
        self, call_id: str, *, allowed: bool, reason: str = "", scope: Scope = "once", rule: str = ""
    ) -> bool:
        """Answer a question about a call, for once or for longer; False if it is not open any more."""
        return self._questions.resolve(call_id, Decision(allowed, reason, scope, rule))

    async def set_model(self, model: Model, thinking: ThinkingLevel | None = None) -> None:
        """Let another model, or another thinking level, answer from the next request on.

        What does not fit its window is compacted first, by the model that is left.
        """
        if self.is_running:
            self._room.outgoing = self._standing.model
        elif not await self.memory.compact_for(model):
            raise UsageError("The context does not fit that model.", "Compact it with a tighter cut, then switch.")
        self._standing.model = model
        self._standing.thinking = thinking or self._standing.thinking
        self._ground.renew()
        self.hub.publish(ModelChanged(model.id, self._standing.thinking))
        self.hub.publish(self.measure())

    async def set_mode(self, mode: Mode) -> None:
        """Put another permission mode in force."""
        self._standing.mode = mode
        if self.store.tree.nodes:
            await self.conversation.add(ModeChangeEntry(mode=mode, changed_by="user"))
        self.hub.publish(ModeChanged(mode))

    async def move_to(self, entry_id: str | None, summary: "BranchSummaryWish | None" = None) -> bool:
        """Go on from another entry, None being before the first; False if the summary was stopped: nothing moved."""
        if self.is_running:
            raise UsageError("The agent is at work on this branch.", "Stop it with Esc, then move.")
        self._branching.must_know(entry_id)
        if summary is None:
            await self.conversation.move_to(entry_id)
        elif not await self._branching.leave(entry_id, summary, self._standing.model, self._standing.window[0]):
            return False
        self.hub.publish(LeafMoved(self.store.tree.leaf_id, self.branch))
        self.hub.publish(self.measure())
        return True

    def left_behind(self, entry_id: str | None) -> int:
        """How much of the talk would not be on the path any more after moving there."""
        return len(self._branching.left_behind(entry_id))

    async def graft(self, entry_id: str) -> None:
        """Bring an entry of another branch into this one, quoted, with its origin."""
        if self.is_running:
            raise UsageError("The agent is at work on this branch.", "Stop it with Esc, then bring it over.")
        self.hub.publish(await self._branching.graft(entry_id))
        self.hub.publish(self.measure())

    async def fork(self, entry_id: str | None = None) -> Path:
        """A new session with the way to an entry, or with all of this one; this one stays as it is."""
        path = await self._branching.fork(self.store.path.parent, entry_id, str(self._given.cwd))
        self.hub.publish(SessionForked(path.stem, entry_id))
        return path

    def compare(self, left_id: str, right_id: str) -> "Comparison":
        """Two branches side by side; slow for long ones, so it is called in a thread."""
        self._branching.must_know(left_id)
        self._branching.must_know(right_id)
        labels = dict(self.store.content.labels)
        return agent.compare(self.store.tree, labels, self.store.read, self._models.known, left_id, right_id)

    def request_at(self, entry_id: str | None) -> Request:
        """The request that would be sent from an entry; slow for a long path, so it is called in a thread."""
        self._branching.must_know(entry_id)
        return self._requesting.at(entry_id)[0]

    async def note(self, words: str) -> None:
        """Tell the model at the tail of something that the user did, such as restoring files."""
        await self.conversation.add(KnowledgeNoteEntry(text=f"[note]\n{words}"))

    async def label(self, entry_id: str, label: str) -> None:
        """Name an entry; an empty name takes the name away."""
        self._branching.must_know(entry_id)
        await self.conversation.add(LabelEntry(target_id=entry_id, label=label))
        self.hub.publish(Labelled(entry_id, label, self.branch))

    async def rename(self, name: str) -> None:
        """Name the session."""
        await self.conversation.add(SessionInfoEntry(name=name))
        self.hub.publish(SessionRenamed(name))

    def next_request(self, model: Model | None = None) -> Request:
        """The request that would be sent now, to the model in force or to another."""
        return self._requesting.next(model)

    def measure(self) -> ContextMeasured:
        """How full the context is now."""
        return self._requesting.measure()

    async def warm_up(self) -> None:
        """Load what the first request needs; what keeps it from working is told by that request."""
        with contextlib.suppress(ProviderError):
            await (await self._provide()).warm_up()

    @property
    def sandbox_word(self) -> str:
        """How commands are shut in, as far as that was found out."""
        state = self._given.sandbox().state if self._given.sandbox else None
        return state.word if state else ""

    async def probe_sandbox(self) -> None:
        """Find out how commands are shut in here, and tell."""
        if self._given.sandbox:
            state = await self._given.sandbox().find_out()
            self.hub.publish(SandboxProbed(state.word, state.sentence))

    async def __aenter__(self) -> Self:
        """For `async with`, whose end closes the session."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the session."""
        await self.close()

    async def close(self) -> None:
        """Stop what runs, save what waits, let go of everything."""
        self.interrupt()
        await self.wait_idle()
        await self._errands.wait_idle()
        await self._providers.aclose()
        await self._recall.close()
        await self.store.close()
