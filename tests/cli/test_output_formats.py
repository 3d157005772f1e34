"""What programs read: json and stream-json from a real process, held against the schema that is shipped."""

import json
import subprocess
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.run_report import RunFinished
from tests.cli.conftest import COMMAND, Run
from tests.domain.json_schema import flaws

Lines = list[JsonObject]


@pytest.fixture(scope="module")
def schema() -> JsonObject:
    printed = subprocess.run([*COMMAND, "schema", "events"], capture_output=True, check=True)
    return json.loads(printed.stdout)


def told(output: str, schema: JsonObject) -> Lines:
    assert output.isascii()
    lines: Lines = [json.loads(line) for line in output.splitlines()]
    for line in lines:
        assert flaws(line, schema, schema) == []
    return lines


def test_piped_lines_are_counted_and_told_as_events_of_the_schema(run: Run, schema: JsonObject) -> None:
    done = run("-p", "count the lines", "--output-format", "stream-json", piped=b"one\ntwo\nthree\n")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = told(done.stdout, schema)
    assert [line["type"] for line in lines][:3] == ["run_started", "turn_started", "message_saved"]
    assert [line["type"] for line in lines][-2:] == ["turn_finished", "run_finished"]
    assert lines[0]["version"] == lines[-1]["version"] == 1
    assert lines[-1]["text"] == "3 lines."


def test_tools_and_a_denial_are_told_as_events_of_the_schema(run: Run, schema: JsonObject) -> None:
    done = run("-p", "read README.md then run echo hi then run touch x", "--output-format", "stream-json")
    assert done.returncode == 4
    lines = told(done.stdout, schema)
    types = {line["type"] for line in lines}
    assert {"tool_started", "tool_output", "tool_finished", "permission_resolved", "usage_recorded"} <= types
    last = lines[-1]
    assert (last["stopReason"], last["exitCode"]) == ("done", 4)
    assert [denial["name"] for denial in json.loads(done.stdout.splitlines()[-1])["denials"]] == ["bash"]


def test_json_is_one_object_with_all_that_a_script_wants(run: Run, schema: JsonObject, project: Path) -> None:
    done = run("-p", "read README.md", "--output-format", "json")
    (result,) = told(done.stdout, schema)
    assert result["type"] == "run_finished"
    assert result["sessionId"] == next((project / ".diligent" / "sessions").glob("*.jsonl")).stem
    assert result["modelId"] == "offline/rehearsal"
    assert "seven of them" in str(result["text"])
    assert (result["stopReason"], result["exitCode"], result["problem"]) == ("done", 0, None)
    assert (result["steps"], result["compactions"], result["cost"]) == (2, 0, 0.0)
    used = RunFinished.model_validate_json(done.stdout)
    assert used.total_tokens == used.usage.prompt_tokens + used.usage.output_tokens > 0
    assert isinstance(result["contextTokens"], int)
    assert result["percentUsed"] == pytest.approx(100 * result["contextTokens"] / 32_000, abs=0.1)
    assert result["nearLimit"] is False

    more = run("-c", "-p", "what did I ask?", "--output-format", "json")
    (again,) = told(more.stdout, schema)
    assert again["sessionId"] == result["sessionId"]
    assert again["steps"] == 1


@pytest.mark.parametrize("form", ["json", "stream-json"])
@pytest.mark.parametrize(
    ("words", "kind", "code"),
    [
        (("hello", "--model", "gpt5000x"), "model_unknown", 5),
        (("-c", "hello"), "session_not_found", 1),
        (("[[fault=auth]]",), "auth", 5),
    ],
)
def test_a_run_that_fails_says_so_in_json_too(
    run: Run, schema: JsonObject, form: str, words: tuple[str, ...], kind: str, code: int
) -> None:
    done = run("-p", *words, "--output-format", form)
    assert done.returncode == code
    last = told(done.stdout, schema)[-1]
    assert (last["stopReason"], last["exitCode"]) == ("failed", code)
    problem = last["problem"]
    assert is_object(problem)
    assert problem["kind"] == kind


def test_signs_that_the_output_does_not_know_do_not_end_the_run(run: Run, project: Path) -> None:
    (project / "README.md").write_text("Schwäne ✓\n")
    done = run("-p", "read README.md", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Schw?ne ?" in done.stdout


def test_a_full_disk_behind_standard_output_is_said(project: Path, environment: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "-p", "hello"],
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1
    assert b"Standard output cannot be written: No space left" in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_closed_streams_do_not_keep_the_prompt_from_its_session(project: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *COMMAND, "-p", "hello"], cwd=project, env=environment
    )
    assert done.returncode == 0
    assert list((project / ".diligent" / "sessions").glob("*.jsonl"))


def test_the_schema_of_the_settings_knows_every_section(run: Run) -> None:
    printed = json.loads(run("schema", "settings").stdout)
    assert {"model", "compaction", "permissions", "limits"} <= printed["properties"].keys()


def test_another_schema_is_a_usage_error(run: Run) -> None:
    done = run("schema", "everything")
    assert done.returncode == 2
    assert "events" in done.stderr
