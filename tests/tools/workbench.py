"""A workspace to run tools in, which remembers what was said."""

from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, Outcome, Tool, Verdict, Workplace
from diligent_tui.tools.runner import judge_call, run_call
from diligent_tui.tools.toolbox import builtin_tools


@dataclass(frozen=True, slots=True)
class Bench:
    """A workspace and a way to run tools in it."""

    workplace: Workplace
    said: list[str] = field(default_factory=list[str])
    tools: tuple[Tool, ...] = field(default_factory=builtin_tools)

    @property
    def root(self) -> Path:
        return self.workplace.root

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.tools if tool.spec.name == name)

    def call(self, *, approved: bool = False, entry_id: str = "0a1b2c3d") -> Call:
        return Call(self.workplace, entry_id, self.said.append, approved)

    def judge(self, name: str, arguments: JsonObject, mode: Mode = "ask") -> Verdict:
        return judge_call(self.tool(name), arguments, mode, self.workplace)

    async def run(self, name: str, arguments: JsonObject, *, approved: bool = False) -> Outcome:
        return await run_call(self.tool(name), arguments, self.call(approved=approved))


def open_files() -> int:
    """How many descriptors this process holds."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
