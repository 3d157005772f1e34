"""The system prompt: what never changes, where we are, and what the project's people ask for."""

import platform
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Instructions:
    """A file that tells the agent how to work here."""

    name: str
    text: str


@cache
def base_prompt() -> str:
    """The part that is the same for everybody."""
    return resources.files("diligent_tui.agent").joinpath("prompts/system.md").read_text(encoding="utf-8").strip()


def build_system_prompt(base: str, cwd: Path, root: Path, today: date, instructions: tuple[Instructions, ...]) -> str:
    """All parts in a fixed order, so that equal facts give equal bytes."""
    place = f"Working folder: {cwd}\nProject root: {root}\nSystem: {platform.system()}\nDate: {today.isoformat()}"
    parts = [base, f"# Where you are\n\n{place}"]
    parts += [f"# Instructions from {item.name}\n\n{item.text.strip()}" for item in instructions if item.text.strip()]
    return "\n\n".join(parts) + "\n"
