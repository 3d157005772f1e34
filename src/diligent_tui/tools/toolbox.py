"""Makes the tools of a session: the model is told of all of them at once, and each is loaded with its first call."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from diligent_tui import tools
from diligent_tui.tools import specs
from diligent_tui.tools.base import Tool
from diligent_tui.tools.late_tool import LateCommand, LateTool
from diligent_tui.tools.seen_files import SeenFiles

if TYPE_CHECKING:
    from diligent_tui.tools.builtin.recall_entry import Lookup, Search
    from diligent_tui.tools.knowledge_door import KnowledgeDoor
    from diligent_tui.tools.sandbox.sandbox import Sandbox


def builtin_tools(bash: Tool | None = None) -> tuple[Tool, ...]:
    """Every built-in tool, in the order in which the model is told of them; `recall` is made with its session."""
    seen = SeenFiles()
    writing = cache(lambda: tools.Writing(seen))
    return (
        LateTool(specs.read_file_spec(), lambda spec: tools.ReadFile(seen, spec=spec), read_only=True),
        LateTool(specs.write_file_spec(), lambda spec: tools.WriteFile(writing(), spec=spec)),
        LateTool(specs.edit_file_spec(), lambda spec: tools.EditFile(writing(), spec=spec)),
        LateTool(specs.list_folder_spec(), lambda spec: tools.ListFolder(spec=spec), read_only=True),
        LateTool(specs.find_files_spec(), lambda spec: tools.FindFiles(spec=spec), read_only=True),
        LateTool(specs.search_text_spec(), lambda spec: tools.SearchText(spec=spec), read_only=True),
        bash or command_tool(),
        LateTool(specs.keep_todo_spec(), lambda spec: tools.KeepTodo(spec=spec)),
    )


def command_tool(
    sandbox: "Callable[[], Sandbox | None]" = lambda: None,
    timeout_seconds: float = specs.TIMEOUT_SECONDS,
    *,
    trust_sandbox: bool = False,
) -> Tool:
    """The tool `bash`, shut in by what `sandbox` gives."""
    return LateCommand(
        specs.run_command_spec(timeout_seconds),
        lambda _: tools.RunCommand(sandbox(), timeout_seconds, trust_sandbox=trust_sandbox),
    )


def recall_tool(lookup: "Lookup", search: "Search | None" = None) -> Tool:
    """The tool `recall` for the session that lookup and search belong to."""
    return LateTool(
        specs.recall_entry_spec(), lambda spec: tools.RecallEntry(lookup, search, spec=spec), read_only=True
    )


def knowledge_tools(door: "KnowledgeDoor") -> tuple[Tool, ...]:
    """The tools on the knowledge of the session that this door belongs to."""
    return (
        LateTool(specs.add_knowledge_spec(), lambda spec: tools.AddKnowledge(door, spec=spec)),
        LateTool(specs.search_knowledge_spec(), lambda spec: tools.SearchKnowledge(door, spec=spec), read_only=True),
        LateTool(specs.supersede_knowledge_spec(), lambda spec: tools.SupersedeKnowledge(door, spec=spec)),
    )
