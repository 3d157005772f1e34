"""What a request to a server of one's own says beyond what every format says."""

from dataclasses import replace

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import AssistantTurn, UserTurn
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.wire import check_chat
from tests.providers.talk import MODEL, call, parts_of, request, result, user

OWN: JsonObject = {"id": "x", "type": "function", "function": {"name": "read", "arguments": '{"path" :"a.py"}'}}


@pytest.mark.parametrize(
    ("levels", "level", "effort"),
    [
        (("low", "high"), "low", "low"),
        (("low", "max"), "max", "high"),
        (("low", "high"), "medium", None),
        (("off", "low"), "off", None),
        ((), "high", None),
    ],
)
def test_effort_is_asked_only_of_models_that_are_said_to_know_it(
    levels: tuple[ThinkingLevel, ...], level: ThinkingLevel, effort: str | None
) -> None:
    asked = replace(request(user("Go.")), model=replace(MODEL, thinking_levels=levels), thinking=level)
    body = to_chat(asked)
    assert body.get("reasoning_effort") == effort
    assert check_chat(body) == []


def sent_call(raw: JsonObject) -> JsonObject:
    body = to_chat(request(user("Go."), AssistantTurn((call("x", raw),)), UserTurn((result("x"),))))
    assert check_chat(body) == []
    (sent,) = parts_of(parts_of(body, "messages")[2], "tool_calls")
    return sent


def test_a_call_goes_back_in_its_makers_words() -> None:
    assert sent_call(OWN) == OWN


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "y"},
        {"type": "tool_use"},
        {"function": {"name": "write", "arguments": "{}"}},
        {"function": {"name": "read", "arguments": '{"path'}},
        {"function": {"name": "read", "arguments": {"path": "a.py"}}},
        {"function": "read"},
        {"extra": 1},
    ],
)
def test_a_call_whose_own_words_do_not_fit_is_said_in_ours(changed: JsonObject) -> None:
    sent = sent_call({**OWN, **changed})
    assert sent == {"id": "x", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}
