"""The tools that come with diligent: one line for each."""

from diligent_tui.tools.base import Tool
from diligent_tui.tools.builtin.add_knowledge import AddKnowledge
from diligent_tui.tools.builtin.edit_file import EditFile
from diligent_tui.tools.builtin.find_files import FindFiles
from diligent_tui.tools.builtin.keep_todo import KeepTodo
from diligent_tui.tools.builtin.list_folder import ListFolder
from diligent_tui.tools.builtin.read_file import ReadFile
from diligent_tui.tools.builtin.run_command import RunCommand
from diligent_tui.tools.builtin.search_knowledge import SearchKnowledge
from diligent_tui.tools.builtin.search_text import SearchText
from diligent_tui.tools.builtin.supersede_knowledge import SupersedeKnowledge
from diligent_tui.tools.builtin.write_file import WriteFile
from diligent_tui.tools.knowledge_door import KnowledgeDoor
from diligent_tui.tools.seen_files import SeenFiles
from diligent_tui.tools.writing import Writing


def builtin_tools(bash: Tool | None = None) -> tuple[Tool, ...]:
    """Every built-in tool, in the order in which the model is told of them; `recall` is made with its session."""
    seen = SeenFiles()
    writing = Writing(seen)
    return (
        ReadFile(seen),
        WriteFile(writing),
        EditFile(writing),
        ListFolder(),
        FindFiles(),
        SearchText(),
        bash or RunCommand(),
        KeepTodo(),
    )


def knowledge_tools(door: KnowledgeDoor) -> tuple[Tool, ...]:
    """The tools on the knowledge of the session that this door belongs to."""
    return AddKnowledge(door), SearchKnowledge(door), SupersedeKnowledge(door)
