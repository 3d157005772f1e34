"""What holds for every built-in tool."""

import json
from pathlib import Path

import pytest

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools import builtin
from diligent_tui.tools.base import Call, Outcome, Tool, Verdict, Workplace
from diligent_tui.tools.runner import judge_call, run_call
from diligent_tui.tools.toolbox import builtin_tools, knowledge_tools, recall_tool
from tests.tools.knowledge_doors import ShutDoor
from tests.tools.workbench import Bench


def every_tool() -> tuple[Tool, ...]:
    return (*builtin_tools(), recall_tool(lambda _: None), *knowledge_tools(ShutDoor()))


TOOLS = every_tool()


def test_every_module_beside_its_description_is_registered() -> None:
    folder = Path(str(builtin.__file__)).parent
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert {file.stem for file in folder.glob("*.md")} == modules
    assert len(TOOLS) == len(modules) == len({tool.spec.name for tool in TOOLS})
    names = ["read", "write", "edit", "ls", "glob", "grep", "bash", "todo", "recall"]
    names += ["add_knowledge", "search_knowledge", "supersede_knowledge"]
    assert [tool.spec.name for tool in TOOLS] == names


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.spec.name)
def test_the_spec_is_complete_and_the_same_bytes_each_time(tool: Tool) -> None:
    again = next(other for other in every_tool() if other.spec.name == tool.spec.name)
    assert json.dumps(tool.spec.input_schema) == json.dumps(again.spec.input_schema)
    assert tool.spec.description == again.spec.description
    assert len(tool.spec.description) > 80
    assert tool.spec.input_schema["type"] == "object"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.spec.name)
@pytest.mark.parametrize("mode", MODES)
async def test_wrong_arguments_are_refused_in_words_and_never_raised(bench: Bench, tool: Tool, mode: Mode) -> None:
    wrong: list[JsonObject] = [{"nonsense": 1}, {"path": [], "command": []}, {"path": "\0", "command": "\0"}]
    for arguments in wrong:
        assert tool.subject(arguments) is not None
        verdict = judge_call(tool, arguments, mode, bench.workplace)
        assert verdict.decision == "deny"
        assert verdict.reason
        outcome = await run_call(tool, arguments, bench.call())
        assert outcome.is_error
        assert outcome.output


class Failing:
    """A tool that always fails in the given way."""

    spec = ToolSpec("fails", "", {})
    read_only = True

    def __init__(self, error: Exception) -> None:
        self.error = error

    def subject(self, arguments: JsonObject) -> str:
        return ""

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        raise self.error

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        raise self.error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ToolError("Write it so."), "Write it so."),
        (OSError(28, "No space left on device"), "fails could not finish: No space left on device."),
        (TimeoutError(), "fails could not finish: TimeoutError."),
    ],
)
async def test_failures_become_words_for_the_model(bench: Bench, error: Exception, words: str) -> None:
    tool = Failing(error)
    assert await run_call(tool, {}, bench.call()) == Outcome(words, is_error=True)
    assert judge_call(tool, {}, "ask", bench.workplace) == Verdict("deny", words)


async def test_our_own_faults_are_not_hidden(bench: Bench) -> None:
    with pytest.raises(KeyError):
        await run_call(Failing(KeyError("fault")), {}, bench.call())
