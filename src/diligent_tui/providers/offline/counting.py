"""Counts what a request weighs and how much of it the last one already had, as a provider with a cache would.

A token is four bytes. What the last answered request began with in the same way, message by message, is cache read;
all the rest is input, and nothing is ever cache write: this engine has no cache to pay for.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import assert_never

from diligent_tui.domain.requests import AssistantPart, Image, Request, Text, Thinking, ToolCall, ToolResult, UserPart
from diligent_tui.domain.usage import Usage

BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a request: its size, and a mark that only the same stretch has."""

    size_bytes: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class Measure:
    """A request as its stretches: system, tools, then each message."""

    parts: tuple[Part, ...] = ()

    @property
    def tokens(self) -> int:
        """All of it, rounded up."""
        return -(-sum(part.size_bytes for part in self.parts) // BYTES_PER_TOKEN)

    @property
    def mark(self) -> str:
        """Six hex digits that another request hardly ever has."""
        return blake2b(b"".join(part.mark for part in self.parts), digest_size=3).hexdigest()

    def usage(self, before: "Measure", output_tokens: int) -> Usage:
        """The usage of this request when `before` was answered last."""
        same_bytes = 0
        for mine, earlier in zip(self.parts, before.parts, strict=False):
            if mine != earlier:
                break
            same_bytes += mine.size_bytes
        read_tokens = same_bytes // BYTES_PER_TOKEN
        return Usage(input_tokens=self.tokens - read_tokens, output_tokens=output_tokens, cache_read_tokens=read_tokens)


def measure(request: Request) -> Measure:
    """The measure of a request."""
    return Measure(tuple(_part(stretch) for stretch in _stretches(request)))


def _part(stretch: str) -> Part:
    data = stretch.encode("utf-8", "replace")
    return Part(len(data), blake2b(data, digest_size=16).digest())


def _stretches(request: Request) -> Iterator[str]:
    yield request.system
    yield _json([[tool.name, tool.description, tool.input_schema] for tool in request.tools])
    for message in request.messages:
        yield _json([message.role, *(_plain(part) for part in message.parts)])


def _plain(part: UserPart | AssistantPart) -> list[object]:
    match part:
        case Text():
            return ["text", part.text]
        case Thinking():
            return ["thinking", part.text]
        case Image():
            # The engine sees no pictures, so their bytes are not counted either.
            return ["image"]
        case ToolCall():
            return ["call", part.id, part.name, part.input]
        case ToolResult():
            return ["result", part.call_id, part.output, part.is_error]
        case _:
            assert_never(part)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
