"""The tool `todo`: the whole list each time, readable from its own result."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import MODES
from diligent_tui.tools.todo_list import EMPTY, STATES, TodoItem, read_todo, write_todo
from tests.tools.workbench import Bench

ITEMS = some.lists(
    some.builds(
        TodoItem, some.text(min_size=1).map(lambda text: " ".join(text.split()) or "x"), some.sampled_from(STATES)
    )
)


@given(items=ITEMS)
def test_a_list_can_be_read_back_from_its_own_words(items: list[TodoItem]) -> None:
    assert read_todo(write_todo(items)) == tuple(items)


async def test_the_list_is_said_back(bench: Bench) -> None:
    items = [{"text": "look", "state": "done"}, {"text": " write\n it ", "state": "active"}, {"text": "check"}]
    outcome = await bench.run("todo", {"items": items})
    assert outcome.output == "[x] look\n[>] write it\n[ ] check"
    assert bench.tool("todo").subject({"items": items}) == "1 of 3 done"
    assert (await bench.run("todo", {"items": []})).output == EMPTY
    assert read_todo(EMPTY) == ()


def test_every_mode_allows_it(bench: Bench) -> None:
    wish: JsonObject = {"items": [{"text": "x", "state": "open"}]}
    assert {bench.judge("todo", wish, mode).decision for mode in MODES} == {"allow"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`items` is missing"),
        ({"items": "x"}, "`items` must be a list"),
        ({"items": ["x"]}, "`items` must be a list of objects"),
        ({"items": [{"state": "open"}]}, "`text` is missing"),
        ({"items": [{"text": "x", "state": "later"}]}, "`state` is one of open, active, done, not 'later'."),
        ({"items": [{"text": "x", "status": "open"}]}, "`status` is not known here"),
        ({"items": [{"text": "x"}] * 101}, "at most 100 are kept"),
        ({"items": [{"text": "x" * 501}]}, "say it in at most 500"),
    ],
)
async def test_wrong_lists_are_explained(bench: Bench, arguments: JsonObject, words: str) -> None:
    outcome = await bench.run("todo", arguments)
    assert outcome.is_error
    assert words in outcome.output
