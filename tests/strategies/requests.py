"""Neutral requests that keep their promises and nothing more: hostile texts, odd ids, raw items of any maker."""

import json
from dataclasses import dataclass
from typing import Literal

from hypothesis import strategies as st

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Image,
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

Maker = Literal["anthropic", "responses", "nobody"]
MAKERS: tuple[Maker, ...] = ("anthropic", "responses", "nobody")
LEVELS: tuple[ThinkingLevel, ...] = ("off", "low", "medium", "high", "max")

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
"""Half characters included."""
WORDS = ANY_TEXT.map(lambda text: text if text.strip() else text + "word")
CLEAN_WORDS = st.text(st.characters(codec="utf-8"), max_size=12).map(lambda text: text if text.strip() else "word")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT
OBJECTS: st.SearchStrategy[JsonObject] = st.dictionaries(
    ANY_TEXT, SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(ANY_TEXT, SCALARS, max_size=2), max_size=2
)
NAMES = st.sampled_from(["read", "run_command", "functions.read", "", "naïve tool", "x" * 100])
IMAGES = st.sampled_from(
    [
        Image({"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}),
        Image({"type": "url", "url": "https://example.org/a.png"}),
        Image({"type": "file", "path": "images/0123"}),
        Image({}),
    ]
)
TOOLS = (
    ToolSpec("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}}),
    ToolSpec("run_command", "", {"type": "object"}),
)


@dataclass(slots=True)
class _Counter:
    """Numbers for ids that must not come twice in one request."""

    value: int = 0

    def next(self) -> int:
        self.value += 1
        return self.value


def requests(longest_exchanges: int = 4) -> st.SearchStrategy[Request]:
    """Requests that keep all promises of `domain.requests`."""
    return _requests(longest_exchanges)


@st.composite
def _requests(draw: st.DrawFn, longest_exchanges: int) -> Request:
    maker = draw(st.sampled_from(MAKERS))
    numbers = _Counter()
    messages: list[RequestMessage] = [UserTurn(tuple(draw(_said())))]
    for _ in range(draw(st.integers(0, longest_exchanges))):
        answer = AssistantTurn(tuple(draw(_answers(maker, numbers))))
        calls = [part for part in answer.parts if isinstance(part, ToolCall)]
        results: list[UserPart] = [draw(_results(call)) for call in calls]
        said = draw(st.just([]) | _said()) if calls else draw(_said())
        messages += [answer, UserTurn((*results, *said))]
    return Request(
        model=Model("maker", "model-1", sees_images=draw(st.booleans())),
        system=draw(ANY_TEXT),
        tools=draw(st.sampled_from([(), TOOLS[:1], TOOLS])),
        messages=tuple(messages),
        max_output_tokens=draw(st.integers(1, 9999)),
        thinking=draw(st.sampled_from(LEVELS)),
        cache_key=draw(ANY_TEXT | st.just("k" * 80)),
    )


def _said() -> st.SearchStrategy[list[UserPart]]:
    return st.lists(WORDS.map(Text) | IMAGES, min_size=1, max_size=2)


@st.composite
def _results(draw: st.DrawFn, call: ToolCall) -> ToolResult:
    images = tuple(draw(st.lists(IMAGES, max_size=1)))
    return ToolResult(call.id, call.name, draw(ANY_TEXT), draw(st.booleans()), images)


@st.composite
def _answers(draw: st.DrawFn, maker: Maker, numbers: _Counter) -> list[AssistantPart]:
    kinds = draw(st.lists(st.sampled_from(["thinking", "text", "call"]), min_size=1, max_size=4))
    if set(kinds) == {"thinking"}:
        kinds.append(draw(st.sampled_from(["text", "call"])))
    parts: list[AssistantPart] = []
    for kind in kinds:
        number = numbers.next()
        match kind:
            case "thinking":
                parts.append(draw(_thoughts(maker, number)))
            case "text":
                parts.append(draw(_texts(maker, number)))
            case _:
                parts.append(draw(_calls(maker, number)))
    return parts


@st.composite
def _thoughts(draw: st.DrawFn, maker: Maker, number: int) -> Thinking:
    text = draw(CLEAN_WORDS)
    raw: JsonObject | None = None
    match maker:
        case "anthropic":
            raw = draw(
                st.sampled_from(
                    [
                        {"type": "thinking", "thinking": text, "signature": f"sig{number}"},
                        {"type": "redacted_thinking", "data": f"data{number}"},
                        {"type": "thinking", "thinking": text, "signature": ""},
                        None,
                    ]
                )
            )
        case "responses":
            whole: JsonObject = {
                "type": "reasoning",
                "id": f"rs_{number}",
                "summary": [{"type": "summary_text", "text": text}],
                "encrypted_content": f"gAAAA{number}",
            }
            raw = draw(
                st.sampled_from([whole, {**whole, "encrypted_content": None}, {**whole, "status": "incomplete"}])
            )
        case "nobody":
            pass
    return Thinking(text, draw(st.none() | st.just(f"sig{number}") | st.just("")), raw)


@st.composite
def _texts(draw: st.DrawFn, maker: Maker, number: int) -> Text:
    text = draw(WORDS)
    if draw(st.booleans()):
        return Text(text)
    match maker:
        case "anthropic":
            return Text(text, {"type": "text", "text": text, "citations": None})
        case "responses":
            content: JsonObject = {"type": "output_text", "text": text, "annotations": []}
            own: JsonObject = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": [content]}
            return Text(text, {**own, "status": "completed"})
        case "nobody":
            return Text(text)


@st.composite
def _calls(draw: st.DrawFn, maker: Maker, number: int) -> ToolCall:
    name, arguments = draw(NAMES), draw(OBJECTS)
    call_id = draw(st.sampled_from(["toolu_{}", "call-{}", "functions.read:{}", "a b{}", "ü{}", "l" * 70 + "{}"]))
    call_id = call_id.format(number)
    if draw(st.booleans()):
        return ToolCall(call_id, name, arguments)
    match maker:
        case "anthropic":
            return ToolCall(
                call_id, name, arguments, {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
            )
        case "responses":
            own: JsonObject = {"type": "function_call", "id": f"fc_{number}", "call_id": call_id, "name": name}
            return ToolCall(call_id, name, arguments, {**own, "arguments": json.dumps(arguments)})
        case "nobody":
            return ToolCall(call_id, name, arguments)
