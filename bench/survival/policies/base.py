"""What a policy is to the replay, and what the policies of other agents have in common.

Constants of other agents are those of their sources at a window of 200,000 tokens, scaled by window / 200,000.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bench.survival.ruler import Ruler, tokens_of
from bench.survival.stub import Piece, pieces_of
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, Text, ToolResult, UserTurn

FULL_WINDOW_TOKENS = 200_000
CUT_OFF_NOTE = "[The beginning of this conversation was cut off.]"
SUMMARY_INTRO = "This is a summary of the conversation so far:"


class SummaryWriter(Protocol):
    """Writes a summary of pieces."""

    async def __call__(self, pieces: Sequence[Piece], *, is_turn_cut: bool = False) -> str:
        """The summary as text."""
        ...


@dataclass(slots=True)
class Spent:
    """What a policy asked a model for."""

    compactions: int = 0
    calls: int = 0
    fed_tokens: int = 0


class Policy(Protocol):
    """Decides what the model sees."""

    @property
    def spent(self) -> Spent:
        """What it asked for so far."""
        ...

    @property
    def overhead_tokens(self) -> int:
        """What stands before the first message."""
        ...

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The messages of the next request, once the model is told something more."""
        ...

    async def answered(self, said: AssistantTurn) -> None:
        """Take what the model said to it."""
        ...

    async def close(self) -> None:
        """Free what it holds."""
        ...


@dataclass(slots=True)
class OtherAgent(ABC):
    """A policy that holds a list of turns and makes it shorter where it must."""

    window_tokens: int
    ruler: Ruler
    write: SummaryWriter
    overhead_tokens: int = 0
    turns: list[RequestMessage] = field(default_factory=list[RequestMessage])
    spent: Spent = field(default_factory=Spent)

    @abstractmethod
    async def make_room(self, heard: UserTurn) -> None:
        """Make the turns shorter if they are too long; what was heard last is among them."""

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The turns, made to fit."""
        self.turns.append(heard)
        await self.make_room(heard)
        return tuple(self.turns)

    async def answered(self, said: AssistantTurn) -> None:
        """Keep it."""
        self.turns.append(said)

    async def close(self) -> None:
        """Forget the turns."""
        self.turns.clear()

    @property
    def tokens(self) -> int:
        """Tokens of a request with all turns."""
        return self.overhead_tokens + self.ruler.messages(self.turns)

    def scaled(self, tokens: int) -> int:
        """A constant of an agent at this window."""
        return int(tokens * self.window_tokens / FULL_WINDOW_TOKENS)

    async def summary_of(self, pieces: Sequence[Piece], *, is_turn_cut: bool = False) -> str:
        """Ask for a summary and account for it."""
        self.spent.calls += 1
        self.spent.compactions += 1
        self.spent.fed_tokens += sum(tokens_of(piece.text) for piece in pieces)
        return await self.write(pieces, is_turn_cut=is_turn_cut)

    def tail_from(self, keep_tokens: int) -> int:
        """The first turn of a tail of that size; it begins with an answer or with words alone, never with results."""
        tokens = 0
        start = len(self.turns)
        for place in range(len(self.turns) - 1, 0, -1):
            tokens += self.ruler.message(self.turns[place])
            if tokens > keep_tokens and start < len(self.turns):
                break
            if not any(isinstance(part, ToolResult) for part in self.turns[place].parts):
                start = place
        return start if start < len(self.turns) else max(1, len(self.turns) - 2)

    def begin_with(self, texts: Sequence[str], start: int) -> None:
        """Show these texts in the place of all turns before `start`."""
        first = UserTurn(tuple(Text(text) for text in texts))
        kept = self.turns[start:]
        if kept and isinstance(kept[0], UserTurn):
            self.turns = [UserTurn((*first.parts, *kept[0].parts)), *kept[1:]]
        else:
            self.turns = [first, *kept]

    def drop_oldest(self, most_tokens: int) -> None:
        """Cut the beginning off until the rest has that size."""
        self.begin_with([CUT_OFF_NOTE], self.tail_from(most_tokens))
        self.spent.compactions += 1


def told_to_summariser(turns: Sequence[RequestMessage], output_chars: int | None = None) -> list[Piece]:
    """What a summariser is given of these turns; an earlier summary is known as such."""
    return [
        Piece("summary", piece.text.removeprefix(SUMMARY_INTRO)) if piece.text.startswith(SUMMARY_INTRO) else piece
        for piece in pieces_of(turns, output_chars)
    ]
