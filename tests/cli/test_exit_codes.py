"""Each exit code of `diligent -p`, from a real process; 130 is in test_headless_signals.py."""

import json
from pathlib import Path

import pytest

from diligent_tui.cli.arguments import parse
from diligent_tui.cli.exit_codes import code_of_end, code_of_problem
from diligent_tui.domain.errors import Problem, UsageError
from tests.cli.conftest import Run

PRICED = {
    "models": {
        "offline/dear": {"window": 32_000, "prices": {"input": 900, "output": 900, "cacheRead": 900, "cacheWrite": 900}}
    }
}


@pytest.fixture
def priced(environment: dict[str, str]) -> None:
    settings = Path(environment["HOME"]) / ".config" / "diligent" / "diligent.jsonc"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(PRICED))


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("-p", "hello"), 0, ""),
        (("-c", "-p", "hello"), 1, "no session here"),
        (("-p",), 2, "-p needs a prompt"),
        (("--cwd", "nowhere", "-p", "hello"), 2, "not a folder"),
        (("-p", "hello", "--deny", "bsh"), 2, "Did you mean bash?"),
        (("-p", "hello", "--allow", "bash("), 2, "--allow: `bash(` is not a rule"),
        (("-p", "hello", "--max-cost", "1", "--model", "ollama/mystery"), 2, "--max-tokens"),
        (("-p", "run echo 1 then run echo 2", "--max-steps", "1"), 3, "step limit"),
        (("-p", "run echo 1 then run echo 2", "--max-tokens", "1"), 3, "token limit"),
        (("-p", "run touch x"), 4, "Not everything was allowed"),
        (("-p", "run touch x", "--mode", "full", "--deny", "bash(touch *)"), 4, "bash(touch *) forbids it"),
        (("-p", "run touch x", "--allow", "bash(touch *)"), 0, "✓ bash"),
        (("-p", "[[fault=auth]]"), 5, "the key was refused"),
        (("-p", "[[fault=refusal]]"), 5, "refused to answer"),
        (("-p", "hello", "--model", "gpt5000x"), 5, "gpt"),
    ],
)
def test_every_ending_is_a_code_and_a_failure_is_a_sentence(
    run: Run, words: tuple[str, ...], code: int, sentence: str
) -> None:
    done = run(*words)
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_stops_at_its_cost(run: Run, priced: None) -> None:
    done = run("-p", "run echo 1 then run echo 2", "--model", "offline/dear", "--max-cost", "0.01")
    assert done.returncode == 3
    assert "cost limit" in done.stderr


def test_a_run_stops_at_its_time_and_keeps_what_was_said(run: Run, project: Path) -> None:
    done = run("-p", "[[t=4000 r=20 id=zz]]", "--max-seconds", "1", "--output-format", "json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["stopReason"] == "time_limit"
    assert "[[t=4000" in next((project / ".diligent" / "sessions").glob("*.jsonl")).read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-p", "x", "--colour"], "--colour"),
        (["-p", "x", "--mode", "fulll"], "--mode"),
        (["-p", "x", "--thinking", "lots"], "--thinking"),
        (["-p", "x", "--max-steps", "0"], "'0' is not a whole number above 0"),
        (["-p", "x", "--max-steps", "2.5"], "not a whole number"),
        (["-p", "x", "--max-tokens", "-1"], "not a whole number"),
        (["-p", "x", "--max-tokens", "²"], "not a whole number"),
        (["-p", "x", "--max-cost", "nan"], "'nan' is not a number above 0"),
        (["-p", "x", "--max-cost", "inf"], "not a number"),
        (["-p", "x", "--max-seconds", "0"], "not a number above 0"),
        (["-p", "x", "--max-seconds", "soon"], "not a number"),
        (["-p", "x", "--output-format", "xml"], "--output-format"),
        (["x", "--output-format", "json"], "--output-format is for -p only"),
        (["x", "--allow", "bash"], "--allow is for -p only"),
        (["x", "--max-seconds", "3"], "--max-seconds is for -p only"),
    ],
)
def test_a_limit_that_is_not_understood_is_refused_and_never_dropped(words: list[str], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence.replace(".", r"\.")):
        parse(words)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("done", 0),
        ("interrupted", 130),
        ("time_limit", 3),
        ("repeated_call", 3),
        ("max_tokens", 3),
        ("refusal", 5),
        ("context_window", 5),
        ("reader_left", 1),
        ("failed", 1),
    ],
)
def test_the_code_of_an_ending(reason: str, code: int) -> None:
    assert code_of_end(reason) == code


@pytest.mark.parametrize(
    ("kind", "code"), [("usage", 2), ("storage_full", 1), ("session_locked", 1), ("auth", 5), ("time_limit", 3)]
)
def test_the_code_of_a_problem(kind: str, code: int) -> None:
    assert code_of_problem(Problem(kind, "", "")) == code
