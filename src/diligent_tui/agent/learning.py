"""`/learn`: asks the model what of the session so far is worth knowing later, and puts it into the inbox."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from diligent_tui.agent.asking import Provide, ask
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.costs import cost_of
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interrupted, Interruption
from diligent_tui.agent.knowledge_desk import KnowledgeDesk
from diligent_tui.agent.totals import save_totals
from diligent_tui.compaction.summariser import LEAST_BYTES_PER_TOKEN, SUMMARY_OUTPUT_TOKENS, Summary, summarise
from diligent_tui.compaction.summary_requests import candidates_in
from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.entries import CONTENT_TYPES
from diligent_tui.domain.errors import DiligentError, Problem, UsageError
from diligent_tui.domain.events import UsageRecorded
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.domain.usage import Usage
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.providers.registry import assumed_window

FRAME_TOKENS = 4_000
"""Left free for the instructions, for what is known already and for what a provider adds."""
KNOWN_BYTES = 6_000


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of it: candidates that wait in the inbox now, or why there are none."""

    candidates: tuple[InboxCandidate, ...] = ()
    proposed: int = 0
    """What the model named; some of it may be known, refused or waiting already."""
    problem: Problem | None = None
    is_stopped: bool = False
    usage: Usage | None = None
    cost: float | None = None


@cache
def _instructions() -> str:
    return resources.files("diligent_tui.agent").joinpath("prompts/learn.md").read_text(encoding="utf-8").strip()


def learn_request(transcript: str, known: str, model: Model, focus: str = "") -> Request:
    """The request that asks for candidates."""
    wish = f"\n\nThe user asks you to look above all at this: {focus.strip()}" if focus.strip() else ""
    words = (
        f"<known>\n{known}</known>\n\n<transcript>\n{transcript}\n</transcript>\n\n"
        f"Name what is worth knowing in other sessions, in the section `## Knowledge Candidates` alone.{wish}"
    )
    return Request(
        model=model,
        system=_instructions(),
        tools=(),
        messages=(UserTurn((Text(words),)),),
        max_output_tokens=min(model.max_output_tokens or SUMMARY_OUTPUT_TOKENS, SUMMARY_OUTPUT_TOKENS),
        purpose="summary",
    )


class Learning:
    """Learns from the current path; one at a time, and it can be stopped."""

    def __init__(
        self,
        conversation: Conversation,
        hub: Hub,
        knowledge: KnowledgeDesk,
        provide: Provide,
        model: Callable[[], Model],
        interruption: Interruption,
    ) -> None:
        """Ask the model in force through `provide`, propose to `knowledge`; `interruption` stops it."""
        self._conversation = conversation
        self._hub = hub
        self._knowledge = knowledge
        self._provide = provide
        self._model = model
        self._interruption = interruption
        self.is_learning = False

    def stop(self) -> None:
        """Stop asking; nothing is proposed."""
        self._interruption.raise_()

    async def learn(self, focus: str = "", tell: Callable[[str], None] = lambda _: None) -> Learnt:
        """Ask, and propose what was named; what fails is told in the result."""
        if self.is_learning:
            raise UsageError("It is being asked already.", "Wait for the answer, or stop it with Esc.")
        store = self._conversation.store
        entries = [store.entry(node.id) for node in self._conversation.path if node.type in CONTENT_TYPES]
        if not entries:
            raise UsageError("Nothing was said here yet.", "Send a prompt first; then there is something to learn.")
        model = self._model()
        room_tokens = max(1_000, assumed_window(model)[0] - SUMMARY_OUTPUT_TOKENS - FRAME_TOKENS)
        transcript = write_transcript(entries, room_tokens * LEAST_BYTES_PER_TOKEN)
        request = learn_request(transcript, self._known(), model, focus)
        self.is_learning = True
        self._interruption.lower()
        try:
            answer = await self._interruption.guard(summarise(ask(self._provide, request), tell))
            return await self._propose(answer, model)
        except Interrupted:
            return Learnt(is_stopped=True)
        except DiligentError as error:
            return Learnt(problem=error.problem)
        finally:
            self.is_learning = False

    async def _propose(self, answer: Summary, model: Model) -> Learnt:
        cost = cost_of(answer.usage, model) if answer.usage else None
        if answer.usage:
            asked_id = self._conversation.store.new_id()
            self._hub.publish(UsageRecorded(asked_id, model.id, answer.usage, cost, "summary"))
            await save_totals(self._conversation, answer.usage, cost)
        _, named = candidates_in(answer.text)
        put = await self._knowledge.propose(named, "learn")
        return Learnt(put, len(named), usage=answer.usage, cost=cost)

    def _known(self) -> str:
        """What is known, shortly, the most important first."""
        lines: list[str] = []
        room_bytes = KNOWN_BYTES
        for known in self._knowledge.overview().live:
            line = f"- {' '.join(known.entry.content.split())}\n"
            room_bytes -= len(line.encode("utf-8", "replace"))
            if room_bytes < 0:
                break
            lines.append(line)
        return "".join(lines) or "(nothing yet)\n"
