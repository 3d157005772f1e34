"""The providers that speak over a wire, each with what the conformance suite has to know of it.

A new provider is one entry in LINEUP.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.messages import Block, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Request,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserTurn,
)
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.anthropic.client import AnthropicProvider
from diligent_tui.providers.base import Failed, Finished, Piece, Provider
from diligent_tui.providers.openai_chat.client import OpenAIChatProvider
from diligent_tui.providers.openai_responses.client import OpenAIResponsesProvider
from diligent_tui.providers.registry import ProviderOptions
from tests.providers.talk import LIST, READ
from tests.wire import anthropic, chat, responses
from tests.wire.format import Format
from tests.wire.scripts import Fault, Insert, Refuse

KEY = "sk-test-0123456789abcdef0123456789abcdef"
LEVELS: tuple[ThinkingLevel, ...] = ("off", "low", "high")

NO_FAULTS: Mapping[str, Fault] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Contender:
    """A provider under test."""

    name: str
    format: Format
    make: Callable[[ProviderOptions], Provider]
    model: Model
    base_path: str = ""
    """What follows the server's address in a base URL."""
    key_variable: str = ""
    """The variable that its advice names where there is no key; empty if it asks for none."""
    overflows: Mapping[str, Fault] = field(default_factory=lambda: NO_FAULTS)
    """Each shape in which it may tell of an overflow."""
    stream_errors: Mapping[str, tuple[Fault, str]] = field(
        default_factory=lambda: MappingProxyType(dict[str, tuple[Fault, str]]())
    )
    """Errors within a stream, and the kind that each is to become."""
    spare_events: int = 0
    """So many events at the end of an answer may be missing without harm."""


def refusal(contender_format: Format, status: int, kind: str, message: str) -> Refuse:
    """An HTTP refusal in a format's own words."""
    return Refuse(status, json.dumps(contender_format.error_body(kind, message)).encode())


def _anthropic_overflow(message: str, status: int = 400) -> Refuse:
    return refusal(anthropic.FORMAT, status, "invalid_request_error", message)


LINEUP: tuple[Contender, ...] = (
    Contender(
        "anthropic",
        anthropic.FORMAT,
        AnthropicProvider,
        Model("anthropic", "claude-sonnet-5-5", thinking_levels=LEVELS, sees_images=True),
        key_variable="ANTHROPIC_API_KEY",
        overflows={
            "prompt too long": _anthropic_overflow("prompt is too long: 200300 tokens > 200000 maximum"),
            "with max_tokens": _anthropic_overflow(
                "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000"
            ),
            "too many bytes": refusal(
                anthropic.FORMAT, 413, "request_too_large", "Request exceeds the maximum allowed number of bytes."
            ),
            "within the stream": Insert(
                anthropic.error_event("invalid_request_error", "prompt is too long: 200300 tokens > 200000 maximum"),
                at_event=2,
                ending="clean",
            ),
        },
        stream_errors={
            "overloaded": (Insert(anthropic.error_event("overloaded_error", "Overloaded"), 3, "clean"), "overloaded"),
            "a fault": (Insert(anthropic.error_event("api_error", "Oops"), 3, "clean"), "unavailable"),
            "too many": (Insert(anthropic.error_event("rate_limit_error", "Slow"), 3, "clean"), "rate_limited"),
            "no words": (Insert(b'event: error\ndata: {"type":"error"}\n\n', 3, "close"), "unavailable"),
        },
    ),
    Contender(
        "openai",
        responses.FORMAT,
        OpenAIResponsesProvider,
        Model("openai", "gpt-6.1-sol", thinking_levels=LEVELS, sees_images=True),
        base_path="/v1",
        key_variable="OPENAI_API_KEY",
        overflows={
            "by its code": refusal(responses.FORMAT, 400, "invalid_request_error", responses.TOO_LONG),
            "failed": Insert(responses.failed_event(responses.OVERFLOW, responses.TOO_LONG), 2, "clean"),
            "failed, by its words": Insert(responses.failed_event("server_error", responses.TOO_LONG), 2, "clean"),
            "a nested error": Insert(responses.error_event(responses.OVERFLOW, responses.TOO_LONG), 2, "clean"),
            "a flat error": Insert(
                responses.error_event(responses.OVERFLOW, responses.TOO_LONG, nested=False), 2, "clean"
            ),
        },
        stream_errors={
            "overloaded": (Insert(responses.error_event("overloaded_error", "Busy"), 4, "clean"), "overloaded"),
            "a fault": (Insert(responses.failed_event("server_error", "Oops"), 4, "clean"), "unavailable"),
            "too many": (Insert(responses.failed_event("rate_limit_exceeded", "Slow"), 4, "clean"), "rate_limited"),
            "a flat fault": (
                Insert(responses.error_event("api_error", "Oops", nested=False), 4, "clean"),
                "unavailable",
            ),
            "no words": (Insert(b'data: {"type":"error"}\n\n', 4, "close"), "unavailable"),
            "a picture it cannot read": (Insert(responses.failed_event("invalid_image", "No"), 4, "clean"), "provider"),
            "a rule": (Insert(responses.failed_event("bio_policy", "No"), 4, "clean"), "provider"),
        },
    ),
    Contender(
        "openai-compatible",
        chat.FORMAT,
        OpenAIChatProvider,
        Model("openai-compatible", "qwen3:8b", thinking_levels=LEVELS, sees_images=True),
        base_path="/v1",
        overflows={
            "vLLM": refusal(
                chat.FORMAT,
                400,
                "BadRequestError",
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
            ),
            "llama.cpp": Refuse(
                400,
                b'{"error":{"code":400,"message":"the request exceeds the available context size.",'
                b'"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
            ),
            "LM Studio": Insert(
                b'event: error\ndata: {"error":{"message":"Trying to keep the first 9000 tokens when context the '
                b'overflows. However, the model is loaded with context length of only 4096 tokens."}}\n\n',
                1,
                "clean",
            ),
            "OpenRouter": Insert(
                b'data: {"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"prompt is too '
                b'long: 9000 tokens > 8192 maximum"}},"choices":[{"delta":{},"finish_reason":"error"}]}\n\n',
                2,
                "clean",
            ),
        },
        stream_errors={
            "overloaded": (Insert(chat.error_event("overloaded_error", "Busy"), 3, "clean"), "overloaded"),
            "a fault": (Insert(chat.error_event("api_error", "Oops"), 3, "clean"), "unavailable"),
            "a status": (Insert(b'data: {"error":{"code":429,"message":"Slow"}}\n\n', 3, "clean"), "rate_limited"),
            "bare words": (Insert(b'data: {"error":"an error was encountered"}\n\n', 3, "clean"), "unavailable"),
            "no words": (Insert(b'data: {"error":{}}\n\n', 3, "close"), "unavailable"),
            "giving up": (
                Insert(chat.chunk({"delta": {}, "finish_reason": "abort"}), 3, "clean"),
                "stream_cut",
            ),
        },
        spare_events=2,
    ),
)


