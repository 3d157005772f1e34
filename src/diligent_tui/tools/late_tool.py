"""Tools of which the model is told at once, and whose code is loaded for the first call."""

from collections.abc import Callable
from functools import cached_property

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.base import Call, KeepsTime, Outcome, Tool, Verdict, Workplace


class LateTool:
    """Stands for a tool that is made when something is asked of it."""

    def __init__(self, spec: ToolSpec, make: Callable[[ToolSpec], Tool], *, read_only: bool = False) -> None:
        """`make` is given the spec; `read_only` is that of the tool that it makes."""
        self.spec = spec
        self.read_only = read_only
        self._make = make

    @cached_property
    def _tool(self) -> Tool:
        return self._make(self.spec)

    def subject(self, arguments: JsonObject) -> str:
        """What the call is about."""
        return self._tool.subject(arguments)

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """What the tool says."""
        return self._tool.judge(arguments, mode, workplace)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Let the tool do it."""
        return await self._tool.run(arguments, call)


class LateCommand(LateTool):
    """Stands for a tool whose calls are ended after some time."""

    def timeout_seconds(self, arguments: JsonObject) -> float:
        """What the tool says."""
        tool = self._tool
        assert isinstance(tool, KeepsTime)
        return tool.timeout_seconds(arguments)
