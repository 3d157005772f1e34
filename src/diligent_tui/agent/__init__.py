"""The agent: one turn after another, behind one door.

The door is opened when it is first asked for, so that importing something small from this room stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diligent_tui.agent.session import AgentSession

__all__ = ["AgentSession"]


def __getattr__(name: str) -> object:
    """Load the door on the first look at it."""
    if name == "AgentSession":
        return import_module("diligent_tui.agent.session").AgentSession
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
