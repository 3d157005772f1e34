import json

import pytest

from diligent_tui.domain.errors import Problem
from diligent_tui.domain.event_schema import event_schema, schema_text, shipped_schema
from diligent_tui.domain.events import (
    EVENT_CLASSES,
    ContextMeasured,
    Event,
    QueueChanged,
    QueuedText,
    StepStarted,
    StorageRecovered,
    ToolCallReady,
    ToolFinished,
    TurnFailed,
    UsageRecorded,
    event_name,
    event_to_json,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.run_report import Denial, RunFinished, RunStarted, report_to_json
from diligent_tui.domain.usage import Usage
from tests.domain.json_schema import flaws

SCHEMA = event_schema()
LINES: list[JsonObject] = [
    report_to_json(RunStarted(session_id="s", model_id="a/b", mode="ask")),
    report_to_json(RunFinished()),
    report_to_json(
        RunFinished(
            session_id="s", problem=Problem("x", "y", "z"), denials=(Denial(call_id="c", name="n", reason="r"),)
        )
    ),
]
EVENTS: list[Event] = [
    StepStarted("t", "m", 1, "a/b", (("tools", 3),), ""),
    ToolCallReady("c", "bash", {"command": "ls", "deep": {"list": [1, None]}}),
    ToolFinished("c", "bash", "out", False, 0.5, exit_code=1),
    UsageRecorded("m", "a/b", Usage(input_tokens=3), None),
    ContextMeasured(1, 2, False, True, (("system", 1),)),
    QueueChanged((QueuedText("q", "later", "steer"),)),
    StorageRecovered(),
    TurnFailed("t", Problem("auth", "No key.", "Set one.")),
]


def test_the_shipped_schema_is_what_the_classes_say() -> None:
    assert shipped_schema() == schema_text(), "renew it: python -m diligent_tui.domain.event_schema"


def test_every_event_has_a_definition_with_all_its_fields_in_the_names_of_the_wire() -> None:
    names = {event_name(event_class) for event_class in EVENT_CLASSES}
    assert json.loads(shipped_schema())["$defs"].keys() == names | {"run_started", "run_finished"}


@pytest.mark.parametrize("line", [*LINES, *(event_to_json(event) for event in EVENTS)], ids=lambda line: line["type"])
def test_what_is_printed_fits_the_schema(line: JsonObject) -> None:
    printed = json.loads(json.dumps(line))
    assert flaws(printed, SCHEMA, SCHEMA) == []


@pytest.mark.parametrize(
    "change",
    [
        {"type": "step_begun"},
        {"number": "1"},
        {"number": True},
        {"modelId": None},
        {"sizesBytes": [["tools"], ["system", "3"]]},
        {"sizesBytes": [["tools", 3, 4]]},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_printed_wrong_does_not_fit(change: JsonObject) -> None:
    printed = json.loads(json.dumps({**event_to_json(EVENTS[0]), **change}))
    assert flaws(printed, SCHEMA, SCHEMA)


def test_a_missing_field_and_another_version_do_not_fit() -> None:
    started = LINES[0]
    assert flaws({name: value for name, value in started.items() if name != "mode"}, SCHEMA, SCHEMA)
    assert flaws({**started, "version": 2}, SCHEMA, SCHEMA)
