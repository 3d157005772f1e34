"""`/learn`: asks the model what of the session so far is worth knowing later, and puts it into the inbox."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.errands import Errand, Errands
from diligent_tui.agent.interruption import Interrupted
from diligent_tui.agent.knowledge_desk import KnowledgeDesk
from diligent_tui.compaction.summariser import LEAST_BYTES_PER_TOKEN, SUMMARY_OUTPUT_TOKENS
from diligent_tui.compaction.summary_requests import candidates_in
from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.entries import CONTENT_TYPES, Entry
from diligent_tui.domain.errors import DiligentError, Problem, UsageError
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.providers.registry import assumed_window
from diligent_tui.session.tree import Node

FRAME_TOKENS = 4_000
"""Left free for the instructions, for what is known already and for what a provider adds."""
KNOWN_BYTES = 6_000
EXPECTED_WORDS = 100
"""At most five facts in a line each are asked for."""
ADVICE = "Ask again with /learn; nothing was proposed."


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of it: candidates that wait in the inbox now, or why there are none."""

    candidates: tuple[InboxCandidate, ...] = ()
    proposed: int = 0
    """What the model named; some of it may be known, refused or waiting already."""
    problem: Problem | None = None
    is_stopped: bool = False


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
    """Learns from the current path, once at a time."""

    def __init__(
        self, conversation: Conversation, knowledge: KnowledgeDesk, errands: Errands, model: Callable[[], Model]
    ) -> None:
        """Ask the model in force on an errand, and propose to `knowledge`."""
        self._conversation = conversation
        self._knowledge = knowledge
        self._errands = errands
        self._model = model
        self._errand: Errand | None = None

    def stop(self) -> None:
        """Stop asking; nothing is proposed."""
        if self._errand is not None:
            self._errand.stop.raise_()

    async def learn(self, focus: str = "", tell: Callable[[str], None] = lambda _: None) -> Learnt:
        """Ask, and propose what was named; what fails is told in the result."""
        if self._errand is not None:
            raise UsageError("It is being asked already.", "Wait for the answer, or stop it with Esc.")
        nodes = [node for node in self._conversation.path if node.type in CONTENT_TYPES]
        if not nodes:
            raise UsageError("Nothing was said here yet.", "Send a prompt first; then there is something to learn.")
        try:
            async with self._errands.begun("learn", len(nodes)) as self._errand:
                return await self._learnt(self._errand, nodes, focus, tell)
        except Interrupted:
            return Learnt(is_stopped=True)
        except DiligentError as error:
            return Learnt(problem=error.problem)
        finally:
            self._errand = None

    async def _learnt(self, errand: Errand, nodes: Sequence[Node], focus: str, tell: Callable[[str], None]) -> Learnt:
        model, known = self._model(), self._known()
        room_tokens = max(1_000, assumed_window(model)[0] - SUMMARY_OUTPUT_TOKENS - FRAME_TOKENS)

        def write(entries: Iterable[Entry]) -> Request:
            return learn_request(write_transcript(entries, room_tokens * LEAST_BYTES_PER_TOKEN), known, model, focus)

        answer = await errand.ask(nodes, write, EXPECTED_WORDS, ADVICE, tell)
        _, named = candidates_in(answer.text)
        put = await self._knowledge.propose(named, "learn")
        errand.candidates = len(put)
        return Learnt(put, len(named))

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
