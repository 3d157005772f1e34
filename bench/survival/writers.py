"""Who writes the summaries of a replay: the stub as a provider, faulty ones, and a real model through the registry."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from bench.survival.policies.base import Spent, SummaryWriter
from bench.survival.ruler import Ruler, tokens_of
from bench.survival.stub import THIS_TURN, Piece, Role, pieces_of, summarise
from diligent_tui.agent.requests import SUMMARY_QUESTION
from diligent_tui.domain.errors import BadResponse, ProviderError
from diligent_tui.domain.messages import TextBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Failed, Finished, Provider, ServerWindow, TextPiece
from diligent_tui.providers.base import Piece as AnswerPiece

LEDGER_RULE = "\n---\n"
TRANSCRIPT_ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "tool_call": "call",
    "tool_result": "result",
    "earlier_summary": "summary",
}
WISH = "Summarise this conversation for the agent that will go on with it."
OUTPUT_TOKENS = 4_096

Fault = Literal["empty", "too_long", "raises", "drops_sections"]
FAULTS: tuple[Fault, ...] = ("empty", "too_long", "raises", "drops_sections")

_TRANSCRIPT = re.compile(r"<transcript>\n(?P<body>.*)\n</transcript>", re.DOTALL)
_PREVIOUS = re.compile(r"<previous-summary>\n(?P<body>.*?)\n</previous-summary>", re.DOTALL)
_HEAD = re.compile(r"^\[(?P<role>[a-z_]+) [^\]\s]+\] ", re.MULTILINE)


async def write_stub(pieces: Sequence[Piece], *, is_turn_cut: bool = False) -> str:
    """The stub's summary, as a writer."""
    return summarise(pieces, is_turn_cut=is_turn_cut)


@dataclass(slots=True)
class WritingProvider:
    """A provider that answers the product's requests for summaries with what a writer writes; `spent` is told."""

    write: SummaryWriter
    spent: Spent
    ruler: Ruler
    fault: Fault | None = None
    name: str = "bench"

    async def stream(self, request: Request) -> AsyncIterator[AnswerPiece]:
        """One summary."""
        self.spent.calls += 1
        self.spent.fed_tokens += self.ruler.messages(request.messages)
        if self.fault == "raises":
            yield Failed(BadResponse("The summariser is broken."))
            return
        said, is_turn_cut = told_in(request)
        text = _spoilt(await self.write(said, is_turn_cut=is_turn_cut), self.fault)
        yield TextPiece(text)
        usage = Usage(input_tokens=self.ruler.messages(request.messages), output_tokens=tokens_of(text))
        yield Finished((TextBlock(text=text),), "end_turn", usage)

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """What the model itself says."""
        return None

    async def warm_up(self) -> None:
        """Nothing to load."""

    async def aclose(self) -> None:
        """Nothing to free."""


@dataclass(slots=True)
class RelayingProvider:
    """A provider that passes requests for summaries on to a real model; `spent` is told."""

    real: Provider
    model: Model
    spent: Spent
    ruler: Ruler
    name: str = "bench"

    async def stream(self, request: Request) -> AsyncIterator[AnswerPiece]:
        """One summary of the real model."""
        self.spent.calls += 1
        self.spent.fed_tokens += self.ruler.messages(request.messages)
        async for piece in self.real.stream(replace(request, model=self.model)):
            yield piece

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """The window of the replay holds, whatever the real one is."""
        return None

    async def warm_up(self) -> None:
        """Load what the real one needs."""
        await self.real.warm_up()

    async def aclose(self) -> None:
        """The real one is shared by all replays."""


@dataclass(slots=True)
class AskingWriter:
    """Writes by asking a real model, for the policies of other agents."""

    real: Provider
    model: Model
    costs: list[Usage] = field(default_factory=list[Usage])

    async def __call__(self, pieces: Sequence[Piece], *, is_turn_cut: bool = False) -> str:
        """The model's summary; raises what the provider says."""
        told = "\n\n".join(f"[{piece.role}] {piece.text}" for piece in pieces)
        request = Request(
            model=self.model,
            system=WISH,
            tools=(),
            messages=(UserTurn((Text(f"<transcript>\n{told}\n</transcript>\n\n{WISH}"),)),),
            max_output_tokens=OUTPUT_TOKENS,
            purpose="summary",
        )
        async for piece in self.real.stream(request):
            match piece:
                case Finished():
                    if piece.usage:
                        self.costs.append(piece.usage)
                    return "".join(block.text for block in piece.blocks if isinstance(block, TextBlock))
                case Failed():
                    raise piece.error
                case _:
                    pass
        raise ProviderError("The model ended without an answer.", "Run it again.")


def told_in(request: Request) -> tuple[list[Piece], bool]:
    """What a request for a summary tells, piece by piece, and whether it asks for the turn that is cut."""
    *earlier, last = request.messages
    wish = last.parts[-1]
    words = wish.text if isinstance(wish, Text) else ""
    if found := _TRANSCRIPT.search(words):
        previous = _PREVIOUS.search(words[: found.start()])
        before = [Piece("summary", previous["body"])] if previous else []
        return [*before, *_pieces_in(found["body"])], THIS_TURN in words[found.end() :]
    rest = [UserTurn(last.parts[:-1])] if isinstance(last, UserTurn) else [last]
    pieces = list(pieces_of((*earlier, *rest)))
    if len(pieces) > 1 and pieces[0].text.startswith(SUMMARY_QUESTION):
        summary = pieces[1].text.partition(LEDGER_RULE)[0]
        pieces = [Piece("summary", summary), *pieces[2:]]
    return pieces, THIS_TURN in words


def _pieces_in(transcript: str) -> Iterator[Piece]:
    heads = list(_HEAD.finditer(transcript))
    for head, end in zip(heads, [*(later.start() for later in heads[1:]), len(transcript)], strict=True):
        body = "\n".join(line.removeprefix("  ") for line in transcript[head.end() : end].splitlines())
        yield Piece(TRANSCRIPT_ROLES.get(head["role"], "user"), body)


def _spoilt(text: str, fault: Fault | None) -> str:
    match fault:
        case "empty":
            return " "
        case "too_long":
            return "\n".join([text] * 30)
        case "drops_sections":
            return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        case "raises" | None:
            return text
