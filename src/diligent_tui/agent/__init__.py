"""The agent: one turn after another, behind one door.

The door, and what only some turns need, is loaded when it is first asked for: see `late_names`.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.agent.admission import Admission
    from diligent_tui.agent.branching import Branching
    from diligent_tui.agent.comparison import compare
    from diligent_tui.agent.file_history.history import FileHistory
    from diligent_tui.agent.learning import Learning
    from diligent_tui.agent.memory import Memory
    from diligent_tui.agent.session import AgentSession
    from diligent_tui.agent.tool_calls import CallRun, ToolRoom
    from diligent_tui.agent.user_acts import UserActs

__all__ = [
    "Admission",
    "AgentSession",
    "Branching",
    "CallRun",
    "FileHistory",
    "Learning",
    "Memory",
    "ToolRoom",
    "UserActs",
    "compare",
]

__getattr__ = late_names(
    __name__,
    {
        "Admission": "admission",
        "AgentSession": "session",
        "Branching": "branching",
        "CallRun": "tool_calls",
        "FileHistory": "file_history.history",
        "Learning": "learning",
        "Memory": "memory",
        "ToolRoom": "tool_calls",
        "UserActs": "user_acts",
        "compare": "comparison",
    },
)
