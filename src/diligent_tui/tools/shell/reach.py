"""Which of a command's paths lie where it should not act unasked: outside the workspace, protected, or all of it."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import locate, shown_name
from diligent_tui.tools.protected_paths import is_protected

MOST_SHOWN = 5


def reached(paths: Iterable[str], workplace: Workplace, *, removes: bool) -> list[str]:
    """The real places that would be touched outside, or that are protected; removing counts the workspace itself."""
    root = Path(os.path.realpath(workplace.root))
    scratch = Path(os.path.realpath(tempfile.gettempdir()))
    found: list[str] = []
    for path in paths:
        try:
            located = locate(path, workplace)
        except ToolError:
            found.append(path)
            continue
        real = located.real
        # A link itself is removed where it stands, not where it leads; either may be meant.
        is_outside = not located.is_inside and not (scratch in real.parents and scratch not in (root, *root.parents))
        if is_outside or is_protected(real, root) or (removes and real == root):
            found.append(str(real))
    return found


def shown_paths(paths: Sequence[str]) -> str:
    """The first few of them, and how many more there are."""
    first = ", ".join(shown_name(path) for path in paths[:MOST_SHOWN])
    return first + (f" and {len(paths) - MOST_SHOWN:,} more" if len(paths) > MOST_SHOWN else "")
