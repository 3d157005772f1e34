"""Plays whole conversations with the offline provider: a loop that answers its calls with made-up results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Request,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserPart,
    UserTurn,
)
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL

Runs = Callable[[str, JsonObject], tuple[str, bool]]
MOST_ROUNDS = 20


def tool(name: str, **properties: JsonObject) -> ToolSpec:
    return ToolSpec(name, f"The {name} tool.", {"type": "object", "properties": dict(properties)})


TEXT: JsonObject = {"type": "string"}
TOOLS = (
    tool("read", path=TEXT, offset={"type": "integer"}, limit={"type": "integer"}),
    tool("ls", path=TEXT),
    tool("grep", pattern=TEXT, path=TEXT),
    tool("bash", command=TEXT),
    tool("write", path=TEXT, content=TEXT),
    tool("edit", path=TEXT, edits={"type": "array", "items": {"properties": {"old": TEXT, "new": TEXT}}}),
    tool("add_knowledge", type={"enum": ["pattern", "decision", "preference"]}, content=TEXT),
    tool(
        "todo", items={"type": "array", "items": {"properties": {"text": TEXT, "state": {"enum": ["open", "active"]}}}}
    ),
)


def user(*texts: str, results: Sequence[ToolResult] = ()) -> UserTurn:
    return UserTurn((*results, *(Text(text) for text in texts)))


def assistant(text: str, *calls: ToolCall) -> AssistantTurn:
    return AssistantTurn((Text(text), *calls))


def ask(
    *messages: RequestMessage,
    tools: Sequence[ToolSpec] = TOOLS,
    thinking: ThinkingLevel = "off",
    summary: bool = False,
    window_tokens: int = 32_000,
) -> Request:
    model = replace(REHEARSAL, window_tokens=window_tokens)
    purpose = "summary" if summary else "turn"
    return Request(model, "Be plain.", tuple(tools), messages, 4096, thinking, purpose)


async def pieces(request: Request, provider: OfflineProvider | None = None) -> list[Piece]:
    return [piece async for piece in (provider or OfflineProvider()).stream(request)]


async def finished(request: Request, provider: OfflineProvider | None = None) -> Finished:
    last = (await pieces(request, provider))[-1]
    assert isinstance(last, Finished), last
    return last


async def failed(request: Request, provider: OfflineProvider | None = None) -> Failed:
    last = (await pieces(request, provider))[-1]
    assert isinstance(last, Failed), last
    return last


def words(answer: Finished) -> str:
    return "".join(block.text for block in answer.blocks if isinstance(block, TextBlock))


def text_streamed(streamed: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in streamed if isinstance(piece, TextPiece))


def calls_of(answer: Finished) -> list[ToolCallBlock]:
    return [block for block in answer.blocks if isinstance(block, ToolCallBlock)]


def turn_of(answer: Finished) -> AssistantTurn:
    parts: list[AssistantPart] = []
    for block in answer.blocks:
        match block:
            case TextBlock():
                parts.append(Text(block.text))
            case ThinkingBlock():
                parts.append(Thinking(block.thinking, block.signature))
            case ToolCallBlock():
                parts.append(ToolCall(block.id, block.name, block.input))
            case _:
                raise AssertionError(block)
    return AssistantTurn(tuple(parts))


@dataclass(frozen=True, slots=True)
class Played:
    """A whole turn: every call that was made, the last words, and the messages as they stand after it."""

    calls: list[ToolCallBlock]
    final: str
    messages: tuple[RequestMessage, ...]
    answers: list[Finished]


async def play(
    order: str,
    runs: Runs,
    before: Sequence[RequestMessage] = (),
    tools: Sequence[ToolSpec] = TOOLS,
    provider: OfflineProvider | None = None,
    thinking: ThinkingLevel = "off",
) -> Played:
    provider = provider or OfflineProvider()
    messages: tuple[RequestMessage, ...] = (*before, user(order))
    calls: list[ToolCallBlock] = []
    answers: list[Finished] = []
    for _ in range(MOST_ROUNDS):
        answer = await finished(ask(*messages, tools=tools, thinking=thinking), provider)
        answers.append(answer)
        messages = (*messages, turn_of(answer))
        made = calls_of(answer)
        if not made:
            return Played(calls, words(answer), messages, answers)
        calls += made
        results: list[UserPart] = []
        for call in made:
            output, is_error = runs(call.name, call.input)
            results.append(ToolResult(call.id, call.name, output, is_error))
        messages = (*messages, UserTurn(tuple(results)))
    raise AssertionError("the engine never came to an end")
