"""What a search found, and how it is told to a model."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry that was found; text of it is hostile until it is cleaned."""

    entry_id: str
    who: str
    about: str
    """What a result's call was about: a path, a command."""
    snippet: str
    """The passages that match, without what an earlier hit showed already."""
    line: int
    """Where the best of them begins in the entry's readable text, from 1."""
    score: float
    names: tuple[str, ...] = ()
    """Names near to the question that stand in the entry outside of the snippet."""


def heading(entry_id: str, who: str, about: str, line: int) -> str:
    """The line above a snippet."""
    told = f" · {about}" if about else ""
    return f"{entry_id} · {who}{told} · line {line}"


def also(names: Sequence[str]) -> str:
    """The line below a snippet."""
    return f"also there: {', '.join(names)}"


def listing(hits: Sequence[Hit]) -> str:
    """The hits as text, best first, each with the id by which it can be read whole."""
    blocks: list[str] = []
    for hit in hits:
        lines = [heading(hit.entry_id, hit.who, hit.about, hit.line), hit.snippet]
        blocks.append("\n".join([*lines, also(hit.names)] if hit.names else lines))
    return "\n\n".join(blocks)
