from dataclasses import replace

import pytest

from diligent_tui.agent.switching import fitting_level, switching_losses
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    Image,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserPart,
    UserTurn,
)
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.registry import find

OPUS, GPT, OFFLINE = find("opus"), find("gpt-6.1-sol"), find("offline")
PICTURE = Image({"type": "url", "url": "https://example.org/a.png"})
THOUGHT = Thinking("hm", "sig")


def talk(model: Model, *, thoughts: int = 0, pictures: int = 0, pictures_in_results: int = 0) -> Request:
    answer: tuple[AssistantPart, ...] = (*[THOUGHT] * thoughts, Text("well"), ToolCall("c1", "read", {}))
    result = ToolResult("c1", "read", "done", is_error=False, images=(PICTURE,) * pictures_in_results)
    last: tuple[UserPart, ...] = (result, *[PICTURE] * pictures)
    turns = (UserTurn((Text("look"),)), AssistantTurn(answer), UserTurn(last))
    return Request(model, "", (), turns, model.max_output_tokens or 8_192)


@pytest.mark.parametrize(
    ("now", "then", "tokens", "said"),
    [
        (talk(OPUS, thoughts=3), talk(OPUS, thoughts=3), 900_000, []),
        (talk(OPUS), talk(GPT), 500, []),
        (talk(OPUS), talk(GPT), 84_000, ["The cache begins anew: ≈84k are sent at the full price once."]),
        (
            talk(OPUS, thoughts=2),
            talk(GPT),
            500,
            ["Thinking of claude-opus-5-5 is not sent to gpt-6.1-sol; it stays in the session."],
        ),
        (talk(OPUS, pictures=1), talk(OFFLINE), 500, ["1 image is not seen by rehearsal."]),
        (talk(OPUS, pictures=1, pictures_in_results=2), talk(OFFLINE), 500, ["3 images are not seen by rehearsal."]),
        (talk(OPUS, pictures=2), talk(GPT, pictures=2), 500, []),
        (talk(OPUS), talk(OFFLINE), 84_000, ["84k of context do not fit in 32k: compacts first."]),
        (talk(OPUS), talk(OFFLINE), 27_904, ["The cache begins anew: ≈28k are sent at the full price once."]),
        (talk(OPUS), talk(OFFLINE), 27_905, ["28k of context do not fit in 32k: compacts first."]),
        (
            talk(OPUS),
            talk(find("gpt-6-cyber")),
            190_000,
            ["190k of context do not fit in ≈128k: compacts first."],
        ),
    ],
)
def test_what_a_switch_loses_is_said_before_it_is_done(
    now: Request, then: Request, tokens: int, said: list[str]
) -> None:
    losses = switching_losses(now, then, tokens)
    assert list(losses.sentences) == said
    assert losses.compacts_first == any("compacts" in sentence for sentence in said)


def test_a_window_smaller_than_the_answer_limit_still_has_room() -> None:
    small = replace(GPT, window_tokens=100_000)
    assert not switching_losses(talk(OPUS), talk(small), 20_000).compacts_first


def test_a_hostile_name_is_cleaned() -> None:
    hostile = Model("openai-compatible", "evil\x1b]52;c;aGk=\x07\u202ename")
    [sentence] = switching_losses(talk(OPUS, pictures=1), talk(hostile), 0).sentences
    assert sentence.isprintable()


@pytest.mark.parametrize(
    ("name", "wanted", "level"),
    [
        ("offline", "max", "max"),
        ("gpt-5.5", "max", "high"),
        ("gpt-5.5", "off", "off"),
        ("opus", "off", "medium"),
        ("opus", "low", "low"),
        ("o3", "max", "high"),
        ("gpt-4o", "high", "off"),
        ("claude-next-9", "high", "off"),
    ],
)
def test_a_level_that_a_model_has_not_becomes_the_nearest(
    name: str, wanted: ThinkingLevel, level: ThinkingLevel
) -> None:
    assert fitting_level(find(name), wanted) == level
