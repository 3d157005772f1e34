"""What is told of one event: a sentence, what was said or why below it, and how such things are put into words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.secret_text import is_secret_value

Row = tuple[str, str]
"""A caption and what is told."""
DEEPEST = 6
HIDDEN = "[hidden]"
"""Instead of a secret that only its name tells."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence without its full stop, and rows of words that are others'; nothing of it has passed the gate yet."""

    sentence: str
    rows: tuple[Row, ...] = ()


def why(problem: Problem) -> tuple[Row, ...]:
    """What went wrong, and what to do."""
    return ("why", problem.message), ("to do", problem.advice)


def ending(reason: str) -> str:
    """How a turn or an answer ended, where it was not by its own word; empty where it was."""
    if reason in ("", "done", "end_turn", "tool_use", "stop_sequence"):
        return ""
    return ENDINGS.get(reason, reason.replace("_", " ")).partition(" · ")[0]


def input_words(arguments: JsonObject) -> str:
    """What a tool is given, a line for each argument."""
    return "\n".join(_named(name, value, 0) for name, value in arguments.items())


def pair_words(pairs: tuple[tuple[str, str], ...]) -> str:
    """Names with their figures."""
    return ", ".join(f"{name} {figure}" for name, figure in pairs)


def _words(value: object, depth: int = 0) -> str:
    """A value as people write it; what is nested deeper than anybody reads is left out."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    if depth > DEEPEST:
        return "…"
    return ", ".join(_parts(value, depth + 1)) if _is_dict(value) or _is_list(value) else str(value)


def _parts(value: dict[str, object] | list[object], depth: int) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (_named(name, item, depth) for name, item in value.items())
    else:
        yield from (_words(item, depth) for item in value)


def _named(name: str, value: object, depth: int) -> str:
    is_secret = isinstance(value, str) and is_secret_value(name, value)
    return f"{name}: {HIDDEN if is_secret else _words(value, depth)}"


def _is_dict(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
