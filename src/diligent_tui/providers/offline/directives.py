"""Reads the double-bracket directives in a prompt: how much to stream, or which fault to play."""

import re
from dataclasses import dataclass
from typing import Literal

MOST_TOKENS = 1_000_000
"""Four megabytes of text; a larger wish is a slip of the keyboard."""

_DIRECTIVE = re.compile(r"\[\[\s*(\w{1,20}=[^\s\[\]=]{1,60}(?:\s+\w{1,20}=[^\s\[\]=]{1,60}){0,5})\s*\]\]")


@dataclass(frozen=True, slots=True)
class StreamDirective:
    """Stream so many tokens of Markdown that end with a word made of `mark`; rate 0 is as fast as possible."""

    tokens: int
    tokens_per_second: float | None
    mark: str


@dataclass(frozen=True, slots=True)
class FaultDirective:
    """Play a fault, on the first `times` requests only if that is set; `key` is what the playing is counted by."""

    key: str
    name: str
    on: Literal["turn", "summary"] = "turn"
    times: int | None = None
    after_seconds: float | None = None


def find_directive(text: str) -> StreamDirective | FaultDirective | None:
    """The last directive in a text that can be understood."""
    for found in reversed(list(_DIRECTIVE.finditer(text))):
        if directive := _understood(found.group(1)):
            return directive
    return None


def without_directives(text: str) -> str:
    """The text as it is meant for the engine."""
    return _DIRECTIVE.sub("", text).strip()


def _understood(pairs: str) -> StreamDirective | FaultDirective | None:
    values = dict(pair.split("=", 1) for pair in pairs.split())
    try:
        if "t" in values:
            rate = float(values["r"]) if "r" in values else None
            tokens = min(int(values["t"]), MOST_TOKENS)
            return StreamDirective(max(tokens, 1), rate, values.get("id", "default"))
        if "fault" in values:
            return FaultDirective(
                pairs,
                values["fault"].lower(),
                "summary" if values.get("on") == "summary" else "turn",
                int(values["times"]) if "times" in values else None,
                float(values["after"]) if "after" in values else None,
            )
    except ValueError:
        pass
    return None
