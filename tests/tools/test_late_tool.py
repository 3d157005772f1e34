"""A tool that is told of at once and made for its first call."""

from dataclasses import dataclass, field

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.base import Call, KeepsTime, Outcome, Verdict, Workplace
from diligent_tui.tools.late_tool import LateCommand, LateTool
from diligent_tui.tools.toolbox import builtin_tools
from tests.tools.workbench import Bench

SPEC = ToolSpec(name="parrot", description="Says it again.", input_schema={"type": "object"})


@dataclass(frozen=True, slots=True)
class Parrot:
    spec: ToolSpec
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        return str(arguments["words"])

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        return Verdict("deny" if mode == "plan" else "allow")

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        return Outcome(f"{arguments['words']}, {call.entry_id}")

    def timeout_seconds(self, arguments: JsonObject) -> float:
        return float(len(str(arguments["words"])))


@dataclass(frozen=True, slots=True)
class Maker:
    made: list[Parrot] = field(default_factory=list[Parrot])

    def __call__(self, spec: ToolSpec) -> Parrot:
        self.made.append(Parrot(spec))
        return self.made[-1]


async def test_it_is_made_once_with_the_spec_that_was_told_and_answers_for_itself(bench: Bench) -> None:
    make = Maker()
    tool = LateTool(SPEC, make, read_only=True)
    assert (tool.spec, tool.read_only, make.made) == (SPEC, True, [])
    assert tool.subject({"words": "ahoy"}) == "ahoy"
    assert tool.judge({"words": "ahoy"}, "plan", bench.workplace).decision == "deny"
    call = bench.call()
    assert (await tool.run({"words": "ahoy"}, call)).output == f"ahoy, {call.entry_id}"
    assert make.made == [Parrot(SPEC)]
    assert make.made[0].spec is SPEC


def test_only_what_stands_for_a_command_keeps_time() -> None:
    assert not isinstance(LateTool(SPEC, Maker()), KeepsTime)
    command = LateCommand(SPEC, Maker())
    assert isinstance(command, KeepsTime)
    assert command.timeout_seconds({"words": "ahoy"}) == 4.0


def test_of_the_built_in_tools_bash_alone_keeps_time() -> None:
    assert [tool.spec.name for tool in builtin_tools() if isinstance(tool, KeepsTime)] == ["bash"]
