"""What a benchmark that plays sessions may be asked for on the command line; light, for every benchmark loads it."""

from dataclasses import dataclass
from pathlib import Path

WINDOWS = (32_000, 64_000)
POLICIES = ("ours", "pi", "codex", "opencode", "mask", "truncate", "none")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What to play, and how."""

    data: Path | None = None
    windows: tuple[int, ...] = WINDOWS
    policies: tuple[str, ...] = POLICIES
    jobs: int = 1
    llm: str | None = None
    json: Path | None = None
    is_quick: bool = False


def windows_in(text: str) -> tuple[int, ...]:
    """Windows out of `32000,64000`; raises ValueError for anything else."""
    windows = tuple(int(word) for word in text.split(","))
    if any(window < 1_000 for window in windows):
        raise ValueError(text)
    return windows


def policies_in(text: str) -> tuple[str, ...]:
    """Policies out of `ours,pi`; raises ValueError for one that is not there."""
    policies = tuple(word.strip() for word in text.split(","))
    if not set(policies) <= set(POLICIES):
        raise ValueError(text)
    return policies
