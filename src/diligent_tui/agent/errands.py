"""Asks the model beside the talk: tells how far that is, counts what it cost, and stops at every moment.

An errand ends with what it brought kept whole, or with nothing kept at all.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic

from diligent_tui.agent.asking import Provide, ask
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.costs import cost_of
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interrupted, Interruption
from diligent_tui.agent.totals import save_totals
from diligent_tui.compaction.summariser import Summary, summarise
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import DiligentError, Problem, StorageError
from diligent_tui.domain.events import (
    ErrandAsked,
    ErrandDelta,
    ErrandFailed,
    ErrandFinished,
    ErrandKind,
    ErrandStarted,
    UsageRecorded,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage
from diligent_tui.session.tree import Node

STOPPED = Problem("interrupted", "It was stopped; nothing was changed.", "Ask again when you like.")
Write = Callable[[Iterable[Entry]], Request]
"""Makes the request out of what was said; called in a thread."""


class Errand:
    """One errand under way."""

    def __init__(self, errand_id: str, conversation: Conversation, hub: Hub, provide: Provide) -> None:
        """Nothing is asked yet."""
        self.id = errand_id
        self.stop = Interruption()
        self.candidates = 0
        """How many facts wait because of it."""
        self.text = ""
        self._usage: Usage | None = None
        self._model: Model | None = None
        self._conversation = conversation
        self._hub = hub
        self._provide = provide

    async def ask(
        self, nodes: Sequence[Node], write: Write, expected_words: int, advice: str, tell: Callable[[str], None]
    ) -> Summary:
        """The answer to what is written about these; raises Interrupted, and ProviderError with `advice`."""
        return await self.stop.guard(self._asked(nodes, write, expected_words, advice, tell))

    async def _asked(
        self, nodes: Sequence[Node], write: Write, expected_words: int, advice: str, tell: Callable[[str], None]
    ) -> Summary:
        request = await asyncio.to_thread(lambda: write(self._read(nodes)))
        self._model = request.model
        self._hub.publish(ErrandAsked(self.id, request.model.id, expected_words))

        def heard(text: str) -> None:
            self._hub.publish(ErrandDelta(self.id, text))
            tell(text)

        answer = await summarise(ask(self._provide, request), heard, advice)
        self.text, self._usage = answer.text, answer.usage
        if self.stop.is_raised:
            raise Interrupted
        return answer

    def _read(self, nodes: Sequence[Node]) -> Iterator[Entry]:
        for node in nodes:
            if self.stop.is_raised:
                raise Interrupted
            yield self._conversation.store.read(node.id)

    async def pay(self) -> None:
        """Count what was used, if anything was."""
        usage, model = self._usage, self._model
        if usage is not None and model is not None:
            cost = cost_of(usage, model)
            # What the errand brought is kept by now, or will not be: a sum that cannot be saved changes nothing of it.
            with contextlib.suppress(StorageError):
                await save_totals(self._conversation, usage, cost)
            self._hub.publish(UsageRecorded(self.id, model.id, usage, cost, "summary"))


class Errands:
    """The errands of a session; each is told from its beginning to its end."""

    def __init__(
        self, conversation: Conversation, hub: Hub, provide: Provide, clock: Callable[[], float] = monotonic
    ) -> None:
        """Ask through `provide`; `clock` measures how long it takes."""
        self._conversation = conversation
        self._hub = hub
        self._provide = provide
        self._clock = clock
        self._running: dict[str, Errand] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_running(self) -> bool:
        """True while anything is asked."""
        return bool(self._running)

    def stop(self) -> None:
        """Stop whatever is asked; what it has not kept yet is not kept."""
        for errand in self._running.values():
            errand.stop.raise_()

    async def wait_idle(self) -> None:
        """Wait until nothing is asked."""
        await self._idle.wait()

    @asynccontextmanager
    async def begun(self, kind: ErrandKind, messages: int) -> AsyncGenerator[Errand]:
        """An errand about so many messages; what is done inside keeps what it brings."""
        errand = Errand(self._conversation.store.new_id(), self._conversation, self._hub, self._provide)
        began = self._clock()
        self._running[errand.id] = errand
        self._idle.clear()
        self._hub.publish(ErrandStarted(errand.id, kind, messages))
        try:
            yield errand
        except asyncio.CancelledError:
            self._hub.publish(ErrandFailed(errand.id, kind, STOPPED))
            raise
        except (Interrupted, DiligentError) as error:
            await errand.pay()
            problem = error.problem if isinstance(error, DiligentError) else STOPPED
            self._hub.publish(ErrandFailed(errand.id, kind, problem))
            raise
        else:
            await errand.pay()
            passed_seconds = self._clock() - began
            self._hub.publish(ErrandFinished(errand.id, kind, errand.text, errand.candidates, passed_seconds))
        finally:
            del self._running[errand.id]
            if not self._running:
                self._idle.set()
