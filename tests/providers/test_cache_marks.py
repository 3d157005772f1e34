"""The cache marks let each request find what the one before it wrote."""

import json
from dataclasses import replace

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import (
    AssistantTurn,
    Request,
    RequestMessage,
    Text,
    Thinking,
    UserTurn,
)
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.wire import check_anthropic
from tests.providers.talk import (
    SAID,
    THOUGHT,
    USED,
    blocks_of,
    call,
    parts_of,
    request,
    result,
    user,
)

LOOK_BACK_BLOCKS = 20


def marks_of(body: JsonObject) -> list[int]:
    return [number for number, block in enumerate(blocks_of(body)) if "cache_control" in block]


def steps(*sizes: int) -> list[Request]:
    """One request for each step of a tool loop whose answers make so many calls each."""
    messages: list[RequestMessage] = [user("Go")]
    made = [request(*messages)]
    for step, size in enumerate(sizes):
        ids = [f"c{step}-{number}" for number in range(size)]
        messages.append(AssistantTurn(tuple(call(call_id) for call_id in ids)))
        messages.append(UserTurn(tuple(result(call_id) for call_id in ids)))
        made.append(request(*messages))
    return made


def read_from_cache(body: JsonObject, written: set[int]) -> int:
    """The furthest block that a server finds: it looks back from each mark for what was written."""
    found = [block for mark in marks_of(body) for block in written if mark - LOOK_BACK_BLOCKS <= block <= mark]
    return max(found, default=-1)


@pytest.mark.parametrize("size", range(1, 201))
def test_each_step_finds_all_of_the_step_before_in_the_cache_however_many_blocks_it_has(size: int) -> None:
    written: set[int] = set()
    end = -1
    for made in steps(size, 1, size):
        body = to_anthropic(made)
        assert read_from_cache(body, written) == end
        assert json.dumps(body).count('"cache_control"') <= 4
        assert check_anthropic(body) == []
        written |= set(marks_of(body))
        end = len(blocks_of(body)) - 1
        assert end in marks_of(body)


@pytest.mark.parametrize("length", range(2, 101))
def test_marks_are_at_most_twenty_blocks_apart_in_a_talk_of_ordinary_steps(length: int) -> None:
    marks = marks_of(to_anthropic(steps(*[1 + step % 10 for step in range(length)])[-1]))
    assert len(marks) == 2
    assert marks[1] - marks[0] <= LOOK_BACK_BLOCKS


@pytest.mark.parametrize("more", range(1, LOOK_BACK_BLOCKS + 1))
def test_a_prompt_sent_again_with_more_words_finds_the_first_try_in_the_cache(more: int) -> None:
    first = request(user("Hello"), AssistantTurn((Text("Hi."),)), user("Go"))
    again = replace(first, messages=(*first.messages[:2], user("Go", *["on"] * more)))
    assert read_from_cache(to_anthropic(again), set(marks_of(to_anthropic(first)))) == 2


def test_no_raw_block_ever_carries_a_cache_mark() -> None:
    answer = AssistantTurn((Thinking("", None, THOUGHT), Text("x", SAID), call("toolu_1", USED)))
    for ending in (UserTurn((result("toolu_1"),)), UserTurn((result("toolu_1"), Text("x", SAID)))):
        body = to_anthropic(request(user("Go"), answer, ending))
        assert all("cache_control" not in block for block in parts_of(parts_of(body, "messages")[1], "content"))
    assert "cache_control" not in THOUGHT | SAID | USED
