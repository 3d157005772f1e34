"""The one way to judge and run a tool's call: what goes wrong becomes words for the model."""

from diligent_tui.domain.errors import DiligentError, ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, Outcome, Tool, Verdict, Workplace


def judge_call(tool: Tool, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
    """What the rules say; a call whose arguments are wrong is refused with the words that help to mend it."""
    try:
        return tool.judge(arguments, mode, workplace)
    except ToolError as error:
        return Verdict("deny", error.message)
    except OSError as error:
        return Verdict("deny", _sentence(tool, error))


async def run_call(tool: Tool, arguments: JsonObject, call: Call) -> Outcome:
    """Run the tool; only cancellation and faults of our own come out as exceptions."""
    try:
        return await tool.run(arguments, call)
    except DiligentError as error:
        return Outcome(error.message, is_error=True)
    except OSError as error:
        return Outcome(_sentence(tool, error), is_error=True)


def _sentence(tool: Tool, error: OSError) -> str:
    return f"{tool.spec.name} could not finish: {error.strerror or type(error).__name__}."