def ask(contender: Contender, *messages: RequestMessage, thinking: ThinkingLevel = "off") -> Request:
    """A request of this provider's model; without messages, a plain prompt."""
    said = messages or (UserTurn((Text("Look around."),)),)
    return Request(contender.model, "Be useful.", (READ, LIST), said, 4096, thinking, cache_key="session")


def said_again(blocks: tuple[Block, ...]) -> AssistantTurn:
    """An answer as it stands in the next request to its own maker."""
    parts: list[AssistantPart] = []
    for block in blocks:
        match block:
            case TextBlock():
                parts.append(Text(block.text, block.raw))
            case ThinkingBlock():
                parts.append(Thinking(block.thinking, block.signature, block.raw))
            case ToolCallBlock():
                parts.append(ToolCall(block.id, block.name, block.input, block.raw))
            case _:
                pass
    return AssistantTurn(tuple(parts))


def results_for(blocks: tuple[Block, ...], *, failing: str = "") -> UserTurn:
    """A result for each call, one of them maybe an error."""
    calls = [block for block in blocks if isinstance(block, ToolCallBlock)]
    return UserTurn(tuple(ToolResult(call.id, call.name, "some output", call.id == failing) for call in calls))


@dataclass(frozen=True, slots=True)
class Heard:
    """A whole answer: the pieces before the last, and the last."""

    pieces: tuple[Piece, ...]
    last: Piece

    @property
    def finished(self) -> Finished:
        """The last piece of an answer that came to its end."""
        assert isinstance(self.last, Finished), self.last
        return self.last

    @property
    def error(self) -> ProviderError:
        """The error of an answer that failed; it can be shown as it is."""
        assert isinstance(self.last, Failed), self.last
        problem = self.last.error.problem
        assert problem.message.strip()
        assert problem.advice.strip()
        assert KEY not in problem.message + problem.advice
        assert problem.message.isprintable()
        return self.last.error

    def of(self, kind: type[Piece]) -> list[Piece]:
        """The pieces of one kind."""
        return [piece for piece in self.pieces if isinstance(piece, kind)]


async def hear(stream: AsyncIterator[Piece]) -> Heard:
    """Read an answer to its end; exactly its last piece is a last one."""
    *pieces, last = [piece async for piece in stream]
    assert not [piece for piece in pieces if isinstance(piece, Finished | Failed)]
    assert isinstance(last, Finished | Failed)
    return Heard(tuple(pieces), last)
