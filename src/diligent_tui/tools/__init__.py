"""What the model may do on this machine, and who decides about it.

The tools themselves, and what shuts them in, are loaded when one is first used: see `late_names`.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.tools.builtin.add_knowledge import AddKnowledge
    from diligent_tui.tools.builtin.edit_file import EditFile
    from diligent_tui.tools.builtin.find_files import FindFiles
    from diligent_tui.tools.builtin.keep_todo import KeepTodo
    from diligent_tui.tools.builtin.list_folder import ListFolder
    from diligent_tui.tools.builtin.read_file import ReadFile
    from diligent_tui.tools.builtin.recall_entry import RecallEntry
    from diligent_tui.tools.builtin.run_command import RunCommand
    from diligent_tui.tools.builtin.search_knowledge import SearchKnowledge
    from diligent_tui.tools.builtin.search_text import SearchText
    from diligent_tui.tools.builtin.supersede_knowledge import SupersedeKnowledge
    from diligent_tui.tools.builtin.write_file import WriteFile
    from diligent_tui.tools.sandbox.policy import SandboxPolicy
    from diligent_tui.tools.sandbox.sandbox import Sandbox
    from diligent_tui.tools.writing import Writing

__all__ = [
    "AddKnowledge",
    "EditFile",
    "FindFiles",
    "KeepTodo",
    "ListFolder",
    "ReadFile",
    "RecallEntry",
    "RunCommand",
    "Sandbox",
    "SandboxPolicy",
    "SearchKnowledge",
    "SearchText",
    "SupersedeKnowledge",
    "WriteFile",
    "Writing",
]

__getattr__ = late_names(
    __name__,
    {
        "AddKnowledge": "builtin.add_knowledge",
        "EditFile": "builtin.edit_file",
        "FindFiles": "builtin.find_files",
        "KeepTodo": "builtin.keep_todo",
        "ListFolder": "builtin.list_folder",
        "ReadFile": "builtin.read_file",
        "RecallEntry": "builtin.recall_entry",
        "RunCommand": "builtin.run_command",
        "Sandbox": "sandbox.sandbox",
        "SandboxPolicy": "sandbox.policy",
        "SearchKnowledge": "builtin.search_knowledge",
        "SearchText": "builtin.search_text",
        "SupersedeKnowledge": "builtin.supersede_knowledge",
        "WriteFile": "builtin.write_file",
        "Writing": "writing",
    },
)
