"""What the documents say of the command line and the library is so."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from diligent_tui.agent.loop import EndReason
from diligent_tui.agent.session import AgentSession
from diligent_tui.cli.arguments import make_parser
from diligent_tui.cli.permission_flags import TOOL_NAMES
from diligent_tui.config.assembly import surroundings
from diligent_tui.config.house import enter
from diligent_tui.domain.run_report import RunFinished, report_to_json

DOCS = Path(__file__).parents[2] / "docs"
HEADLESS = (DOCS / "headless.md").read_text(encoding="utf-8")


def test_the_example_of_the_library_runs_as_it_stands(project: Path, environment: dict[str, str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (DOCS / "library.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=project, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "seven of them" in done.stdout
    assert len([line for line in example.splitlines() if line.strip()]) == 10


def test_every_flag_of_a_run_is_told() -> None:
    known = set(re.findall(r"--[a-z][a-z-]*", make_parser().format_help()))
    told = set(re.findall(r"--[a-z][a-z-]*", HEADLESS))
    assert told <= known
    assert {
        "--max-steps",
        "--max-cost",
        "--max-tokens",
        "--max-seconds",
        "--allow",
        "--deny",
        "--output-format",
    } <= told


def test_every_stop_reason_and_every_field_of_the_result_is_told() -> None:
    for reason in (*get_args(EndReason), "time_limit", "reader_left"):
        assert f"`{reason}`" in HEADLESS, reason
    for name in report_to_json(RunFinished()):
        assert f"`{name}`" in HEADLESS or name == "type", name


def test_rules_may_name_every_tool_that_a_model_is_told_of(project: Path, environment: dict[str, str]) -> None:
    given = surroundings(enter(project, environment, {}), may_ask=False)
    session = AgentSession.begin(given.root / ".diligent" / "sessions", given)
    assert {tool.name for tool in session.next_request().tools} <= TOOL_NAMES
