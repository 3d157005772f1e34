"""The validators refuse what servers refuse, at its place, and accept what they accept."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserTurn,
)
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from tests.providers.wire.anthropic_bodies import ANSWER, ANTHROPIC, ASKED, BAD_ANTHROPIC
from tests.providers.wire.changes import GONE, MARK, SCHEMA, Also, Change, Path, changed
from tests.providers.wire.chat_bodies import BAD_CHAT, CHAT
from tests.providers.wire.responses_bodies import BAD_RESPONSES, RESPONSES, reasoning, spoken, told

WIRES: dict[str, tuple[Callable[[JsonObject], list[str]], JsonObject, dict[str, Change]]] = {
    "anthropic": (check_anthropic, ANTHROPIC, BAD_ANTHROPIC),
    "responses": (check_responses, RESPONSES, BAD_RESPONSES),
    "chat": (check_chat, CHAT, BAD_CHAT),
}


@pytest.mark.parametrize("wire", WIRES)
def test_a_good_body_is_accepted(wire: str) -> None:
    check, good, _ = WIRES[wire]
    assert check(good) == []


@pytest.mark.parametrize(("wire", "flaw"), [(wire, flaw) for wire, (_, _, bad) in WIRES.items() for flaw in bad])
def test_a_flaw_is_named_with_its_place(wire: str, flaw: str) -> None:
    check, good, bad = WIRES[wire]
    path, value, finding = bad[flaw]
    found = check(changed(good, path, value))
    assert any(finding in sentence for sentence in found), found


@pytest.mark.parametrize("wire", WIRES)
def test_one_flaw_hides_no_other(wire: str) -> None:
    check, good, _ = WIRES[wire]
    body = changed(changed(good, ("model",), ""), ("surprise",), 1)
    assert len(check(body)) == 2


@pytest.mark.parametrize(
    ("wire", "path", "value"),
    [
        ("anthropic", ("system",), "Be useful."),
        ("anthropic", ("system",), GONE),
        ("anthropic", ("tools",), GONE),
        ("anthropic", ("thinking",), {"type": "disabled"}),
        ("anthropic", (*ANSWER, 3, "input"), {"cache_control": MARK}),
        ("anthropic", (*ASKED, 1, "source"), {"type": "url", "url": "https://example.org/a"}),
        ("responses", ("input", 9), told("Bye")),
        ("responses", ("input", 3), Also(reasoning("rs_7"))),
        ("responses", ("input", 5), Also(spoken("between"))),
        ("responses", ("input", 8, "content", 0), {"type": "refusal", "refusal": "No."}),
        ("chat", ("messages", 0), GONE),
        ("chat", ("messages", 7), GONE),
        ("chat", ("tools",), GONE),
    ],
)
def test_other_good_bodies_are_accepted(wire: str, path: Path, value: object) -> None:
    check, good, _ = WIRES[wire]
    assert check(changed(good, path, value)) == []


NONSENSE = (
    "null",
    "1",
    '"x"',
    "[]",
    "[null]",
    "[[]]",
    "{}",
    "[{}]",
    '[{"type": []}]',
    '[{"role": {}, "content": [1]}]',
)


def test_a_body_of_nothing_is_refused_without_a_crash() -> None:
    for check, good, _ in WIRES.values():
        assert check({})
        for key in good:
            for nonsense in NONSENSE:
                check({**good, key: json.loads(nonsense)})


READ = ToolSpec("read", "Reads.", SCHEMA)
GO = UserTurn((Text("Go"),))
CALLED = AssistantTurn((Thinking("Hm", None), ToolCall("a", "read", {}), ToolCall("b", "read", {})))
A, B = ToolResult("a", "read", "", False), ToolResult("b", "read", "no", True)
GOOD = Request(Model("maker", "m"), "", (READ,), (GO, CALLED, UserTurn((A, B, Text("on")))), 10)

BAD_REQUESTS: dict[str, tuple[Request, str]] = {
    "no model name": (replace(GOOD, model=Model("maker", "")), "model.name: must be text"),
    "no output": (replace(GOOD, max_output_tokens=0), "max_output_tokens: must be"),
    "a tool twice": (replace(GOOD, tools=(READ, READ)), "tools[1].name: 'read' is used twice"),
    "a tool name with a dot": (replace(GOOD, tools=(replace(READ, name="a.b"),)), "tools[0].name: must match"),
    "a schema of no object": (replace(GOOD, tools=(replace(READ, input_schema={}),)), "tools[0].input_schema: must be"),
    "no messages": (replace(GOOD, messages=()), "messages: must not be empty"),
    "assistant first": (replace(GOOD, messages=(AssistantTurn((Text("x"),)),)), "messages[0]: must be of the user"),
    "assistant last": (replace(GOOD, messages=(GO, AssistantTurn((Text("x"),)))), "messages[1]: the last message"),
    "two of the user": (replace(GOOD, messages=(GO, GO)), "messages[1]: must be of the assistant"),
    "an empty turn": (replace(GOOD, messages=(UserTurn(()),)), "messages[0]: must not be empty"),
    "blank words": (replace(GOOD, messages=(UserTurn((Text(" "),)),)), "messages[0].parts[0]: must be text"),
    "a blank answer": (replace(GOOD, messages=(GO, AssistantTurn((Text(""),)), GO)), "messages[1].parts[0]: must be"),
    "an answer of thoughts": (
        replace(GOOD, messages=(GO, AssistantTurn((Thinking("x", "y"),)), GO)),
        "messages[1]: must hold words or a call",
    ),
    "a blank call id": (
        replace(GOOD, messages=(GO, AssistantTurn((ToolCall("", "read", {}),)), UserTurn((replace(A, call_id=""),)))),
        "messages[1].parts[0].id: must be text",
    ),
    "one call id twice": (
        replace(GOOD, messages=(*GOOD.messages, CALLED, UserTurn((A, B)))),
        "messages[3].parts[1].id: 'a' is used twice",
    ),
    "a result missing": (replace(GOOD, messages=(GO, CALLED, UserTurn((A,)))), "messages[2]: results for ['a']"),
    "a result twice": (replace(GOOD, messages=(GO, CALLED, UserTurn((A, A, B)))), "messages[2]: results for"),
    "results in another order": (replace(GOOD, messages=(GO, CALLED, UserTurn((B, A)))), "messages[2]: results for"),
    "a result without a call": (replace(GOOD, messages=(UserTurn((A,)),)), "messages[0]: results for ['a']"),
    "words before a result": (
        replace(GOOD, messages=(GO, CALLED, UserTurn((A, Text("x"), B)))),
        "messages[2].parts[2]: results must stand before",
    ),
}


def test_a_request_that_keeps_its_promises_is_accepted() -> None:
    assert check_request(GOOD) == []


@pytest.mark.parametrize("flaw", BAD_REQUESTS)
def test_a_broken_promise_is_named_with_its_place(flaw: str) -> None:
    request, finding = BAD_REQUESTS[flaw]
    found = check_request(request)
    assert any(finding in sentence for sentence in found), found
