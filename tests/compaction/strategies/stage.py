"""A compaction on the stage: a conversation, its plan, and a writer that says what it is told to."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field

from diligent_tui.agent.requests import build_messages
from diligent_tui.compaction.planning import Plan, facts_for, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import pins_on
from diligent_tui.compaction.strategies.base import Job, Progress, Writer
from diligent_tui.domain.errors import ContextOverflow, ProviderError
from diligent_tui.domain.messages import Block, StopReason, TextBlock, ToolCallBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, ToolSpec
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import CallBegun, Failed, Finished, Piece, TextPiece
from diligent_tui.providers.offline.counting import measure
from tests.strategies.conversations import MAKER, Conversation, Step, Turn, tokens_at

POLICY = CompactionPolicy()
WINDOW = 32_000
OVERHEAD = 2_000
BYTES_PER_TOKEN = 3.0
TOKENS_OF = tokens_at(BYTES_PER_TOKEN)
TOOLS = (ToolSpec("read", "Read a file.", {"type": "object", "properties": {}}),)
SYSTEM = "Be good. See docs/house.md."
USAGE = Usage(input_tokens=100, output_tokens=10)

GOOD = """\
## Goal
- The user wants the echo mended.
## Constraints & Preferences
- (none)
## Progress
### Done
- The beginning was read, and the echo was found in the second of the two loops.
### In Progress
- The mending of it, of which the first half is written.
### Blocked
- (none)
## Key Decisions
- The second loop goes, because it says everything twice.
## Next Steps
- Write the second half.
## Critical Context
- The loops stand one behind the other.
"""
CANDIDATES = """
## Knowledge Candidates
- (preference) The user likes short loops.
"""


def said(text: str, stop_reason: StopReason = "end_turn") -> tuple[Piece, ...]:
    """An answer of these words."""
    blocks: tuple[Block, ...] = (TextBlock(text=text),) if text else ()
    return (TextPiece(text), Finished(blocks, stop_reason, USAGE))


def called(text: str = "") -> tuple[Piece, ...]:
    """An answer that calls a tool."""
    call = ToolCallBlock(id="c1", name="read", input={})
    return (CallBegun("c1", "read"), Finished((TextBlock(text=text), call) if text else (call,), "tool_use", USAGE))


def failed(error: ProviderError) -> tuple[Piece, ...]:
    """No answer."""
    return (Failed(error),)


Play = Callable[[Request], Sequence[Piece]]


@dataclass(slots=True)
class Script:
    """Answers in order, the last one for ever; too long a request overflows, whatever was to be said."""

    answers: Sequence[Sequence[Piece] | Play]
    most_tokens: int | None = None
    requests: list[Request] = field(default_factory=list[Request])
    closed: int = 0

    async def ask(self, request: Request) -> AsyncGenerator[Piece, None]:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        tokens = measure(request).tokens
        try:
            if self.most_tokens is not None and tokens > self.most_tokens:
                yield Failed(ContextOverflow(f"{tokens} tokens", tokens=tokens))
                return
            for piece in answer(request) if callable(answer) else answer:
                yield piece
        finally:
            self.closed += 1


def texts(request: Request) -> str:
    """All words of a request."""
    return "\n".join(part.text for message in request.messages for part in message.parts if isinstance(part, Text))


def instruction(request: Request) -> str:
    """What a request asks for, at its very end."""
    part = request.messages[-1].parts[-1]
    assert isinstance(part, Text)
    return part.text.rpartition("</transcript>")[2]


def talk(turns: int = 12, *, result: float = 0.05, window: int = WINDOW, words: float = 0.01) -> Conversation:
    """A conversation of so many turns; sizes are parts of the window."""
    made = Conversation(int(window * BYTES_PER_TOKEN))
    for _ in range(turns):
        made.play(Turn(0.001, (Step(words, (result,)), Step(words, ()))))
    return made


def planned(
    made: Conversation, *, window: int = WINDOW, overhead: int = OVERHEAD, excluded: Sequence[str] = ()
) -> Plan:
    """The plan for a conversation; there must be one."""
    pinned = pins_on(made.session.path, made.session.lookup)
    plan = plan_compaction(
        made.see().items, made.sizes(TOKENS_OF), POLICY, window, overhead, pinned=pinned, excluded=excluded
    )
    assert isinstance(plan, Plan), plan
    return plan


@dataclass(slots=True)
class Stage:
    """A job, its script and what was told of it."""

    job: Job
    script: Script
    told: list[Progress] = field(default_factory=list[Progress])


def stage(
    made: Conversation,
    script: Script,
    *,
    cached: bool = False,
    window: int = WINDOW,
    overhead: int = OVERHEAD,
    plan: Plan | None = None,
    excluded: Sequence[str] = (),
    focus: str = "",
    model: Model | None = None,
    asks_candidates: bool = True,
) -> Stage:
    """A job for this conversation, by a transcript or on its cached prefix."""
    plan = plan or planned(made, window=window, overhead=overhead, excluded=excluded)
    sizes = made.sizes(TOKENS_OF)
    model = model or Model(*MAKER, window_tokens=window, max_output_tokens=8_000)
    told: list[Progress] = []
    conversation: Request | None = None
    covered = build_messages(plan.items[: plan.cut.position], sizes.lookup, model) if cached else ()
    if cached:
        messages = build_messages(plan.items, sizes.lookup, model)
        conversation = Request(model, SYSTEM, TOOLS, messages, 8_000, thinking="high", cache_key="k")
    job = Job(
        plan=plan,
        facts=facts_for(plan, sizes, POLICY),
        sizes=sizes,
        policy=POLICY,
        writer=Writer(model, window, script.ask, conversation, covered),
        reason="manual",
        focus=focus,
        anchor_id="anchor01",
        known_text=SYSTEM,
        asks_candidates=asks_candidates,
        tell=told.append,
    )
    return Stage(job, script, told)
