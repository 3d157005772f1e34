"""The first and the last line of a run without a screen, around its events; `json` prints the last one alone."""

from typing import Literal

from diligent_tui.domain.errors import Problem
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.records import Record
from diligent_tui.domain.usage import Usage

FORMAT_VERSION: Literal[1] = 1
"""Within a version lines and fields are only ever added; what goes or changes its meaning makes a new one."""


class Denial(Record):
    """A call that was not allowed."""

    call_id: str
    name: str
    reason: str


class RunStarted(Record):
    """A run without a screen begins."""

    type: Literal["run_started"] = "run_started"
    version: Literal[1] = FORMAT_VERSION
    session_id: str
    model_id: str
    mode: str


class RunFinished(Record):
    """A run without a screen has ended: how, with what words, and what it took."""

    type: Literal["run_finished"] = "run_finished"
    version: Literal[1] = FORMAT_VERSION
    session_id: str | None = None
    model_id: str | None = None
    stop_reason: str = "failed"
    exit_code: int = 1
    text: str = ""
    problem: Problem | None = None
    denials: tuple[Denial, ...] = ()
    steps: int = 0
    usage: Usage = Usage()
    total_tokens: int = 0
    cost: float | None = 0.0
    compactions: int = 0
    context_tokens: int = 0
    context_limit: int = 0
    percent_used: float = 0.0
    near_limit: bool = False
    duration_seconds: float = 0.0


def report_to_json(report: RunStarted | RunFinished) -> JsonObject:
    """The line as a JSON object; what is not known is null."""
    return report.model_dump(mode="json", by_alias=True)
