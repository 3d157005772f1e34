"""What one jumps to in the chat: the next prompt, error or compaction."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from diligent_tui.ui.transcript import ChatBlock

Landmark = Literal["prompt", "error", "memory"]


def _is_error(block: ChatBlock) -> bool:
    return block.is_error or (block.kind == "tool" and block.state == "failed")


def is_worked_on(block: ChatBlock) -> bool:
    """Whether the cursor stops at a block: a footer is looked at only."""
    return block.kind != "footer"


LANDMARKS: Mapping[Landmark, Callable[[ChatBlock], bool]] = MappingProxyType(
    {
        "prompt": lambda block: block.kind == "prompt",
        "error": _is_error,
        "memory": lambda block: block.kind == "memory",
    }
)
