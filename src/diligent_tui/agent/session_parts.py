"""The parts of a session and how they are put together; the verbs on them are those of `AgentSession`.

What not every run needs is loaded and laid out when it is first asked for, so that a start does not pay for it.
"""

import contextlib
from functools import cached_property
from typing import TYPE_CHECKING

from diligent_tui import agent
from diligent_tui.agent.asking import Providers
from diligent_tui.agent.attachments import attacher
from diligent_tui.agent.compactor import Compactor
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.errands import Errands
from diligent_tui.agent.ground import Ground
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interrupted, Interruption
from diligent_tui.agent.knowledge_desk import open_desk
from diligent_tui.agent.known_models import KnownModels
from diligent_tui.agent.loop import Desk, TurnEnd
from diligent_tui.agent.permissions import Questions
from diligent_tui.agent.prefix import PrefixWatch
from diligent_tui.agent.recalling import Recalling
from diligent_tui.agent.requesting import Requesting
from diligent_tui.agent.room import Room
from diligent_tui.agent.saving import Saver
from diligent_tui.agent.standing import Standing
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.totals import save_totals
from diligent_tui.agent.turns import Turns
from diligent_tui.agent.waiting import WaitingLine
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Provider
from diligent_tui.session.store import SessionStore
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.toolbox import recall_tool

if TYPE_CHECKING:
    from diligent_tui.agent.branching import Branching
    from diligent_tui.agent.file_history import FileHistory
    from diligent_tui.agent.learning import Learning
    from diligent_tui.agent.memory import Memory
    from diligent_tui.agent.tool_calls import CallRun, ToolRoom
    from diligent_tui.agent.user_acts import UserActs


class SessionParts:
    """What a session consists of."""

    def __init__(self, store: SessionStore, given: Surroundings) -> None:
        """Lay out what every turn needs."""
        self.hub = Hub()
        self.store = store
        self._saver = Saver(store, self.hub, may_wait=given.policy.may_ask)
        self.conversation = Conversation(store, self._saver, given.clock)
        self._given = given
        self._recall = Recalling(self.conversation, given.search_folder)
        self.knowledge = open_desk(
            given.knowledge_files, given.knowledge, self.hub, self.conversation, lambda: self._standing.fitted_model
        )
        recall = recall_tool(self._known_entry, self._recall.for_model)
        self._tools = (*given.tools(), recall, *self.knowledge.tools())
        self._models = KnownModels(given.model, given.find_model)
        model = self._models.to_go_on_with(self.conversation.model_change(), resumes=given.resumes_model)
        self._standing = Standing(model, given.thinking, given.mode, given.estimator)
        self._interruption = Interruption()
        self._workplace = Workplace(given.root, given.cwd, given.output_limit_bytes, store.spill_folder)
        attach = attacher(self._workplace, lambda: self._standing.fitted_model)
        self._waiting = WaitingLine(self.conversation, self.hub, attach)
        self._questions = Questions()
        self._providers = Providers(given.provider_for)
        self._errands = Errands(self.conversation, self.hub, self._provide)
        self._ground = Ground(self.conversation, given.brief, given.knowledge)
        self._requesting = Requesting(
            self.conversation,
            self._standing,
            self._ground,
            lambda: tuple(tool.spec for tool in self._tools),
            self._models.known,
        )
        self._room = Room(self._make_compactor(), may_ask=given.policy.may_ask)
        self._turns = Turns(self._lay_out_desk(), self._waiting, self._lay_ground, self._end_turn)

    @cached_property
    def history(self) -> "FileHistory":
        """Files as they were before turns changed them."""
        return agent.FileHistory(self.store.spill_folder / "before", self._given.root, clock=self._given.clock)

    @cached_property
    def memory(self) -> "Memory":
        """The verbs of memory."""
        turns = self._turns
        return agent.Memory(self._room, turns.occupy, lambda: turns.is_running, self._branching.must_know, self._recall)

    @cached_property
    def learning(self) -> "Learning":
        """What asks for facts that are worth keeping."""
        return agent.Learning(self.conversation, self.knowledge, self._errands, lambda: self._standing.fitted_model)

    @cached_property
    def acts(self) -> "UserActs":
        """What the user does with the agent's tools."""
        return agent.UserActs(self._turns)

    @cached_property
    def _branching(self) -> "Branching":
        return agent.Branching(self.conversation, self._given.clock, self._errands)

    @cached_property
    def _tool_room(self) -> "ToolRoom":
        return agent.ToolRoom(
            tools={tool.spec.name: tool for tool in self._tools},
            workplace=self._workplace,
            questions=self._questions,
            policy=self._given.policy,
            mode=lambda: self._standing.mode,
            has_steering=lambda: self._waiting.has("steer"),
            history=self.history,
            admission=agent.Admission(self._given.rules),
        )

    def _calls(self, turn_id: str) -> "CallRun":
        return agent.CallRun(self._tool_room, self.conversation, self.hub, self._interruption, turn_id)

    def _make_compactor(self) -> Compactor:
        given = self._given
        return Compactor(
            conversation=self.conversation,
            hub=self.hub,
            requesting=self._requesting,
            providers=self._providers,
            policy=given.compaction,
            tools=lambda: self._tools,
            backoff=given.policy.backoff,
            interruption=self._interruption,
            find_model=self._models.named,
            renew_ground=self._renew_ground,
            known_facts=self.knowledge.facts,
            propose=self.knowledge.propose,
        )

    def _lay_out_desk(self) -> Desk:
        prefix = PrefixWatch()
        self.hub.subscribe(prefix.hear)
        return Desk(
            conversation=self.conversation,
            hub=self.hub,
            interruption=self._interruption,
            policy=self._given.policy,
            calls=self._calls,
            provider=self._provide,
            request=self._requesting.next,
            counted=self._learn,
            overflowed=lambda request, error: self._standing.windows.correct(request.model, error),
            make_room=self._make_room,
            make_room_after=self._room.make_after,
            step_finished=self._room.step_finished,
            measured=lambda: self.hub.publish(self._requesting.measure()),
            deliver_steering=self._waiting.deliver_steering,
            prefix=prefix,
        )

    async def _make_room(self, starts_turn: bool) -> Problem | None:
        # A turn begins with all that changed; within it only what the user did is news to the model.
        if self.knowledge.take_news() and not starts_turn:
            await self._ground.tell_news(self._standing.fitted_model)
        return await self._room.make(starts_turn=starts_turn)

    async def _provide(self) -> Provider:
        return await self._providers.provide(self._standing.model)

    async def _lay_ground(self) -> None:
        was_told = False
        # Once stopped, the turn stops itself at its first step.
        with contextlib.suppress(Interrupted):
            was_told = await self._turns.desk.interruption.guard(
                self._standing.windows.ask(self._standing.model, self._provide)
            )
        await self._ground.lay(self._standing.fitted_model, self._standing.thinking)
        if was_told:
            self.hub.publish(self._requesting.measure())

    async def _renew_ground(self) -> None:
        self._ground.renew()
        await self._ground.lay(self._standing.fitted_model, self._standing.thinking)

    def _learn(self, request: Request, usage: Usage) -> None:
        self._requesting.learn(request, usage)
        self._room.counted(usage)

    async def _end_turn(self, end: TurnEnd) -> None:
        if end.problem:
            self._standing.windows.may_ask_again()
        await save_totals(self.conversation, end.totals.usage, end.totals.cost)

    def _known_entry(self, entry_id: str) -> Entry | None:
        return self.store.entry(entry_id) if entry_id in self.store.tree.nodes else None
