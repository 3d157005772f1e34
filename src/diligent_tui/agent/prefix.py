"""Whether a request begins with the one before it, as every provider's cache needs it to; and if not, why.

A cache is found by the model and by all that the server renders before a place: the tools, the system prompt, what is
said of thinking, and then the messages in their order. Cache marks, the output limit and the cache's key are no part
of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from diligent_tui.agent.measure import message_bytes, tools_bytes
from diligent_tui.agent.requests import SUMMARY_QUESTION
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.events import (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    Event,
    LeafMoved,
    Pinned,
    SummaryEdited,
    Unpinned,
)
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text

PRUNED = "outputs pruned"


def prefix_break(before: Request, after: Request, deeds: Sequence[str] = ()) -> str:
    """Why what was cached of `before` does not serve `after`; empty if it does.

    `deeds` are what was done to the talk between the two. Where they left its beginning alone, the first message that
    is another one is named behind them.
    """
    if before.model.id != after.model.id:
        return "model switched"
    if before.tools != after.tools:
        return "tools changed"
    if before.system != after.system:
        return "system prompt changed"
    if before.thinking != after.thinking:
        return "thinking level changed"
    done = ", then ".join(deeds)
    if _summary(before.messages) != _summary(after.messages):
        return done or ("compaction" if _summary(after.messages) else "compaction left out")
    place = _message_break(before.messages, after.messages)
    return f"{done}: {place}" if done and place else place


def sizes_bytes(request: Request) -> tuple[tuple[str, int], ...]:
    """How large the parts of a request are, in the order in which they are cached."""
    return (
        ("tools", tools_bytes(request.tools)),
        ("system", utf8_size(request.system)),
        ("messages", sum(message_bytes(message) for message in request.messages)),
    )


@dataclass(slots=True)
class PrefixWatch:
    """Remembers the last request of a session and what was done since, to say whether the next one goes on from it."""

    _before: Request | None = None
    _deeds: list[str] = field(default_factory=list[str])

    def see(self, request: Request) -> str:
        """Why this request cannot use what the last one left in the cache; empty if it can, or is the first."""
        before, self._before = self._before, request
        deeds, self._deeds = self._deeds, []
        return prefix_break(before, request, deeds) if before else ""

    def hear(self, event: Event) -> None:
        """Note what was done to the talk; two requests alone do not tell a move from a compaction."""
        if not (deed := _deed(event)):
            return
        # What a compaction prunes before it summarises is a part of it.
        told = [each for each in self._deeds if each != deed and (deed, each) != ("compaction", PRUNED)]
        self._deeds = [*told, deed]


def _deed(event: Event) -> str:
    match event:
        case LeafMoved():
            return "moved to another place"
        case CompactionPruned():
            return PRUNED
        case CompactionFinished() if event.messages:
            return "compaction"
        case CompactionReverted():
            return "compaction redone" if event.redone else "compaction undone"
        case SummaryEdited():
            return "summary edited"
        case Pinned() | Unpinned():
            return "pins changed"
        case _:
            return ""


def _message_break(before: Sequence[RequestMessage], after: Sequence[RequestMessage]) -> str:
    for number, message in enumerate(before, start=1):
        if number > len(after):
            return f"message {number} left out"
        then = after[number - 1]
        # What was said last may be said on: an answer to it that was never kept leaves it open.
        grew = number == len(before) and then.role == message.role and then.parts[: len(message.parts)] == message.parts
        if then != message and not grew:
            return f"message {number} changed"
    return ""


def _summary(messages: Sequence[RequestMessage]) -> AssistantTurn | None:
    """The answer that a compaction puts at the beginning of a talk."""
    if len(messages) < 2 or not isinstance(answer := messages[1], AssistantTurn):
        return None
    match messages[0].parts:
        case (Text(text=text), *_) if text.startswith(SUMMARY_QUESTION):
            return answer
        case _:
            return None
