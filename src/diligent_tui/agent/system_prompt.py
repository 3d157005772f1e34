"""The system prompt, and what the model is told at the tail when the facts behind it change in mid-session."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path

from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.injection import choose, describe_change, render
from diligent_tui.knowledge.state import KnowledgeState


@dataclass(frozen=True, slots=True)
class Instructions:
    """A file that tells the agent how to work here."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Briefing:
    """The facts that a system prompt is made of, as they are at one moment."""

    base: str
    place: str = ""
    today: date | None = None
    instructions: tuple[Instructions, ...] = ()
    knowledge: tuple[KnowledgeState, ...] = ()


@cache
def base_prompt() -> str:
    """The part that is the same for everybody."""
    return resources.files("diligent_tui.agent").joinpath("prompts/system.md").read_text(encoding="utf-8").strip()


def describe_place(cwd: Path, root: Path) -> str:
    """Where the agent works, in words."""
    return f"Working folder: {cwd}\nProject root: {root}\nSystem: {platform.system()}"


def write_system_prompt(briefing: Briefing, policy: KnowledgePolicy, window_tokens: int) -> str:
    """All parts in a fixed order, so that equal facts give equal bytes."""
    parts = [briefing.base]
    if briefing.place or briefing.today:
        place = [briefing.place, f"Date: {briefing.today.isoformat()}" if briefing.today else ""]
        parts.append("# Where you are\n\n" + "\n".join(filter(None, place)))
    parts += [_section(item) for item in briefing.instructions if item.text.strip()]
    parts.append(render(choose(briefing.knowledge, policy, window_tokens)).strip())
    return "\n\n".join(filter(None, parts)) + "\n"


def describe_changes(before: Briefing, after: Briefing, policy: KnowledgePolicy, window_tokens: int) -> str:
    """What the model must be told to go on from one briefing to a later one; nothing if that is nothing."""
    parts = list(_told_differences(before, after))
    words = "\n\n".join(parts)
    note = f"[Changed since this conversation began]\n{words}\n" if parts else ""
    return note + describe_change(before.knowledge, after.knowledge, policy, window_tokens)


def _told_differences(before: Briefing, after: Briefing) -> Iterator[str]:
    if after.today and before.today != after.today:
        yield f"The date is now {after.today.isoformat()}."
    if before.place != after.place:
        yield after.place
    old = {item.name: item.text.strip() for item in before.instructions}
    new = {item.name: item.text.strip() for item in after.instructions}
    for name, text in new.items():
        if old.get(name, "") != text:
            yield f"{name} was changed; from now on this holds:\n\n{text}" if text else f"{name} is empty now."
    for name in old:
        if name not in new:
            yield f"{name} is gone; what it said no longer holds."


def _section(item: Instructions) -> str:
    return f"# Instructions from {item.name}\n\n{item.text.strip()}"
