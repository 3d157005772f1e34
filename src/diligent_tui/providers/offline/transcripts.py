"""Reads a conversation that was written down for a summariser back into who said what.

Each piece begins with a heading in brackets at the start of a line, with a role and mostly an entry's id; what belongs
to it is indented. Whatever stands behind the closing mark is said by whoever asks, and by nobody in the talk.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.domain.json_objects import JsonObject, is_object

_OPENING = re.compile(r"^<transcript>[ \t]*$", re.MULTILINE)
_CLOSING = re.compile(r"^</transcript>[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"\[(?P<role>[a-z_]+) (?P<id>[^\]\s]+)\](?: (?P<words>.*))?")
FAILED = "failed: "


@dataclass(frozen=True, slots=True)
class Framed:
    """A request that holds a transcript: what stands before it, the transcript, and what is asked for behind it."""

    before: str
    transcript: str
    instruction: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """One piece of a transcript."""

    role: str
    entry_id: str
    words: str


def framed(text: str) -> Framed | None:
    """The text in its three parts; None if it holds no marked transcript."""
    opening = _OPENING.search(text)
    closings = list(_CLOSING.finditer(text))
    if opening is None or not closings or closings[-1].start() < opening.end():
        return None
    closing = closings[-1]
    return Framed(text[: opening.start()], text[opening.end() : closing.start()], text[closing.end() :])


def spoken_in(transcript: str) -> Iterator[Spoken]:
    """The pieces of a transcript, oldest first."""
    heading: re.Match[str] | None = None
    lines: list[str] = []
    for line in transcript.splitlines():
        if begun := _HEADING.fullmatch(line):
            if heading:
                yield _spoken(heading, lines)
            heading, lines = begun, [begun["words"] or ""]
        else:
            lines.append(line.removeprefix("  "))
    if heading:
        yield _spoken(heading, lines)


def call_in(words: str) -> tuple[str, JsonObject]:
    """Name and arguments of a written call; arguments that were shortened are gone."""
    name, _, arguments = words.partition(" ")
    try:
        value: object = json.loads(arguments)
    except ValueError:
        return name, {}
    return name, value if is_object(value) else {}


def _spoken(heading: re.Match[str], lines: list[str]) -> Spoken:
    return Spoken(heading["role"], heading["id"], "\n".join(lines).strip())
