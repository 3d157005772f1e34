"""What one jumps to in the chat: the next prompt, error or compaction."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from diligent_tui.ui.commands.keys_now import key_now
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
NAMES: Mapping[Landmark, str] = MappingProxyType({"prompt": "prompt", "error": "error", "memory": "compaction"})
BELOW: Mapping[Landmark, str] = MappingProxyType(
    {"prompt": "next_prompt", "error": "next_error", "memory": "next_compaction"}
)
"""The commands that look below for each."""
ABOVE: Mapping[Landmark, str] = MappingProxyType({"prompt": "K", "error": "X", "memory": "C"})
"""The keys that look above."""


def none_further(landmark: Landmark, step: int, keymap: Mapping[str, str], *, has_any: bool) -> str:
    """That there is none that way, and the key that looks the other way."""
    if not has_any:
        return f"No {NAMES[landmark]} in this chat."
    if step > 0:
        return f"No {NAMES[landmark]} below. {ABOVE[landmark]} looks above."
    return f"No {NAMES[landmark]} above. {key_now(BELOW[landmark], keymap)} looks below."
