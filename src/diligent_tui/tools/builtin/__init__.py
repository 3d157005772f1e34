"""The tools that come with diligent: one line for each."""

from diligent_tui.tools.base import Tool
from diligent_tui.tools.builtin.list_folder import ListFolder
from diligent_tui.tools.builtin.read_file import ReadFile
from diligent_tui.tools.builtin.run_command import RunCommand


def builtin_tools() -> tuple[Tool, ...]:
    """Every built-in tool, in the order in which the model is told of them."""
    return (
        ReadFile(),
        ListFolder(),
        RunCommand(),
    )
