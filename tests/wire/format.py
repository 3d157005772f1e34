"""What the loopback server has to know of a wire format."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.domain.json_objects import JsonObject
from tests.wire.scripts import Heard, Script


@dataclass(frozen=True, slots=True)
class Format:
    """A wire format: where it is asked, what it refuses, and how it says things."""

    name: str
    path: str
    """The end of the request's path."""
    check: Callable[[JsonObject], list[str]]
    """All that the real server would refuse in a body."""
    events: Callable[[Script, JsonObject], list[bytes]]
    """The events of an answer to a body, each with its blank line, with plain newlines."""
    error_body: Callable[[str, str], JsonObject]
    """The body of a refusal, from its kind (in Anthropic's words, such as `invalid_request_error`) and its message."""
    overflow: Callable[[int, int], str]
    """The words for so many tokens where so many are the most."""
    hear: Callable[[JsonObject], Heard]
    """What a body says."""


def event(data: JsonObject | str, name: str = "") -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {text}\n\n".encode()
