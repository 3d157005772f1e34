"""Names out of programs that an agent works with: functions, types, settings, addresses, told from words by shape."""

import re
from collections.abc import Iterator
from typing import TypeGuard

from diligent_tui.compaction.mentions import URL
from diligent_tui.domain.json_objects import is_object

LONGEST_TEXT_CHARS = 24_000
"""Beginning and end of a longer text are looked at, half of this each."""

_NAME = re.compile(
    r"(?<![A-Za-z0-9_/])(?=[A-Za-z0-9_]{4,80}(?![A-Za-z0-9_/]))"
    r"(?:[A-Za-z_][A-Za-z0-9_]*?[A-Za-z0-9]_[A-Za-z0-9]|[A-Za-z_][A-Za-z0-9_]*?[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2})"
    r"[A-Za-z0-9_]*"
)
"""Four to eighty signs with an underscore or a capital in their midst, and no part of a path."""
_ESCAPED = re.compile(r"\\[nrt]")
"""A line end inside of a quoted script would cling to the word behind it."""


def names_in(text: str) -> list[str]:
    """Each name and address in a text once, in order; parts of paths are no names."""
    if len(text) > LONGEST_TEXT_CHARS:
        half = LONGEST_TEXT_CHARS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    found: list[str] = []
    if "://" in text:
        found = [address.rstrip(".,;:!?*/") for address in URL.findall(text)]
        text = URL.sub(" ", text)
    if "\\" in text:
        text = _ESCAPED.sub(" ", text)
    return list(dict.fromkeys([*found, *_NAME.findall(text)]))


def texts_in(value: object) -> Iterator[str]:
    """Every text in the arguments of a call, however deep; keys are the tool's own words."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for field in value.values():
            yield from texts_in(field)
    elif is_list(value):
        for item in value:
            yield from texts_in(item)


def is_list(value: object) -> TypeGuard[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)
