"""The ruler of the replay, the same for every policy: a token is four characters, and a message is what it says."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bench.survival.values import texts_in
from diligent_tui.domain.requests import (
    Image,
    Request,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

CHARS_PER_TOKEN = 4


def tokens_of(text: str) -> int:
    """Tokens of a text."""
    return len(text) // CHARS_PER_TOKEN


@dataclass(slots=True)
class Ruler:
    """Sizes of messages; what a call says is written out only once."""

    calls: dict[str, int] = field(default_factory=dict[str, int])

    def message(self, message: RequestMessage) -> int:
        """Tokens of one message."""
        return sum(self._chars(message)) // CHARS_PER_TOKEN

    def messages(self, messages: Iterable[RequestMessage]) -> int:
        """Tokens of several messages."""
        return sum(map(self.message, messages))

    def overhead(self, request: Request) -> int:
        """Tokens of what stands before the first message."""
        tools = sum(len(json.dumps([tool.name, tool.description, tool.input_schema])) for tool in request.tools)
        return (len(request.system) + tools) // CHARS_PER_TOKEN

    def _chars(self, message: RequestMessage) -> Iterator[int]:
        for part in message.parts:
            match part:
                case Text() | Thinking():
                    yield len(part.text)
                case ToolCall():
                    if part.id not in self.calls:
                        self.calls[part.id] = len(part.name) + len(json.dumps(part.input, ensure_ascii=False))
                    yield self.calls[part.id]
                case ToolResult():
                    yield len(part.output)
                case Image():
                    pass


def words_of(message: RequestMessage) -> str:
    """All that a message says, the arguments of calls as plain text."""
    parts: list[str] = []
    for part in message.parts:
        match part:
            case Text():
                parts.append(part.text)
            case ToolCall():
                parts.extend((part.name, *texts_in(part.input)))
            case ToolResult():
                parts.append(part.output)
            case Thinking() | Image():
                pass
    return "\n".join(parts)


def words_of_all(messages: Sequence[RequestMessage]) -> str:
    """All that a request says in its messages."""
    return "\n".join(map(words_of, messages))
