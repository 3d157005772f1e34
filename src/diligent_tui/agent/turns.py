"""Turns one after another: a prompt is saved, worked on, and followed by what was queued meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TypeVar

from diligent_tui.agent.loop import Desk, TurnEnd, run_turn
from diligent_tui.agent.waiting import WaitingLine
from diligent_tui.domain.errors import StorageError, UsageError
from diligent_tui.domain.events import MessageSaved, QueuedText, TurnFailed, TurnFinished, TurnStarted
from diligent_tui.domain.messages import UserMessage

Result = TypeVar("Result")


@dataclass(slots=True)
class Turns:
    """Owns the one task that works; at most one turn runs at a time."""

    desk: Desk
    waiting: WaitingLine
    lay_ground: Callable[[], Awaitable[None]]
    """Saves the system prompt and the model where they changed; called after each prompt is saved."""
    end_turn: Callable[[TurnEnd], Awaitable[None]]
    """Saves the totals."""
    _task: asyncio.Task[object] | None = None

    @property
    def is_running(self) -> bool:
        """True while a turn goes on."""
        return self._task is not None

    async def prompt(self, text: str, before_id: str | None = None) -> None:
        """Begin a turn, or queue the words behind the running one; returns once they are saved."""
        if not text.strip():
            raise UsageError("There is nothing to send.", "Type a prompt first.")
        if self.is_running:
            await self.waiting.add(text, steers=False, before_id=before_id)
            self._go_on()
            return
        self.desk.interruption.lower()
        saved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._work(text, saved))
        await asyncio.shield(saved)

    async def occupy(self, work: Coroutine[object, object, Result]) -> Result:
        """Do something in the place of a turn: what is sent meanwhile is queued, and follows it."""
        if self.is_running:
            work.close()
            raise UsageError("The agent is at work.", "Stop it with Esc, or wait until it is done.")
        self.desk.interruption.lower()
        working = asyncio.create_task(work)
        # Before anybody else hears that it is done: a prompt that is then sent at once is not to be queued.
        working.add_done_callback(self._make_way)
        self._task = working
        return await asyncio.shield(working)

    async def steer(self, text: str) -> None:
        """Say something to the running turn."""
        if not self.is_running:
            await self.prompt(text)
        elif text.strip():
            await self.waiting.add(text, steers=True)

    def interrupt(self) -> None:
        """Stop the running turn."""
        if self.is_running:
            self.desk.interruption.raise_()

    async def wait_idle(self) -> None:
        """Wait until no turn runs."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _work(self, text: str, saved: asyncio.Future[None]) -> None:
        try:
            if await self._one_turn(text, None, saved):
                await self._work_off_queue()
        finally:
            self._task = None

    def _make_way(self, done: asyncio.Task[object]) -> None:
        self._task = None
        if not done.cancelled():
            done.exception()
        self._go_on()

    def _go_on(self) -> None:
        """Begin with what waits, if nobody else does: the turn may have ended while the words were being saved."""
        if not self.is_running and self.waiting.next_queued and not self.desk.interruption.is_raised:
            self._task = asyncio.create_task(self._work_off())

    async def _work_off(self) -> None:
        try:
            await self._work_off_queue()
        finally:
            self._task = None

    async def _work_off_queue(self) -> None:
        saved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        saved.set_result(None)
        goes_on = True
        while goes_on and (queued := self.waiting.next_queued):
            goes_on = await self._one_turn(queued.text, queued, saved)

    async def _one_turn(self, text: str, queued: QueuedText | None, saved: asyncio.Future[None]) -> bool:
        """Work on a prompt; True if the turn came to its own end, so that what waits may follow."""
        hub, conversation = self.desk.hub, self.desk.conversation
        turn_id = conversation.store.new_id()
        try:
            if queued:
                await self.waiting.deliver(queued, turn_id)
            else:
                await conversation.add_message(UserMessage(content=await self.waiting.attach(text)), turn_id)
        except StorageError as error:
            # Nothing has begun: the words are still the user's.
            if not saved.done():
                saved.set_exception(error)
            return False
        hub.publish(TurnStarted(turn_id, text))
        hub.publish(MessageSaved(turn_id, "user", text))
        if not saved.done():
            saved.set_result(None)
        try:
            await self.lay_ground()
            # Steering that a crash left over belongs to no running tool: it is simply told first.
            await self.waiting.deliver_steering()
            end = await run_turn(self.desk, turn_id)
            await self.end_turn(end)
        except StorageError as error:
            hub.publish(TurnFailed(turn_id, error.problem))
            return False
        if end.problem:
            hub.publish(TurnFailed(turn_id, end.problem))
            return False
        totals = end.totals
        hub.publish(TurnFinished(turn_id, end.reason, totals.steps, totals.usage, totals.cost))
        return end.reason == "done"
