"""Whether a request begins with the one before it, as every provider's cache needs it to; and if not, why.

A cache is found by the model and by all that the server renders before a place: the tools, the system prompt, what is
said of thinking, and then the messages in their order. Cache marks, the output limit and the cache's key are no part
of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.agent.measure import message_bytes, tools_bytes
from diligent_tui.agent.requests import SUMMARY_QUESTION
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text


def prefix_break(before: Request, after: Request) -> str:
    """Why what was cached of `before` does not serve `after`; empty if it does."""
    if before.model.id != after.model.id:
        return "model switched"
    if before.tools != after.tools:
        return "tools changed"
    if before.system != after.system:
        return "system prompt changed"
    if before.thinking != after.thinking:
        return "thinking level changed"
    if _summary(before.messages) != _summary(after.messages):
        return "compaction" if _summary(after.messages) else "compaction left out"
    return _message_break(before.messages, after.messages)


def sizes_bytes(request: Request) -> tuple[tuple[str, int], ...]:
    """How large the parts of a request are, in the order in which they are cached."""
    return (
        ("tools", tools_bytes(request.tools)),
        ("system", utf8_size(request.system)),
        ("messages", sum(message_bytes(message) for message in request.messages)),
    )


@dataclass(slots=True)
class PrefixWatch:
    """Remembers the last request of a session, to say of the next one whether it goes on from there."""

    _before: Request | None = None

    def see(self, request: Request) -> str:
        """Why this request cannot use what the last one left in the cache; empty if it can, or is the first."""
        before, self._before = self._before, request
        return prefix_break(before, request) if before else ""


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
